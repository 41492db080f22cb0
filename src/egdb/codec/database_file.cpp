#include <defiance/egdb/database_file.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/egdb/slice_index.hpp>

namespace defiance::database_file {
namespace {

constexpr std::string_view magic = "DEFIEGDB";
constexpr std::size_t head_size = 32;
constexpr std::size_t sum_at = 28;
constexpr std::size_t entry_size = 28;
/// More parts than there are materials of up to SliceIndex::max_pieces pieces.
constexpr std::uint64_t max_parts = 4096;
static_assert(max_head_bytes == head_size + max_parts * entry_size);

void append(std::vector<std::uint8_t>& bytes, std::uint64_t number, int size) {
    for (int i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

std::uint64_t read(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t size) {
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;)
        number = number << 8 | bytes[at + i];
    return number;
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
    append(bytes, format_version, 2);
    append(bytes, identity.game_type, 2);
    append(bytes, identity.rules_fingerprint, 4);
    append(bytes, parts.size(), 4);
    append(bytes, size, 8);
    append(bytes, 0, 4);
    for (const DatabasePart& part : parts) {
        const Material& m = part.material;
        for (const std::uint8_t number : {m.own_men, m.own_kings, m.their_men, m.their_kings})
            bytes.push_back(number);
        append(bytes, static_cast<std::uint8_t>(part.content), 4);
        append(bytes, checksum(part.bytes), 4);
        append(bytes, place, 8);
        append(bytes, part.bytes.size(), 8);
        place += part.bytes.size();
    }
    const std::uint32_t sum = sum_of_head(bytes);
    for (std::size_t i = 0; i < 4; ++i)
        bytes[sum_at + i] = static_cast<std::uint8_t>(sum >> (8 * i));
    for (const DatabasePart& part : parts)
        bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
    return bytes;
}

Result<std::vector<DatabasePart>> list_parts(std::span<const std::uint8_t> bytes,
                                             std::uint64_t file_size, const Identity& identity) {
    DEFIANCE_ASSERT(bytes.size() == file_size || bytes.size() >= max_head_bytes);
    if (bytes.size() < head_size || !std::equal(magic.begin(), magic.end(), bytes.begin()))
        return Error{"it is no endgame database of Defiance"};
    if (const std::uint64_t version = read(bytes, 8, 2); version != format_version)
        return Error{"it has the format version " + std::to_string(version) + ", not " +
                     std::to_string(format_version)};
    if (read(bytes, 10, 2) != identity.game_type)
        return Error{"it is for another game (type " + std::to_string(read(bytes, 10, 2)) + ")"};
    if (read(bytes, 12, 4) != identity.rules_fingerprint)
        return Error{"it was made under other rules"};
    const std::uint64_t number = read(bytes, 16, 4);
    if (read(bytes, 20, 8) != file_size || number > max_parts ||
        bytes.size() < head_size + number * entry_size)
        return Error{"it is cut off or too long"};
    const auto first_part = head_size + static_cast<std::size_t>(number) * entry_size;
    if (sum_of_head(bytes.first(first_part)) != read(bytes, sum_at, 4))
        return Error{"its list of contents is damaged"};
    std::vector<DatabasePart> parts;
    for (std::size_t at = head_size; at < first_part; at += entry_size) {
        DatabasePart part;
        part.material = {bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]};
        part.content = static_cast<Content>(bytes[at + 4]);
        part.sum = static_cast<std::uint32_t>(read(bytes, at + 8, 4));
        part.place = read(bytes, at + 12, 8);
        part.size = read(bytes, at + 20, 8);
        if (!is_possible(part.material) || bytes[at + 4] > 1 || part.place > file_size ||
            part.size > file_size - part.place)
            return Error{"its list of contents makes no sense"};
        parts.push_back(part);
    }
    return parts;
}

Result<std::vector<DatabasePart>> parts_of(std::span<const std::uint8_t> bytes,
                                           const Identity& identity) {
    Result<std::vector<DatabasePart>> listed = list_parts(bytes, bytes.size(), identity);
    if (!listed) return listed;
    std::vector<DatabasePart> parts = *std::move(listed);
    for (DatabasePart& part : parts)
        part.bytes = bytes.subspan(static_cast<std::size_t>(part.place),
                                   static_cast<std::size_t>(part.size));
    return parts;
}

bool is_intact(const DatabasePart& part) {
    return checksum(part.bytes) == part.sum;
}

}  // namespace defiance::database_file
