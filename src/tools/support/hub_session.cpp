#include <tools/support/hub_session.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/games.hpp>
#include <tools/support/hub_hints.hpp>
#include <tools/support/hub_notation.hpp>

namespace defiance {
namespace {

constexpr double usual_hub_seconds = 1;

/// The value of a score in men, as `info` tells it.
std::string score_in_men(Score score) {
    constexpr int won = 10000;
    constexpr int most_unproven = 8999;
    if (is_proven_win(score)) return fixed((won - plies_to_end(score)) / 100.0, 2);
    if (is_proven_loss(score)) return fixed((plies_to_end(score) - won) / 100.0, 2);
    return fixed(std::clamp(in_centimen(score), -most_unproven, most_unproven) / 100.0, 2);
}

std::string line_text(const GameRules& rules, const std::vector<Move>& moves) {
    std::string text;
    for (const Move& move : moves)
        text += (text.empty() ? "" : " ") + to_hub_move(rules, move);
    return text;
}

HubLine info_line(const GameRules& rules, const SearchInfo& info) {
    DEFIANCE_ASSERT(info.seconds >= 0);
    HubLine line = hub_line("info");
    line.add("depth", std::to_string(info.depth));
    if (info.has_score) line.add("score", score_in_men(info.score));
    line.add("nodes", std::to_string(info.nodes)).add("time", fixed(info.seconds, 3));
    if (info.seconds > 0)
        line.add("nps", fixed(static_cast<double>(info.nodes) / info.seconds / 1e6, 3));
    if (!info.line.empty()) line.add("pv", line_text(rules, info.line));
    return line;
}

}  // namespace

/// Tells what the search finds and ends it when that is wanted. A search that ponders goes on after
/// the ponder-hit, and from then on its level limits it.
class HubSession::Observer : public EngineObserver {
public:
    Observer(HubSession& session, const Position& position, const HubLevel& level,
             bool is_pondering)
        : session_(session),
          level_(level),
          is_pondering_(is_pondering),
          time_(*level.time, count(position.occupied())) {}

    bool interrupted() override {
        return session_.is_stopped_ || session_.is_unread_ || (is_pondering_ && is_up_after_hit());
    }
    void show(const SearchInfo& info) override {
        depth_ = info.depth;
        nodes_ = info.nodes;
        is_over_ = info.is_last;
        static_cast<void>(session_.send(info_line(session_.rules(), info)));
    }

private:
    bool is_up_after_hit() {
        if (!session_.is_ponder_hit_) return false;
        if (!since_hit_) since_hit_.emplace();
        // One that has ended by itself has waited for the hit alone.
        if (is_over_ && level_.time->mode != TimeMode::infinite) return true;
        return time_.is_up(since_hit_->seconds()) ||
               (level_.depth != 0 && depth_ >= level_.depth) ||
               (level_.nodes != 0 && nodes_ >= level_.nodes);
    }

