#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/book/book_choice.hpp>
#include <defiance/engine/claim.hpp>
#include <defiance/engine/hint_mailbox.hpp>

namespace defiance {

/// The options of the user, each stored in the settings under the name given here, by its row of
/// the table in src/engine/stored_options.hpp. docs/development.md ("Add an option") says what else
/// a further one needs. The paths of the user's files are stored besides, under the names below:
/// their keepers hold them.
struct Options {
    std::uint32_t hash_mebibytes = 64;            ///< hashsize: 1 to max_hash_mebibytes
    bool all_scores = false;                      ///< allscores: show every move with its score
    bool solve = false;                           ///< solve: SearchLimits::solve, for problems
    ClaimPolicy claim = ClaimPolicy::safe;        ///< claim: 0 to max_claim_policy
    HintPolicy hint_policy = HintPolicy::verify;  ///< hintpolicy: trust, verify or ignore
    BookUse book = BookUse::best;                 ///< book: 0 to max_book_use
    int search_threads = 1;                       ///< searchthreads: 1 to max_search_threads

    [[nodiscard]] bool operator==(const Options&) const = default;
};
inline constexpr std::uint32_t max_hash_mebibytes = 65536;

inline constexpr const char* book_file_option = "bookfile";        ///< see Engine::set_book_file
inline constexpr const char* evaluation_file_option = "evalfile";  ///< Engine::set_evaluation_file

/// The value of the option of this name, as it is stored and as CheckerBoard is told; nothing when
/// there is no such option.
[[nodiscard]] std::optional<std::string> option_text(const Options& options, std::string_view name);

/// The longest path of an option, in bytes of the Windows code page: CheckerBoard reads paths into
/// buffers of 256 bytes.
inline constexpr std::size_t max_option_path = 250;

/// The largest table that a program with pointers of this size can hold, in MiB: a 32-bit one has
/// 2 GB for everything.
[[nodiscard]] constexpr std::uint32_t max_hash_mebibytes_for(std::size_t pointer_bytes) {
    constexpr std::uint32_t max_of_32_bits = 1024;
    return pointer_bytes >= 8 ? max_hash_mebibytes : max_of_32_bits;
}

}  // namespace defiance
