#include <tools/book/book_practice.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <tools/book/practice_journal.hpp>

namespace defiance {
namespace {

/// Where a line begins, who learns from it, and how the last lines ended.
struct PracticeTask {
    Position root;
    Side learner;
    std::vector<int> values;

    /// Lines that end alike, say in draws, teach little.
    [[nodiscard]] bool is_settled() const {
        constexpr std::size_t enough = 4;
        constexpr int close = 12;  // hundredths of a man
        if (values.size() < enough) return false;
        const auto [low, high] = std::minmax_element(values.end() - enough, values.end());
        return *high - *low <= close;
    }
};

std::vector<PracticeTask> all_tasks(const std::vector<ExpansionRoot>& roots) {
    std::vector<PracticeTask> tasks;
    for (std::size_t i = 0; i < roots.size(); ++i)
        for (std::size_t n = 0; n < (i == 0 ? lines_of_first_root : 1); ++n)
            for (const Side learner : {Side::black, Side::white})
                tasks.push_back({roots[i].position, learner, {}});
    return tasks;
}

/// The numbers of the tasks that have a line in the round. In the first rounds that is each; then
/// settled ones only now and then, and the others more often for it.
std::vector<std::size_t> tasks_of_round(const std::vector<PracticeTask>& tasks, std::size_t round) {
    constexpr std::size_t rest = 4;
    std::vector<std::size_t> chosen;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const bool is_resting = round >= rest && tasks[i].is_settled() && (round + i) % rest != 0;
        if (is_resting) continue;
        chosen.push_back(i);
        if (!tasks[i].is_settled()) open.push_back(i);
    }
    if (open.empty())
        for (std::size_t i = 0; i < tasks.size(); ++i)
            open.push_back(i);
    for (std::size_t n = 0; chosen.size() < tasks.size(); ++n)
        chosen.push_back(open[(round + n) % open.size()]);
    return chosen;
}

/// Rounds of lines, played by several threads.
class PracticeRun {
public:
    PracticeRun(BookExperience& experience, std::vector<PracticeTask> tasks,
                PracticeJournal& journal, std::vector<std::unique_ptr<PracticePlayer>> players,
                const GameRules& rules, const std::function<bool()>& must_stop,
                const PracticeMonitor& monitor)
        : experience_(experience),
          tasks_(std::move(tasks)),
          journal_(journal),
          players_(std::move(players)),
          rules_(rules),
          must_stop_(must_stop),
          monitor_(monitor) {}

    /// Plays the round and learns from it: the mean value of its lines. Nothing: it was stopped.
    /// Error: the journal cannot be written.
    Result<std::optional<double>> play(std::size_t round);

private:
    /// The line with this number, unless it was played before.
    void play_line(const PracticeTask& task, std::size_t number, PracticePlayer& player);

    BookExperience& experience_;
    std::vector<PracticeTask> tasks_;
    PracticeJournal& journal_;
    const std::vector<std::unique_ptr<PracticePlayer>> players_;
    const GameRules& rules_;
    const std::function<bool()>& must_stop_;
    const PracticeMonitor& monitor_;

    std::mutex mutex_;
    std::optional<Error> failure_;  // guarded by the mutex, like the journal and the two below
    std::size_t done_ = 0;
    bool is_stopped_ = false;
};

void PracticeRun::play_line(const PracticeTask& task, std::size_t number, PracticePlayer& player) {
    {
        const std::lock_guard lock(mutex_);
        if (is_stopped_ || failure_) return;
        if (journal_.line(number)) {
            ++done_;
            return;
        }
    }
    auto line =
        player.play(experience_, task.root, task.learner, Random(number).next(), must_stop_);
    const std::lock_guard lock(mutex_);
    if (!line) {
        is_stopped_ = true;
        return;
    }
    failure_ = journal_.add(rules_, number, *std::move(line));
    if (!monitor_(++done_)) is_stopped_ = true;
}

Result<std::optional<double>> PracticeRun::play(std::size_t round) {
    const std::vector<std::size_t> chosen = tasks_of_round(tasks_, round);
    const std::size_t first = round * tasks_.size();
    parallel_for(
        chosen.size(), 1, static_cast<int>(players_.size()), [&](auto index, auto, int thread) {
            const auto i = static_cast<std::size_t>(index);
            play_line(tasks_[chosen[i]], first + i, *players_[static_cast<std::size_t>(thread)]);
        });
    if (failure_) return *failure_;
    if (is_stopped_) return std::optional<double>();
    double sum = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const PracticeLine& line = *journal_.line(first + i);
        experience_.add(line);
        tasks_[chosen[i]].values.push_back(line.value);
        sum += line.value;
    }
    return std::optional(sum / static_cast<double>(chosen.size()));
}

}  // namespace

std::size_t practice_lines_of_round(std::size_t roots) {
    DEFIANCE_ASSERT(roots > 0);
    return 2 * (lines_of_first_root + roots - 1);
}

Result<bool> practise_book(BookExperience& experience, const GameCore& core,
                           const EndgameDatabases& endgames,
                           const std::vector<ExpansionRoot>& roots,
                           const BookPracticeSettings& settings,
                           const std::function<bool()>& must_stop, const PracticeMonitor& monitor,
                           std::vector<double>& round_values) {
    std::vector<PracticeTask> tasks = all_tasks(roots);
    DEFIANCE_ASSERT(tasks.size() == practice_lines_of_round(roots.size()));
    auto opened = PracticeJournal::open(core.rules, settings.journal, settings.order,
                                        settings.rounds * tasks.size());
    if (!opened) return Error{opened.error()};
    PracticeJournal journal = *std::move(opened);
    std::vector<std::unique_ptr<PracticePlayer>> players;
    for (int i = 0; i < settings.threads; ++i) {
        auto player = PracticePlayer::make(core, endgames, settings.line);
        if (!player) return Error{player.error()};
        players.push_back(*std::move(player));
    }
    PracticeRun run(experience, std::move(tasks), journal, std::move(players), core.rules,
                    must_stop, monitor);
    for (std::size_t round = 0; round < settings.rounds; ++round) {
        const auto value = run.play(round);
        if (!value) return Error{value.error()};
        if (!*value) return false;
        round_values.push_back(**value);
    }
    return true;
}

}  // namespace defiance
