#include <defiance/egdb/database_file.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/egdb/slice_index.hpp>

namespace defiance::database_file {
namespace {

constexpr std::string_view magic = "DEFIEGDB";
constexpr std::size_t head_size = 32;
constexpr std::size_t sum_at = 28;
constexpr std::size_t entry_size = 28;
/// More parts than there are materials of up to SliceIndex::max_pieces pieces.
constexpr std::size_t max_parts = 4096;

template <class Number>
Number number_at(std::span<const std::uint8_t> bytes, std::size_t at) {
    return load_little_endian<Number>(bytes.subspan(at, sizeof(Number)).data());
}

/// The checksum of head and list, which has zeros for itself.
std::uint32_t sum_of_head(std::span<const std::uint8_t> head_and_list) {
    const std::array<std::uint8_t, 4> zeros{};
    const std::uint32_t before = checksum(head_and_list.first(sum_at));
    return checksum(head_and_list.subspan(sum_at + 4), checksum(zeros, before));
}

bool is_possible(const Material& m) {
    return m.own() >= 1 && m.theirs() >= 1 && m.total() <= SliceIndex::max_pieces;
}

}  // namespace

std::vector<std::uint8_t> assemble(const Identity& identity,
                                   const std::vector<DatabasePart>& parts) {
    std::uint64_t place = head_size + entry_size * parts.size();
    std::uint64_t size = place;
    for (const DatabasePart& part : parts)
        size += part.bytes.size();
    std::vector<std::uint8_t> bytes(magic.begin(), magic.end());
    append_little_endian(bytes, format_version);
    append_little_endian(bytes, std::uint16_t{identity.game_type});
    append_little_endian(bytes, identity.rules_fingerprint);
    append_little_endian(bytes, static_cast<std::uint32_t>(parts.size()));
    append_little_endian(bytes, size);
    append_little_endian(bytes, std::uint32_t{0});
    for (const DatabasePart& part : parts) {
        const Material& m = part.material;
        for (const std::uint8_t number : {m.own_men, m.own_kings, m.their_men, m.their_kings})
            bytes.push_back(number);
        append_little_endian(bytes, static_cast<std::uint32_t>(part.content));
        append_little_endian(bytes, checksum(part.bytes));
        append_little_endian(bytes, place);
        append_little_endian(bytes, std::uint64_t{part.bytes.size()});
        place += part.bytes.size();
    }
    std::vector<std::uint8_t> sum;
    append_little_endian(sum, sum_of_head(bytes));
    std::ranges::copy(sum, bytes.begin() + sum_at);
    for (const DatabasePart& part : parts)
        bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
    return bytes;
}

Result<std::vector<DatabasePart>> parts_of(std::span<const std::uint8_t> bytes,
                                           const Identity& identity) {
    if (bytes.size() < head_size || !std::equal(magic.begin(), magic.end(), bytes.begin()))
        return Error{"it is no endgame database of Defiance"};
    if (const auto version = number_at<std::uint16_t>(bytes, 8); version != format_version)
        return Error{"it has the format version " + std::to_string(version) + ", not " +
                     std::to_string(format_version)};
    if (const auto type = number_at<std::uint16_t>(bytes, 10); type != identity.game_type)
        return Error{"it is for another game (type " + std::to_string(type) + ")"};
    if (number_at<std::uint32_t>(bytes, 12) != identity.rules_fingerprint)
        return Error{"it was made under other rules"};
    const auto number = number_at<std::uint32_t>(bytes, 16);
    if (number_at<std::uint64_t>(bytes, 20) != bytes.size() || number > max_parts ||
        bytes.size() < head_size + number * entry_size)
        return Error{"it is cut off or too long"};
    const auto first_part = head_size + number * entry_size;
    if (sum_of_head(bytes.first(first_part)) != number_at<std::uint32_t>(bytes, sum_at))
        return Error{"its list of contents is damaged"};
    std::vector<DatabasePart> parts;
    // The parts lie one behind the other: no byte belongs to two of them, and none to no part.
    std::uint64_t end = first_part;
    for (std::size_t at = head_size; at < first_part; at += entry_size) {
        DatabasePart part;
        part.material = {bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]};
        part.content = static_cast<Content>(bytes[at + 4]);
        part.sum = number_at<std::uint32_t>(bytes, at + 8);
        const auto place = number_at<std::uint64_t>(bytes, at + 12);
        const auto size = number_at<std::uint64_t>(bytes, at + 20);
        if (!is_possible(part.material) || bytes[at + 4] > 1 || place != end ||
            size > bytes.size() - end)
            return Error{"its list of contents makes no sense"};
        part.bytes = bytes.subspan(static_cast<std::size_t>(place), static_cast<std::size_t>(size));
        end += size;
        parts.push_back(part);
    }
    if (end != bytes.size()) return Error{"its list of contents makes no sense"};
    return parts;
}

bool is_intact(const DatabasePart& part) {
    return checksum(part.bytes) == part.sum;
}

}  // namespace defiance::database_file
