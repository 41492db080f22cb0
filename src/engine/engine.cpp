#include <defiance/engine/engine.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/memory.hpp>
#include <defiance/base/system.hpp>
#include <defiance/engine/advice.hpp>
#include <defiance/eval/mop_up.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>

#include "session_keeper.hpp"
#include "stored_options.hpp"
#include "wait_of_move.hpp"

namespace defiance {
namespace {

/// True when there is memory for a table of this size, or would be without an idle one, which is
/// then freed, or without one in use, which the next think() frees before it makes its own. Not to
/// be called with a lock held, because freeing takes a while.
bool can_allocate(std::uint32_t mebibytes, SessionKeeper& sessions) {
    const std::uint64_t memory = physical_memory_mebibytes();
    if (memory != 0 && mebibytes > memory) return false;
    const std::uint32_t more = mebibytes - std::min(mebibytes, sessions.lent_mebibytes());
    const auto fits = [&] {
        const ZeroedMemory block(std::uint64_t{more} << 20, ZeroedMemory::Pages::usual);
        return static_cast<bool>(block);
    };
    if (more == 0 || fits()) return true;
    sessions.take_idle().reset();
    return fits();
}

/// Another number at each start of the program.
std::uint64_t seed_from_clock() {
    return static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
}

/// The score of a book as a search would give it.
Score score_from_book(BookScore score) {
    if (score < 0) return -score_from_book(-score);
    if (score > conversion_book_score)
        return std::max(score_win - (proven_book_score - score), min_win);
    if (score > certain_book_score) return max_known_win;
    return std::min(from_centimen(score), evaluation_limit);
}

/// Seconds that count as used by a move. One that is wanted sooner saves nothing: the user pressed
/// a key because it was slow.
double used_seconds(double seconds, const TimeControl& time, EngineObserver& observer) {
    return observer.interrupted() ? std::max(seconds, time.seconds) : seconds;
}

/// Shows a move of the book and plays it.
EngineResult play_book_move(const BookChoice& chosen, EngineObserver& observer,
                            const Stopwatch& stopwatch) {
    EngineResult result;
    result.move = chosen.move.move;
    result.last.is_book_move = true;
    result.last.is_last = true;
    result.last.depth = chosen.move.depth;
    result.last.score = score_from_book(chosen.move.score);
    result.last.line = chosen.line;
    result.last.seconds = stopwatch.seconds();
    observer.show(result.last);
    return result;
}

}  // namespace

Engine::Engine(const GameCore& core, std::string settings_section, double idle_seconds)
    : core_(core),
      settings_(std::move(settings_section)),
      games_(core.rules),
      endgames_(std::make_shared<EndgameKeeper>(core)),
      networks_(
          std::make_shared<NetworkKeeper>(core, stored_path(settings_, evaluation_file_option))),
      book_(std::make_shared<BookKeeper>(core, stored_path(settings_, book_file_option),
                                         seed_from_clock())),
      sessions_(std::make_shared<SessionKeeper>(core, endgames_, networks_, idle_seconds)),
      folders_(core) {
    options_ = stored_options(settings_);
    DEFIANCE_ASSERT(options_.hash_mebibytes >= 1 && options_.hash_mebibytes <= max_hash_mebibytes);
    static_cast<void>(endgames_->set(stored_endgame_options(settings_)));
}

Engine::~Engine() = default;

Options Engine::options() const {
    const std::lock_guard lock(mutex_);
    return options_;
}

std::uint32_t Engine::allocated_hash_mebibytes() const {
    return sessions_->table_mebibytes();
}

Result<std::uint32_t> Engine::set_hash_mebibytes(std::uint32_t mebibytes) {
    const std::uint32_t before = options().hash_mebibytes;
    if (mebibytes != before) {
        const std::string kept = "; it keeps its " + std::to_string(before) + " MB";
        constexpr std::uint32_t max_held = max_hash_mebibytes_for(sizeof(void*));
        if (mebibytes > max_held)
            return Error{"A 32-bit engine has room for a hash table of " +
                         std::to_string(max_held) + " MB at most" + kept};
        // What is no larger than the present table fits in its place, though maybe not beside it.
        const bool is_smaller = mebibytes <= sessions_->table_mebibytes();
        if (mebibytes == 0 || !(is_smaller || can_allocate(mebibytes, *sessions_)))
            return Error{"Out of memory: cannot allocate " + std::to_string(mebibytes) +
                         " MB for the hash table" + kept};
    }
    std::unique_ptr<SearchSession> dropped;  // freed after the lock, which may take a while
    const std::lock_guard lock(mutex_);
    if (mebibytes != options_.hash_mebibytes) dropped = sessions_->take_idle();
    options_.hash_mebibytes = mebibytes;
    // Also the same size: another program with the same engine may have stored another one.
    store_option(settings_, options_, "hashsize");
    return mebibytes;
}

template <class T>
void Engine::set_option(T Options::*member, T value, OptionName name) {
    const std::lock_guard lock(mutex_);
    options_.*member = value;
    store_option(settings_, options_, name);
}

void Engine::set_all_scores(bool on) {
    set_option(&Options::all_scores, on, "allscores");
}

void Engine::set_solve(bool on) {
    set_option(&Options::solve, on, "solve");
}

void Engine::set_claim(ClaimPolicy policy) {
    DEFIANCE_ASSERT(static_cast<int>(policy) <= max_claim_policy);
    set_option(&Options::claim, policy, "claim");
}

void Engine::set_hint_policy(HintPolicy policy) {
    set_option(&Options::hint_policy, policy, "hintpolicy");
}

void Engine::set_book(BookUse use) {
    DEFIANCE_ASSERT(static_cast<int>(use) <= max_book_use);
    set_option(&Options::book, use, "book");
}

void Engine::set_search_threads(int threads) {
    DEFIANCE_ASSERT(threads >= 1 && threads <= max_search_threads);
    set_option(&Options::search_threads, threads, "searchthreads");
}

Result<std::string> Engine::set_book_file(const std::string& path) {
    Result<std::string> taken = book_->set(path);
    if (!taken) return taken;
    const std::lock_guard lock(mutex_);
    settings_.save(book_file_option, path);
    return taken;
}

void Engine::set_analysis(bool on) {
    const std::lock_guard lock(mutex_);
    is_analysis_ = on;
}

bool Engine::is_analysis() const {
    const std::lock_guard lock(mutex_);
    return is_analysis_;
}

Result<std::string> Engine::set_evaluation_file(const std::string& path) {
    Result<std::string> taken = networks_->set(path);
    if (!taken) return taken;
    std::unique_ptr<SearchSession> dropped;  // freed after the lock
    const std::lock_guard lock(mutex_);
    settings_.save(evaluation_file_option, path);
    dropped = sessions_->take_idle();
    return taken;
}

std::vector<Score> Engine::evaluate(std::span<const Position> positions) {
    const std::shared_ptr<const Network> network = networks_->network(brief_wait());
    std::vector<Score> scores;
    for (const Position& position : positions)
        scores.push_back(network->evaluate(position) + mop_up(position));
    return scores;
}

void Engine::change_endgame_options(const std::function<void(EndgameOptions&)>& change,
                                    std::string_view stored, Reopen reopen) {
    std::shared_ptr<const EndgameDatabases> old;  // closed after the lock, which may take a while
    {
        const std::lock_guard lock(mutex_);
        EndgameOptions options = endgames_->options();
        change(options);
        old = endgames_->set(options, reopen);
        if (!stored.empty()) store_endgame_option(settings_, options, stored);
    }
    sessions_->drop_stale();
}

std::vector<std::string> Engine::endgame_report() {
    std::vector<std::string> lines = endgames_->report();
    sessions_->note_opening();
    return lines;
}

void Engine::set_depth_limit(int depth) {
    const std::lock_guard lock(mutex_);
    DEFIANCE_ASSERT(depth >= 0);
    limits_.depth = depth == 0 ? SearchLimits{}.depth : depth;
}

void Engine::set_node_limit(std::uint64_t nodes) {
    const std::lock_guard lock(mutex_);
    limits_.nodes = nodes == 0 ? SearchLimits{}.nodes : nodes;
}

int Engine::depth_limit() const {
    const std::lock_guard lock(mutex_);
    return limits_.depth == SearchLimits{}.depth ? 0 : limits_.depth;
}

std::uint64_t Engine::node_limit() const {
    const std::lock_guard lock(mutex_);
    return limits_.nodes == SearchLimits{}.nodes ? 0 : limits_.nodes;
}

std::optional<Error> Engine::set_search_parameter(std::string_view name, std::string_view value) {
    const std::lock_guard lock(mutex_);
    return defiance::set_search_parameter(limits_.parameters, name, value);
}

void Engine::set_history(std::optional<Game> game) {
    const std::lock_guard lock(mutex_);
    games_.set_history(std::move(game));
}

void Engine::begin_game() {
    const std::lock_guard lock(mutex_);
    games_.begin_game();
}

EngineResult Engine::think(const Position& position, const TimeControl& control,
                           EngineObserver& observer, std::vector<Move> search_moves) {
    const Stopwatch stopwatch;
    SearchLimits limits;
    Options options;
    TimeControl time = control;
    std::unique_lock lock(mutex_);
    options = options_;
    limits = limits_;
    const Game game = games_.begin_move(position);
    DEFIANCE_ASSERT(game.position() == position);
    time.saved = games_.credit(position.side).saved(control.seconds);
    // Not every move of all scores is of an analysis: they may be shown in a game, too.
    const bool is_studied =
        is_analysis_ || control.is_analysis || control.mode == TimeMode::infinite;
    const bool is_analysis = is_studied || options.all_scores;
    lock.unlock();
    // While the book answers there is time to open databases, which later moves may need at once.
    endgames_->prepare();
    HintReader hints(hints_, position, options.hint_policy, is_analysis);
    FileWait wait = wait_of_move(time, observer, stopwatch);

    if (!is_analysis && !hints.has_effect())
        if (const auto chosen = book_->choose(game, options.book, search_moves, wait)) {
            EngineResult result = play_book_move(*chosen, observer, stopwatch);
            const double used = used_seconds(stopwatch.seconds(), time, observer);
            lock.lock();
            finish_move(position, time, used, result);
            games_.note_played(position, *result.move);
            lock.unlock();
            sessions_->note_opening();
            return result;
        }

    limits.solve = options.solve;
    limits.all_scores = options.all_scores;
    limits.search_moves = std::move(search_moves);
    limits.threads = options.search_threads;
    const bool no_choice = !is_studied && (core_.rules.count_moves(position) <= 1 ||
                                           hints.leaves_one_of(limits.search_moves));
    if (control.mode == TimeMode::at_once ||
        (no_choice && (control.mode == TimeMode::average || control.mode == TimeMode::increment)))
        limits.depth = 1;
    SessionLoan session(sessions_, options.hash_mebibytes);
    wait.endgame_patience = std::max(0.0, wait.endgame_patience - stopwatch.seconds());
    GameSearch& search = session.search(wait);
    time.waited = stopwatch.seconds();
    EngineResult result = think_with(search, game, limits, time, observer, stopwatch, &hints);
    if (!result.move) return result;
    DEFIANCE_ASSERT((position.own() & bit(result.move->from)) != 0);

    // Later moves do not make up for what went by before the search, as databases were opened.
    const double used = used_seconds(stopwatch.seconds() - time.waited, time, observer);
    lock.lock();
    const int known_draws = finish_move(position, time, used, result);
    if (!is_studied) games_.note_played(position, *result.move);
    lock.unlock();  // before the session goes back, which may free a table
    result.claim = claim_under(options.claim, result.proven, known_draws);
    return result;
}

/// Notes the move that is played and took `used` seconds; returns what GameTracker::end_move()
/// does. For a caller that holds the lock.
int Engine::finish_move(const Position& position, const TimeControl& time, double used,
                        const EngineResult& result) {
    DEFIANCE_ASSERT(result.move);
    if (time.mode == TimeMode::average) games_.spend_time(position, time.seconds, used);
    return games_.end_move(position, *result.move, result.proven == Claim::draw);
}

Position Engine::expected_position() const {
    const std::lock_guard lock(mutex_);
    return games_.last_game().position();
}

bool Engine::hint_move(const Position& position, HintSource source, const Move& move) {
    if (!is_legal(core_.rules, position, move)) return false;
    hints_.change(position, [&](Hints& hints) {
        (source == HintSource::book ? hints.book_move : hints.endgame_move) = move;
    });
    return true;
}

std::size_t Engine::hint_line(const Position& position, LineHint line) {
    std::size_t legal = 0;
    Position at = position;
    for (; legal < line.moves.size() && legal < static_cast<std::size_t>(max_ply); ++legal) {
        if (!is_legal(core_.rules, at, line.moves[legal])) break;
        at = core_.rules.after(at, line.moves[legal]);
    }
    line.moves.resize(legal);
    if (legal > 0) hints_.change(position, [&](Hints& hints) { hints.line = line; });
    return legal;
}

bool Engine::restrict_moves(const Position& position, const std::vector<Move>& search_moves) {
    for (const Move& move : search_moves)
        if (!is_legal(core_.rules, position, move)) return false;
    hints_.change(position, [&](Hints& hints) {
        hints.search_moves.clear();
        for (const Move& move : search_moves)
            if (std::find(hints.search_moves.begin(), hints.search_moves.end(), move) ==
                hints.search_moves.end())
                hints.search_moves.push_back(move);
    });
    return true;
}

std::string Engine::advice() const {
    std::unique_lock lock(mutex_);
    const Game game = games_.present_game();
    lock.unlock();
    // The built-in databases alone: others may be on a disk, for which the GUI's thread would wait.
    const EndgameOptions options = endgame_options();
    EndgameSettings settings;
    settings.max_pieces = options.max_pieces;
    const auto endgames = options.is_on ? core_.open_endgames(settings) : nullptr;
    return advice_for(core_, game, endgames.get());
}

}  // namespace defiance