    HubSession& session_;
    const HubLevel& level_;
    bool is_pondering_;
    TimeManager time_;
    std::optional<Stopwatch> since_hit_;
    int depth_ = 0;
    std::uint64_t nodes_ = 0;
    bool is_over_ = false;  // the search; hints may begin another one
};

HubSession::HubSession(const Parameters& parameters, Sender send)
    : parameters_(parameters),
      send_(std::move(send)),
      wanted_hash_mebibytes_(parameters.hash_mebibytes) {
    DEFIANCE_ASSERT(parameters_.variant != nullptr && send_ != nullptr);
    make_engine();
    game_.emplace(rules(), rules().start_position());
}

HubSession::~HubSession() {
    is_stopped_ = true;
    end_search();
}

void HubSession::make_engine() {
    engine_ = std::make_unique<Engine>(*parameters_.variant, "");
    // What there was no memory for in the game before may fit into this one.
    const auto taken = engine_->set_hash_mebibytes(wanted_hash_mebibytes_);
    hash_problem_ = taken ? std::string() : taken.error();
    parameters_.hash_mebibytes = engine_->options().hash_mebibytes;
    use_endgames();
    engine_->set_search_threads(parameters_.search_threads);
    engine_->set_book(parameters_.book);
    engine_->set_hint_policy(parameters_.hint_policy);
}

void HubSession::use_endgames() {
    engine_->change_endgame_options([this](EndgameOptions& options) {
        options.is_on = parameters_.uses_endgames;
        options.folder = parameters_.endgame_folder;
    });
}

bool HubSession::send(const HubLine& line) {
    if (!is_unread_ && !send_(line.text())) is_unread_ = true;
    return !is_unread_;
}

/// Tells, once, that the table is smaller than was wanted.
bool HubSession::tell_hash_problem() {
    const std::string problem = std::exchange(hash_problem_, {});
    return problem.empty() || complain("'hash': " + problem);
}

bool HubSession::complain(std::string_view problem) {
    return send(hub_line("error").add("message", problem));
}

bool HubSession::take(std::string_view text) {
    if (is_unread_) return false;
    if (trimmed(text).empty()) return true;
    const Result<HubLine> line = parse_hub_line(text);
    if (!line) return refuse(text, line.error());
    const std::string& command = line->command;
    if (command == "quit") return false;
    if (command == "ping") return send(hub_line("pong"));
    if (command == "stop" || command == "ponder-hit") {
        if (is_searching_) (command == "stop" ? is_stopped_ : is_ponder_hit_) = true;
        return true;
    }
    if (command == "hint") return hint(*line);
    return carry_out(*line);
}

/// A line that cannot be read. The time that a level would have told may be short.
bool HubSession::refuse(std::string_view line, std::string_view problem) {
    if (take_word(line) == "level" && !is_busy()) make_short(level_);
    return complain(problem);
}

bool HubSession::carry_out(const HubLine& line) {
    struct Known {
        std::string_view command;
        bool (*answer)(HubSession&, const HubLine&);
    };
    constexpr std::array known = {
        Known{"hub", [](HubSession& s, const HubLine&) { return s.introduce(); }},
        Known{"init", [](HubSession& s, const HubLine&) { return s.initialise(); }},
        Known{"set-param", [](HubSession& s, const HubLine& l) { return s.set_parameter(l); }},
        Known{"new-game",
              [](HubSession& s, const HubLine&) {
                  s.make_engine();
                  return s.tell_hash_problem();
              }},
        Known{"pos", [](HubSession& s, const HubLine& l) { return s.set_up(l); }},
        Known{"level", [](HubSession& s, const HubLine& l) { return s.set_level(l); }},
        Known{"go", [](HubSession& s, const HubLine& l) { return s.go(l); }},
    };
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Known& k) { return k.command == line.command; });
    if (found == known.end()) return true;
    if (is_busy()) return complain("'" + line.command + "' during a search; send stop before it");
    end_search();
    return found->answer(*this, line);
}

/// Makes the table and opens the databases, so that the first search need not. Tells when the table
/// is smaller than was wanted.
bool HubSession::initialise() {
    EngineObserver nobody;
    TimeControl no_time{.mode = TimeMode::at_once};
    no_time.is_analysis = true;  // else a move of the book would need neither
    static_cast<void>(engine_->think(rules().start_position(), no_time, nobody));
    // Memory that was there when the size was set may have been taken since.
    const std::uint32_t used = engine_->allocated_hash_mebibytes();
    if (hash_problem_.empty() && used != 0 && used < parameters_.hash_mebibytes)
        hash_problem_ = "there is memory for " + std::to_string(used) + " MB only";
    return tell_hash_problem() && send(hub_line("ready"));
}

bool HubSession::set_up(const HubLine& line) {
    game_.reset();
    const Result<Game> game = read_game(line);
    if (!game) return complain(game.error());
    game_ = *game;
    return true;
}

Result<Game> HubSession::read_game(const HubLine& line) const {
    Position start = rules().start_position();
    if (line.has("pos")) {
        const auto position = parse_hub_position(rules(), line.value("pos").value_or(""));
        if (!position) return Error{position.error()};
        start = *position;
    }
    Game game(rules(), start);
    std::string_view moves = line.value("moves").value_or("");
    while (!trimmed(moves).empty()) {
        const Result<Move> move = parse_hub_move(rules(), game.position(), take_word(moves));
        if (!move) return Error{move.error()};
        game.play(*move);
    }
    return game;
}

bool HubSession::set_level(const HubLine& line) {
    return read_hub_level(line, level_) ||
           complain("level: a value is not a number, or out of range");
}

/// Also during a search. The game is not changed by one, and the engine takes hints at any time.
bool HubSession::hint(const HubLine& line) {
    if (!game_) return complain("there is no position to hint about");
    const auto problem = give_line_hint(*engine_, rules(), game_->position(), line);
    return !problem || complain(problem->text);
}

