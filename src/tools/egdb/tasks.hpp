#pragma once

#include <optional>
#include <string>

#include <defiance/base/clock.hpp>
#include <defiance/base/result.hpp>
#include <defiance/egdb/solved_slice.hpp>
#include <tools/egdb/builder.hpp>
#include <tools/support/arguments.hpp>
#include <tools/support/report.hpp>

namespace defiance {

/// What `defiance egdb <task>` does. Each is defined in the file of its name in src/tools/egdb, but
/// join in plan.cpp and cost in search_cost.cpp.
[[nodiscard]] ExitCode build_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode plan_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode join_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode count_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode verify_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode describe_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode probe_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode measure_endgames(const Arguments& arguments);
[[nodiscard]] ExitCode measure_search_cost(const Arguments& arguments);

/// The folder given with --dir, with a final separator; empty without one.
[[nodiscard]] std::string folder_given(const Arguments& arguments);
/// Why nothing can be read in the folder given with --dir: there is none. Nothing without --dir.
[[nodiscard]] std::optional<Error> find_missing_folder(const Arguments& arguments);
/// The number given with --threads, that of the processors without one.
[[nodiscard]] int threads_given(const Arguments& arguments);

/// Prints once a second how far a long computation is.
class ProgressNotes : public BuildMonitor {
public:
    /// What an interrupt does: it ends the program at once, or the work when the material at hand
    /// is finished. The second one always ends the program.
    enum class Interrupt { ends_program, ends_work };

    explicit ProgressNotes(Interrupt interrupt = Interrupt::ends_work);
    ~ProgressNotes() override;
    ProgressNotes(const ProgressNotes&) = delete;
    ProgressNotes& operator=(const ProgressNotes&) = delete;

    void begin(std::uint64_t work) override;
    void skip(std::uint64_t work) override;
    [[nodiscard]] std::atomic<std::uint64_t>& done() override { return done_; }
    void note(const std::string& line) override;
    [[nodiscard]] bool is_stopped() const override;

private:
    struct ProgressThread;
    std::atomic<std::uint64_t> done_ = 0;
    std::atomic<std::uint64_t> skipped_ = 0;  // of what is done
    std::unique_ptr<ProgressThread> thread_;
};

/// How many positions of a material, or of several, are won, lost and drawn.
class WldCounts {
public:
    void add(const SolvedSlice& slice);
    void add(const WldCounts& other);

    /// `times` is 2 where the same positions with colours exchanged count too.
    [[nodiscard]] std::string text(std::uint64_t times) const;

private:
    std::uint64_t counts_[3] = {};  // by Wld
    int longest_ = 0;               // plies of the longest win
    bool has_all_dtw_ = true;       // so that the longest is known
};

}  // namespace defiance
