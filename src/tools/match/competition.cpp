#include <tools/match/competition.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/system.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/match/game_files.hpp>
#include <tools/match/player_pool.hpp>
#include <tools/match/progress_printer.hpp>
#include <tools/match/scoreboard.hpp>
#include <tools/support/interrupt_watch.hpp>

namespace defiance {
namespace {

/// A hash of the start and the moves of a game, not 0: FNV-1a of 64 bits, without the highest one.
std::uint64_t hash_of_moves(const CbGame& game) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    const auto add = [&](std::string_view text) {
        for (const char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    };
    add(to_fen(game.rules(), game.start()));
    for (const std::string& move : game.texts())
        add(' ' + move);
    return std::max<std::uint64_t>(1, hash & INT64_MAX);
}

class Competition {
public:
    explicit Competition(const CompetitionSettings& settings)
        : settings_(settings),
          schedule_(make_schedule(settings.schedule)),
          log_(settings.players.size()) {}

    ExitCode run() {
        DEFIANCE_ASSERT(settings_.rules != nullptr && !settings_.openings.empty());
        DEFIANCE_ASSERT(settings_.players.size() >= 2 && settings_.concurrency >= 1);
        catch_interrupts();
        allow_open_files(descriptors());
        if (const auto problem = open_files()) return fail(problem->text);
        std::optional<InterruptWatch> watch;
        try {
            watch.emplace([this] { end_with(std::nullopt); });
        } catch (const std::system_error&) {
            return fail(no_threads);
        }
        return play_all();
    }

private:
    static constexpr const char* no_threads = "there are too many threads to play a game";

    ExitCode play_all() {
        workers_.reserve(static_cast<std::size_t>(settings_.concurrency));
        for (int i = 0; i < settings_.concurrency; ++i)
            workers_.emplace_back(settings_, log_, is_over_, former_options_);
        // Players that cannot be started fail here, before the first game.
        std::optional<Error> problem = learn_names(workers_.front());
        // By the names a game of this competition is told from those of others.
        if (!problem) problem = files_.cut_unfinished_game(settings_, board_->names());
        if (problem) {
            end_with(std::move(problem));
            return conclude();
        }
        while (play_round()) {
        }
        // Of a competition that could not begin there is nothing to tell but why.
        if (!problem_ || board_->games() != 0)
            board_->report(is_complete_ && !problem_ ? std::optional(schedule_->places())
                                                     : std::nullopt);
        return conclude();
    }

    /// How many files can be open at a time: every worker keeps its players, and each of them is a
    /// program with a pipe for each of its standard streams.
    [[nodiscard]] int descriptors() const {
        constexpr int own_files = 64;
        constexpr int pipes = 3;
        return own_files +
               pipes * settings_.concurrency * static_cast<int>(settings_.players.size());
    }

    std::optional<Error> open_files() {
        if (const auto problem = find_shared_file(settings_)) return problem;
        if (!settings_.log_file.empty())
            if (const auto problem = log_.open(settings_.log_file))
                return Error{"--engine-log: " + problem->text};
        Result<GameFiles> files = GameFiles::open(settings_);
        if (!files) return Error{files.error()};
        files_ = *std::move(files);
        if (files_.is_resumed())
            print_note("going on after " + std::to_string(files_.games().size()) + " games");
        return std::nullopt;
    }

    std::optional<Error> learn_names(PlayerPool& players) {
        Result<std::vector<std::string>> names = players.learn_names();
        if (!names) return Error{names.error()};
        log_.set_names(*names);
        board_.emplace(settings_, *std::move(names));
        return std::nullopt;
    }

    /// Plays a round of the schedule to its end; false when there is none left, or an end came
    /// early.
    bool play_round() {
        const std::vector<Pairing> pairings = schedule_->next_round(board_->results());
        is_complete_ = pairings.empty();
        if (is_complete_ || is_over_) return false;
        for (const Pairing& pairing : pairings)
            add_games(pairing);
        if (is_over_) return false;
        std::vector<std::thread> threads = start_workers();
        {
            std::unique_lock lock(mutex_);
            has_news_.wait(lock, [&] { return left_in_round_ == 0 || is_over_; });
        }
        for (std::thread& thread : threads)
            thread.join();
        return left_in_round_ == 0;
    }

    /// A thread for each worker, or fewer if the system has no more. Without one all is over.
    std::vector<std::thread> start_workers() {
        std::vector<std::thread> threads;
        threads.reserve(workers_.size());
        try {
            for (PlayerPool& players : workers_)
                threads.emplace_back([this, &players] { work(players); });
        } catch (const std::exception&) {
            if (threads.empty()) end_with(Error{no_threads});
        }
        return threads;
    }

    void add_games(const Pairing& pairing) {
        const std::size_t index = board_->results().size();
        DEFIANCE_ASSERT(pairing.games != 0);
        board_->add_pairing(pairing);
        for (std::size_t leg = 0; leg < pairing.games; ++leg) {
            const std::size_t pair = pairing.opening_pair + leg / 2;
            const bool are_colours_exchanged = leg % 2 != 0;
            const ScheduledGame game = {++scheduled_,
                                        index,
                                        leg,
                                        are_colours_exchanged ? pairing.second : pairing.first,
                                        are_colours_exchanged ? pairing.first : pairing.second,
                                        pair % settings_.openings.size()};
            const auto played = files_.games().find(game.number);
            if (played == files_.games().end()) {
                waiting_.push_back(game);
                ++left_in_round_;
            } else {
                board_->add(game, played->second.record);
            }
        }
        if (board_->verdict() != TestVerdict::open) is_over_ = true;
    }

