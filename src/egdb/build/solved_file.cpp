#include <defiance/egdb/build.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/base/mapped_file.hpp>

namespace defiance {
namespace {

constexpr std::size_t bytes_of_dtw = 2;
/// Also that of files from before there was a version, which have zeros in its place.
constexpr std::uint16_t format_version = 0;
constexpr std::size_t version_at = 10;

/// "DEFIFULL", or "DEFIPLYS" when plies follow, game type (16 bits), format version (16),
/// fingerprint (32), own men, own kings, their men, their kings (8 each), checksum of all that
/// comes after (32); then the values as SolvedSlice::packed() has them, and the plies of each
/// position (16 each). All numbers have their lowest byte first.
std::string head_of(const database_file::Identity& identity, const SolvedSlice& slice) {
    std::string head = slice.has_dtw() ? "DEFIPLYS" : "DEFIFULL";
    append_little_endian(head, std::uint16_t{identity.game_type});
    append_little_endian(head, format_version);
    append_little_endian(head, identity.rules_fingerprint);
    const Material& m = slice.index().material();
    for (const std::uint8_t number : {m.own_men, m.own_kings, m.their_men, m.their_kings})
        append_little_endian(head, number);
    return head;
}

std::string checksum_of(std::span<const std::uint8_t> content) {
    std::string text;
    append_little_endian(text, checksum(content));
    return text;
}

std::vector<std::uint8_t> content_of(const SolvedSlice& slice) {
    const auto values = slice.packed();
    std::vector<std::uint8_t> content(values.begin(), values.end());
    if (!slice.has_dtw()) return content;
    DEFIANCE_ASSERT(content.size() == (slice.index().size() + 3) / 4);
    content.reserve(content.size() + static_cast<std::size_t>(slice.index().size()) * bytes_of_dtw);
    for (std::uint64_t i = 0; i < slice.index().size(); ++i)
        append_little_endian(content, static_cast<std::uint16_t>(slice.dtw(i)));
    return content;
}

LargeArray<std::uint16_t> dtw_in(std::span<const std::uint8_t> bytes) {
    DEFIANCE_ASSERT(bytes.size() % bytes_of_dtw == 0);
    LargeArray<std::uint16_t> plies(bytes.size() / bytes_of_dtw);
    for (std::size_t i = 0; i < bytes.size() / bytes_of_dtw; ++i)
        plies[i] = load_little_endian<std::uint16_t>(bytes.data() + bytes_of_dtw * i);
    return plies;
}

/// True when each value is one that Wld has. A checksum does not tell: whoever wrote the file may
/// have had a fault.
bool are_values_of_wld(std::span<const std::uint8_t> packed) {
    return std::ranges::none_of(
        packed, [](std::uint8_t four) { return (four & four >> 1 & 0b01010101) != 0; });
}

bool is_text(std::span<const std::uint8_t> bytes, std::string_view text) {
    return std::ranges::equal(bytes, text, [](std::uint8_t byte, char c) {
        return byte == static_cast<std::uint8_t>(c);
    });
}

/// The format version of what is a solved slice by its first bytes, or nothing.
std::optional<std::uint64_t> version_of(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t magic_bytes = 8;
    if (bytes.size() < version_at + sizeof format_version) return std::nullopt;
    const auto magic = bytes.first(magic_bytes);
    if (!is_text(magic, "DEFIFULL") && !is_text(magic, "DEFIPLYS")) return std::nullopt;
    return little_endian_at(bytes, version_at, sizeof format_version);
}

}  // namespace

std::optional<Error> save_solved(const std::string& path, const database_file::Identity& identity,
                                 const SolvedSlice& slice) {
    const std::vector<std::uint8_t> content = content_of(slice);
    std::string file = head_of(identity, slice) + checksum_of(content);
    file.append(reinterpret_cast<const char*>(content.data()), content.size());
    return write_file(path, file);
}

Result<std::unique_ptr<SolvedSlice>> load_solved(const std::string& path,
                                                 const database_file::Identity& identity,
                                                 const Material& material) {
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file) return Error{file.error()};
    const auto bytes = file->bytes();
    if (const auto version = version_of(bytes); version && *version != format_version)
        return Error{path + ": it has the format version " + std::to_string(*version) + ", not " +
                     std::to_string(format_version)};
    auto slice = std::make_unique<SolvedSlice>(material);
    const std::size_t sum_at = head_of(identity, *slice).size();
    const std::size_t values_at = sum_at + checksum_of({}).size();
    const std::size_t dtw_at = values_at + slice->packed().size();
    const std::size_t end_with_plies =
        dtw_at + static_cast<std::size_t>(slice->index().size()) * bytes_of_dtw;
    if (bytes.size() != dtw_at && bytes.size() != end_with_plies)
        return Error{path + ": it is not of the right size"};
    const auto values = bytes.subspan(values_at, slice->packed().size());
    std::copy(values.begin(), values.end(), slice->packed().begin());
    if (bytes.size() == end_with_plies) slice->set_dtw(dtw_in(bytes.subspan(dtw_at)));
    if (!is_text(bytes.first(sum_at), head_of(identity, *slice)) ||
        !is_text(bytes.subspan(sum_at, values_at - sum_at),
                 checksum_of(bytes.subspan(values_at))) ||
        !are_values_of_wld(values))
        return Error{path + ": it is damaged or belongs to something else"};
    return slice;
}

}  // namespace defiance
