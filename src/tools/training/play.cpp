#include <charconv>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/base/version.hpp>
#include <tools/support/games.hpp>
#include <tools/support/job_plan.hpp>
#include <tools/training/game_player.hpp>
#include <tools/training/open_databases.hpp>
#include <tools/training/selfplay_run.hpp>
#include <tools/training/tasks.hpp>

namespace defiance {
namespace {

/// Prints how far a run is every few seconds, and stops it at Ctrl-C.
class Watcher {
public:
    Watcher(std::uint64_t games, SelfplayProgress& progress)
        : games_(games), progress_(progress), thread_([this] { run(); }) {}
    ~Watcher() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

private:
    // In tenths of a second.
    static constexpr int first_note = 20;
    static constexpr int between_notes = 100;

    void run() {
        std::unique_lock lock(mutex_);
        const auto look = std::chrono::milliseconds(100);
        for (int i = 1; !wake_.wait_for(lock, look, [this] { return is_over_; }); ++i) {
            if (is_interrupted()) progress_.must_stop = true;
            // The time to read what an earlier call has played is none that games take.
            if (!progress_.is_playing) stopwatch_ = Stopwatch();
            if (i != first_note && i % between_notes != 0) continue;
            try {
                print();
            } catch (const std::exception&) {
                // There is no memory for the line. The games may get on with what there is.
            }
        }
    }

    void print() {
        const std::uint64_t played = progress_.games_played;
        const std::uint64_t done = progress_.games_found + played;
        const double seconds = stopwatch_.seconds();
        if (played == 0 || done >= games_) return;
        const auto speed = static_cast<double>(progress_.records_played) / seconds;
        const double left = static_cast<double>(games_ - done);
        print_note("games " + std::to_string(done) + " of " + std::to_string(games_) +
                   ", positions " + std::to_string(progress_.records()) + ", " + fixed(speed, 0) +
                   " a second, " + fixed(left * seconds / static_cast<double>(played), 0) +
                   " s left");
    }

    const std::uint64_t games_;
    SelfplayProgress& progress_;
    Stopwatch stopwatch_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool is_over_ = false;
    std::thread thread_;  // last, because it uses the members above
};

}  // namespace

ExitCode play_selfplay(const Arguments& arguments) {
    for (const std::string_view name : {"games", "nodes", "seed", "out"})
        if (!arguments.has(name))
            return fail("selfplay: --" + std::string(name) +
                        " is missing; see 'defiance help selfplay'");
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return fail(core.error());
    SelfplaySettings settings;
    settings.game = (*core)->rules.file_word;
    settings.engine = version;
    EndgameSettings databases;
    if (const auto folder = arguments.text("egdb")) {
        const auto opened = open_databases(**core, *folder);
        if (!opened) return fail("selfplay: --egdb: " + opened.error());
        databases = databases_of(*folder);
    }
    settings.fingerprint = play_fingerprint(**core, databases.folder);
    settings.games = static_cast<std::uint64_t>(*arguments.integer("games"));
    settings.nodes = static_cast<std::uint64_t>(*arguments.integer("nodes"));
    settings.seed = static_cast<std::uint64_t>(*arguments.integer("seed"));
    const Result<Shard> shard = shard_given(arguments, max_merged_shards);
    if (!shard) return fail("selfplay: " + shard.error());
    settings.shard = shard->number;
    settings.shards = shard->of;
    const int threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    catch_interrupts();
    SelfplayProgress progress;
    const Stopwatch stopwatch;
    const Result<bool> done = [&] {
        const Watcher watcher(settings.games_before(settings.blocks()), progress);
        // No default folders: the games depend on nothing that happens to lie beside the program.
        return run_selfplay(settings, std::string(*arguments.text("out")), threads, databases,
                            progress);
    }();
    if (!done) return fail("selfplay: " + done.error());
    if (!*done) {
        print_note("stopped; the same command goes on from here");
        return exit_no;
    }
    DEFIANCE_ASSERT(progress.games() == settings.games_before(settings.blocks()));
    print_note(fixed(stopwatch.seconds(), 1) + " s");
    print_line("games " + std::to_string(progress.games()) + " positions " +
               std::to_string(progress.records()));
    return exit_done;
}

}  // namespace defiance