bool HubSession::go(const HubLine& line) {
    const HubLevel level = std::exchange(level_, HubLevel{});
    if (!game_) return complain("there is no position to search") && send(hub_line("done"));
    if (rules().count_moves(game_->position()) == 0)
        return complain("the side to move has no move") && send(hub_line("done"));
    HubLevel complete = level;
    if (!complete.time) {
        const bool is_limited = level.depth != 0 || level.nodes != 0;
        complete.time = is_limited
                            ? TimeControl{.mode = TimeMode::unlimited}
                            : TimeControl{.mode = TimeMode::deadline, .seconds = usual_hub_seconds};
    }
    // A single move needs no thought, unless the thoughts are what is wanted.
    complete.time->is_analysis = line.has("analyze");
    if (!line.has("analyze") && rules().count_moves(game_->position()) == 1)
        complete.time = TimeControl{.mode = TimeMode::at_once};
    const auto problem = give_move_hints(*engine_, rules(), game_->position(), line);
    if (problem && !complain(problem->text)) return false;
    is_stopped_ = false;
    is_ponder_hit_ = false;
    is_searching_ = true;
    DEFIANCE_ASSERT(!thread_.joinable());
    const bool is_pondering = line.has("ponder");
    // A forced move needs no advice, which could cost more time than there is.
    const bool asks_adviser =
        complete.time->mode != TimeMode::at_once && may_ask_adviser(line, level);
    try {
        thread_ = std::thread([this, game = *game_, complete, is_pondering, asks_adviser] {
            try {
                search(game, complete, is_pondering, asks_adviser);
            } catch (const std::bad_alloc&) {
                answer_without_search(game.position(), "there is not enough memory");
            } catch (const std::exception& failure) {
                answer_without_search(game.position(), failure.what());
            }
        });
    } catch (const std::system_error&) {
        is_searching_ = false;
        engine_->clear_hints();  // as a search would have used them up
        return complain("no thread can be had for the search") && send(hub_line("done"));
    }
    return true;
}

/// False where the adviser's move is not wanted, or a move that is hinted with this `go` counts
/// more, as it does than one of the book.
bool HubSession::may_ask_adviser(const HubLine& go, const HubLevel& level) const {
    const bool is_infinite = level.time && level.time->mode == TimeMode::infinite;
    if (parameters_.adviser == nullptr || is_infinite) return false;
    if (go.has("analyze") || go.has("ponder") || go.has("searchmoves")) return false;
    if (parameters_.hint_policy == HintPolicy::ignore) return true;
    const auto pending = engine_->pending_hints();
    return !(pending && (pending->hints.book_move || pending->hints.endgame_move));
}

/// Runs on the thread of the search.
void HubSession::search(const Game& game, const HubLevel& level, bool is_pondering,
                        bool asks_adviser) {
    DEFIANCE_ASSERT(is_searching_ && level.time);
    const Position& position = game.position();
    TimeControl left = *level.time;
    if (asks_adviser && take_advice(game, left)) return;
    Observer observer(*this, position, level, is_pondering);
    engine_->set_depth_limit(is_pondering ? 0 : level.depth);
    engine_->set_node_limit(is_pondering ? 0 : level.nodes);
    engine_->set_history(game);
    const TimeControl time = is_pondering ? TimeControl{.mode = TimeMode::infinite} : left;
    report(engine_->think(position, time, observer), position);
}

/// Instead of a search that has failed: any legal move is better than none. What leaves the thread
/// would end the program.
void HubSession::answer_without_search(const Position& position, const char* problem) noexcept {
    try {
        engine_->clear_hints();  // as a search would have used them up
        MoveList moves;
        rules().generate_moves(position, moves);
        DEFIANCE_ASSERT(!moves.empty());
        const HubLine line = hub_line("done").add("move", to_hub_move(rules(), moves[0]));
        static_cast<void>(complain("the search has failed: " + std::string(problem)));
        is_searching_ = false;
        static_cast<void>(send(line));
    } catch (const std::exception&) {
        // A session that cannot even answer is over.
        is_unread_ = true;
        is_searching_ = false;
    }
}

/// Plays what the adviser knows, unless the game has been there before. Else it has cost time,
/// which is subtracted: no more than a quarter of what there is.
bool HubSession::take_advice(const Game& game, TimeControl& time) {
    const bool is_clock = time.mode == TimeMode::increment;
    const bool is_limited =
        is_clock || time.mode == TimeMode::deadline || time.mode == TimeMode::average;
    double& available = is_clock ? time.remaining : time.seconds;
    const Stopwatch stopwatch;
    const auto move =
        parameters_.adviser(rules(), game.position(),
                            is_limited ? available / 4 : std::numeric_limits<double>::infinity());
    if (is_limited) available = std::max(0.0, available - stopwatch.seconds());
    if (!move || game.would_repeat(*move)) return false;
    const HubLine line = hub_line("done").add("move", to_hub_move(rules(), *move));
    engine_->clear_hints();  // as a search would have used them up
    is_searching_ = false;
    static_cast<void>(send(line));
    return true;
}

void HubSession::report(const EngineResult& result, const Position& position) {
    DEFIANCE_ASSERT(result.move);
    HubLine line = hub_line("done").add("move", to_hub_move(rules(), *result.move));
    const std::vector<Move>& best = result.last.line;
    if (best.size() >= 2 && best[0] == *result.move &&
        is_legal(rules(), rules().after(position, best[0]), best[1]))
        line.add("ponder", to_hub_move(rules(), best[1]));
    // Who reads the answer may send the next command at once.
    is_searching_ = false;
    static_cast<void>(send(line));
}

void HubSession::end_search() {
    if (thread_.joinable()) thread_.join();
}

}  // namespace defiance
