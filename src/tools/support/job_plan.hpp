#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/support/arguments.hpp>

namespace defiance {

/// Commands of this program that several machines can share, and which of them need others to be
/// done before; for the batch system that people have.
class JobPlan {
public:
    enum class Format { make, slurm };

    /// `remark` is one line that says what the plan makes; `threads` what each job uses.
    JobPlan(std::string remark, int threads) : remark_(std::move(remark)), threads_(threads) {}

    /// Adds a job: the arguments after the name of the program, the file that is there when it is
    /// done, and the jobs before it, by what add() has returned. Returns its number. All texts are
    /// plain, see is_plain_word(), but for the spaces between the arguments.
    std::size_t add(std::string arguments, std::string file, std::vector<std::size_t> after);

    /// The same for a job that does not write the file itself: the plan makes it, empty.
    std::size_t add_with_mark(std::string arguments, std::string mark,
                              std::vector<std::size_t> after);

    /// Why the jobs cannot be run: a command is longer than max_command_bytes.
    [[nodiscard]] std::optional<Error> check() const;

    /// Linux passes no more than 131,071 bytes as one argument of a program, and make and Slurm
    /// pass a command, or those of an array, in this way.
    static constexpr std::size_t max_command_bytes = 100'000;

    /// A Makefile, or a shell script that gives all jobs to Slurm: an array for each step, whose
    /// jobs do not need each other, each after the one before. The variable DEFIANCE names the
    /// program where it is not on the path. A Makefile that is newer than the files has all jobs
    /// run again, because it may have other settings for them.
    [[nodiscard]] std::string text(Format format) const;

private:
    struct Job {
        std::string arguments;
        std::string file;
        bool makes_mark = false;
        std::vector<std::size_t> after;
        std::size_t step = 0;  ///< after all jobs of the steps before
    };

    [[nodiscard]] static std::string command_of(const Job& job, std::string_view program);
    [[nodiscard]] std::string makefile() const;
    [[nodiscard]] static std::string array_of(const std::vector<const Job*>& jobs,
                                              std::size_t& next);
    [[nodiscard]] std::string slurm_script() const;

    std::string remark_;
    int threads_;
    std::vector<Job> jobs_;
};

/// True when a shell and make read the text as one word without a special meaning: letters, digits
/// and _ . / + , @ -, not empty, and no hyphen first.
[[nodiscard]] bool is_plain_word(std::string_view text);

/// One of several parts of a work.
struct Shard {
    std::uint32_t number = 0;  ///< 0 to of - 1
    std::uint32_t of = 1;
};

/// Reads `i/n` with n up to `most`; all of the work when there is no such option. Error: what is
/// wrong.
[[nodiscard]] Result<Shard> shard_given(const Arguments& arguments, std::uint32_t most);

/// How many of so many things belong to a shard.
[[nodiscard]] constexpr std::uint64_t share_of(std::uint64_t all, const Shard& shard) {
    return all / shard.of + (shard.number < all % shard.of ? 1 : 0);
}

/// What --for says, `make` when it is not given. Error: it is neither make nor slurm.
[[nodiscard]] Result<JobPlan::Format> plan_format_given(const Arguments& arguments);

}  // namespace defiance
