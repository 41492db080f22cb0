#include <defiance/egdb/solved_file.hpp>

#include <algorithm>
#include <string_view>

#include <defiance/base/checksum.hpp>
#include <defiance/base/mapped_file.hpp>
#include <defiance/base/system.hpp>

namespace defiance {
namespace {

/// "DEFIFULL", game type, fingerprint, material, checksum of the values, each in bytes from the
/// lowest; then the values as SolvedSlice::packed() has them.
std::string head_of(const database_file::Identity& identity, const SolvedSlice& slice) {
    std::string head = "DEFIFULL";
    const auto append = [&](std::uint32_t number, int bytes) {
        for (int i = 0; i < bytes; ++i)
            head += static_cast<char>(number >> (8 * i) & 255);
    };
    append(identity.game_type, 4);
    append(identity.rules_fingerprint, 4);
    const Material& m = slice.index().material();
    for (const std::uint8_t number : {m.own_men, m.own_kings, m.their_men, m.their_kings})
        append(number, 1);
    append(checksum(slice.packed()), 4);
    return head;
}

}  // namespace

bool save_solved(const std::string& path, const database_file::Identity& identity,
                 const SolvedSlice& slice) {
    std::string content = head_of(identity, slice);
    const auto values = slice.packed();
    content.append(reinterpret_cast<const char*>(values.data()), values.size());
    return write_file(path, content);
}

Result<std::unique_ptr<SolvedSlice>> load_solved(const std::string& path,
                                                 const database_file::Identity& identity,
                                                 const Material& material) {
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file) return Error{file.error()};
    const auto bytes = file->bytes();
    auto slice = std::make_unique<SolvedSlice>(material);
    const std::size_t head_size = head_of(identity, *slice).size();
    if (bytes.size() != head_size + slice->packed().size())
        return Error{path + ": it is not of the right size"};
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(head_size), bytes.end(),
              slice->packed().begin());
    const std::string head = head_of(identity, *slice);
    if (!std::equal(head.begin(), head.end(), bytes.begin(),
                    [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; }))
        return Error{path + ": it is damaged or belongs to something else"};
    return slice;
}

}  // namespace defiance