    /// Plays games while there are any. What a thread throws would end the program.
    void work(PlayerPool& players) {
        try {
            while (const std::optional<ScheduledGame> game = take_game())
                play(players, *game);
        } catch (const std::exception& problem) {
            end_with(
                Error{"a game could not be played to its end: " + std::string(problem.what())});
        }
    }

    /// Ends the competition for this reason, or by the wish of the user if there is none; false
    /// when it is over already.
    bool end_with(std::optional<Error> problem) {
        const std::lock_guard lock(mutex_);
        if (is_over_) return false;
        if (problem) problem_ = std::move(problem);
        is_over_ = true;
        has_news_.notify_all();
        return true;
    }

    std::optional<ScheduledGame> take_game() {
        const std::lock_guard lock(mutex_);
        if (is_over_ || is_interrupted() || waiting_.empty()) return std::nullopt;
        const ScheduledGame game = waiting_.front();
        waiting_.pop_front();
        return game;
    }

    void play(PlayerPool& players, const ScheduledGame& scheduled) {
        DEFIANCE_ASSERT(scheduled.opening < settings_.openings.size());
        DEFIANCE_ASSERT(scheduled.first != scheduled.second);
        const Opening& opening = settings_.openings[scheduled.opening];
        CbGame game(*settings_.rules, opening.position);
        GameRecord record;
        const std::optional<Error> first = players.ready(scheduled.first, game, scheduled.number);
        const std::optional<Error> second =
            first ? std::nullopt : players.ready(scheduled.second, game, scheduled.number);
        if (first || second) {
            if (!settings_.recovers) return give_up(first ? *first : *second);
            record.first_halves = first ? 0 : 2;
            record.ending = Ending::gone;
            record.detail = first ? first->text : second->text;
        } else {
            record = referee_game(game, players.contestant(scheduled.first),
                                  players.contestant(scheduled.second), settings_.time,
                                  settings_.adjudication);
            record.moves_hash = hash_of_moves(game);
        }
        for (const std::size_t player : {scheduled.first, scheduled.second})
            players.end_game(player);
        if (record.ending != Ending::aborted) finish(scheduled, game, record, opening);
    }

    /// Ends the competition because a player cannot be started. Once it is over that does not
    /// count: waiting for players that start has ended early.
    void give_up(const Error& problem) {
        // No game is added after the end.
        if (end_with(problem) && board_->games() != 0) ProgressPrinter::print_abort();
    }

    void finish(const ScheduledGame& scheduled, const CbGame& game, const GameRecord& record,
                const Opening& opening) {
        const std::lock_guard lock(mutex_);
        // Games that end after the decision do not count, or a resumed match would differ. Ctrl-C
        // ends players too, and may do so before the watch has seen it.
        if (is_over_ || is_interrupted()) return;
        const std::string event = event_of(settings_, scheduled.number, opening);
        const std::string round = std::to_string(scheduled.number);
        const std::string ending = std::string(code_of(record.ending)) + ' ' +
                                   std::string(describe(record.ending)) +
                                   (record.detail.empty() ? "" : ": " + record.detail);
        const bool black_is_first = settings_.rules->first_side == Side::black;
        const PdnHeading heading = {
            event, round, board_->name(black_is_first ? scheduled.first : scheduled.second),
            board_->name(black_is_first ? scheduled.second : scheduled.first), result_of(record)};
        const std::string pdn = game.to_pdn(heading, {record.comments, ending});
        if (!files_.add(scheduled.number, record, pdn)) {
            problem_ = Error{"the game cannot be written to the file of --pdn or --resume"};
            is_over_ = true;
        }
        board_->add(scheduled, record);
        const bool is_told =
            ProgressPrinter::print_result(*board_, scheduled, record, files_.place());
        // Games that are neither told nor kept are of no use; the end of the program says why.
        if (!is_told && settings_.pdn_file.empty() && settings_.state_file.empty()) is_over_ = true;
        DEFIANCE_ASSERT(left_in_round_ != 0);
        --left_in_round_;
        progress_.show(*board_, scheduled_, left_in_round_);
        if (board_->verdict() != TestVerdict::open) is_over_ = true;
        has_news_.notify_all();
    }

    ExitCode conclude() {
        if (problem_) return fail(problem_->text);
        if (!is_interrupted()) return exit_done;
        if (settings_.state_file.empty())
            print_note("interrupted; with --resume FILE a match can be gone on with");
        else
            print_note("interrupted; the same command goes on with it");
        return exit_no;
    }

    const CompetitionSettings& settings_;
    std::unique_ptr<Schedule> schedule_;
    GameFiles files_;
    EngineLog log_;
    std::atomic<bool> is_over_ = false;
    FormerOptions former_options_;
    std::vector<PlayerPool> workers_;  // after what the players use
    std::mutex mutex_;                 // guards what follows while there are workers
    std::condition_variable has_news_;
    std::deque<ScheduledGame> waiting_;
    std::size_t left_in_round_ = 0;
    bool is_complete_ = false;  // the schedule has no round left
    std::size_t scheduled_ = 0;
    std::optional<Scoreboard> board_;
    std::optional<Error> problem_;
    ProgressPrinter progress_;
};

}  // namespace

std::string event_of(const CompetitionSettings& settings, std::size_t number,
                     const Opening& opening) {
    if (!settings.event.empty()) return settings.event;
    return "game " + std::to_string(number) + ", " + opening.name;
}

ExitCode run_competition(const CompetitionSettings& settings) {
    return Competition(settings).run();
}

}  // namespace defiance
