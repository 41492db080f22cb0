// engine_agreement ENGINE [GAMES [SEED]]: plays random games of the engine's own game and asks the
// engine in every position what is legal in all the ways there are: get movelist, islegal, the
// board and the description that getmove returns, set gamehist. All must agree with the generator.
// Exit status 1 at the first answer that does not.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <defiance/base/text.hpp>
#include <tools/support/cb_game.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/games.hpp>
#include <tools/support/report.hpp>
#include <tools/support/reported_move.hpp>

#include <defiance/base/random.hpp>
#include "engine_copy.hpp"

namespace {

using namespace defiance;
using namespace defiance::fuzz;

constexpr int max_plies = 200;
constexpr std::size_t max_reported = 28;

Position random_start(const GameRules& rules, Random& random) {
    Position p = rules.start_position();
    if (random.below(2) == 0) return p;
    p.side = random.below(2) == 0 ? Side::black : Side::white;
    p.black = p.white = 0;
    for (const Side side : {Side::black, Side::white}) {
        const std::uint32_t king_percent = random.below(101);
        for (std::uint32_t left = 1 + random.below(12); left > 0;) {
            const Bitboard square = bit(static_cast<int>(random.below(32)));
            if ((p.occupied() & square) != 0) continue;
            (side == Side::black ? p.black : p.white) |= square;
            const bool on_last_row = (square & crowning_row_of(side)) != 0;
            if (on_last_row || random.below(100U) < king_percent) p.kings |= square;
            --left;
        }
    }
    return p;
}

/// Asks one engine about the positions of random games and keeps what went wrong first.
class Examiner {
public:
    Examiner(const GameRules& rules, const EngineDll& engine, std::uint64_t seed)
        : rules_(rules), engine_(engine), random_(seed) {
        has_movelist_ = engine.command("get movelist B:W1:B").code != 0;
    }

    bool play_game() {
        CbGame game(rules_, random_start(rules_, random_));
        for (int ply = 0; ply < max_plies; ++ply) {
            legal_.clear();
            rules_.generate_moves(game.position(), legal_);
            if (legal_.empty()) return true;
            if (!examine(game)) {
                problem_ += " in " + cb_fen(rules_, game.position());
                return false;
            }
            game.play(legal_[random_.below(static_cast<std::uint32_t>(legal_.size()))]);
        }
        return true;
    }

    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::string summary() const {
        return std::to_string(positions_) + " positions, " + std::to_string(lists_cut_) +
               " move lists cut, islegal asked for every pair in " + std::to_string(all_pairs_);
    }

private:
    bool fail(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    bool examine(const CbGame& game) {
        ++positions_;
        position_ = game.position();
        board_ = to_cb_board(position_);
        reported_.clear();
        if (has_movelist_ && !examine_list()) return false;
        const bool all_pairs = positions_ % 20 == 0;
        if (all_pairs) ++all_pairs_;
        return (all_pairs ? examine_all_pairs() : examine_legal_pairs()) && examine_move(game);
    }

    /// True when a legal move between the squares (0: any) leads to the board.
    bool leads_to(const CbBoard& board, int from = 0, int to = 0) const {
        return std::any_of(legal_.begin(), legal_.end(), [&](const Move& m) {
            if (from != 0 && (m.from != rules_.index(from) || m.to != rules_.index(to)))
                return false;
            return to_cb_board(rules_.after(position_, m)) == board;
        });
    }

    bool examine_list() {
        const EngineReply reply = engine_.command("get movelist " + cb_fen(rules_, position_));
        if (reply.code != 1 || !reply.fault.empty()) return fail("get movelist fails");
        std::vector<ReportedMove> list;
        std::string problem = read_movelist(
            reply.text, [this](int number) { return rules_.index(number); }, list);
        if (!problem.empty()) return fail(problem + ": " + reply.text);
        for (const ReportedMove& move : list) {
            problem = find_fault(move, board_);
            if (!problem.empty()) return fail("movelist: " + problem + ": " + reply.text);
            CbBoard after_it = carry_out(board_, move);
            if (!leads_to(after_it)) return fail("movelist has an illegal move: " + reply.text);
            if (std::find(reported_.begin(), reported_.end(), after_it) != reported_.end())
                return fail("movelist has a move twice: " + reply.text);
            reported_.push_back(after_it);
        }
        if (reported_.size() == legal_.size()) return true;
        ++lists_cut_;
        // Cut only when full: of moves, or of bytes so that no further record fits.
        const bool is_full = reported_.size() == max_reported || reply.text.size() > 940;
        if (legal_[0].is_capture() && reply.text.size() <= 940 && legal_.size() <= max_reported)
            return fail("movelist lacks a capture: " + reply.text);
        return is_full ? true : fail("movelist lacks moves: " + reply.text);
    }

    bool examine_pair(int from, int to) {
        CBmove untouched;
        std::memset(&untouched, 0x5A, sizeof untouched);
        CBmove move = untouched;
        const int answer = engine_.is_legal(board_, color_to_move(position_), from, to, &move);
        const bool expected = std::any_of(legal_.begin(), legal_.end(), [&](const Move& m) {
            return m.from == rules_.index(from) && m.to == rules_.index(to);
        });
        const std::string pair = std::to_string(from) + " to " + std::to_string(to);
        if (answer != (expected ? 1 : 0)) return fail("islegal is wrong about " + pair);
        if (!expected)
            return std::memcmp(&move, &untouched, sizeof move) == 0 ||
                   fail("islegal describes a move for " + pair + ", which is none");
        const ReportedMove described = from_description(move);
        const std::string problem = find_fault(described, board_);
        if (!problem.empty()) return fail("islegal, " + pair + ": " + problem);
        if (!leads_to(carry_out(board_, described), from, to))
            return fail("islegal describes another move than " + pair);
        return true;
    }

    bool examine_all_pairs() {
        for (int from = 1; from <= 32; ++from)
            for (int to = 1; to <= 32; ++to)
                if (!examine_pair(from, to)) return false;
        return true;
    }

    bool examine_legal_pairs() {
        for (const Move& move : legal_)
            if (!examine_pair(rules_.number(move.from), rules_.number(move.to))) return false;
        return true;
    }

    bool examine_move(const CbGame& game) {
        const EngineReply history = engine_.command(game.history_command());
        if (history.code != 1 || !history.fault.empty()) return fail("gamehist: " + history.text);
        CbBoard board = board_;
        StatusLine status;
        CBmove move{};
        int play_now = 0;
        const int result = engine_.get_move(board, color_to_move(position_),
                                            {0, 0, 0, status.data(), &play_now, &move});
        if (result < cb_draw || result > cb_unknown) return fail("getmove: a wrong result");
        if (!leads_to(board)) return fail("getmove plays an illegal move");
        if (has_movelist_ &&
            std::find(reported_.begin(), reported_.end(), board) == reported_.end())
            return fail("getmove plays a move that is not on the list");
        const ReportedMove described = from_description(move);
        const std::string problem = find_fault(described, board_);
        if (!problem.empty()) return fail("getmove: " + problem);
        return carry_out(board_, described) == board ? true
                                                     : fail("getmove describes another move");
    }

    const GameRules& rules_;
    const EngineDll& engine_;
    Random random_;
    bool has_movelist_ = false;
    Position position_;
    CbBoard board_;
    MoveList legal_;
    std::vector<CbBoard> reported_;  // boards after the reported moves
    std::string problem_;
    std::int64_t positions_ = 0;
    std::int64_t lists_cut_ = 0;
    std::int64_t all_pairs_ = 0;
};

ExitCode examine_engine(const GameRules& rules, const EngineDll& engine, std::int64_t games,
                        std::uint64_t seed) {
    Examiner examiner(rules, engine, seed);
    for (std::int64_t i = 0; i < games; ++i) {
        if (examiner.play_game()) continue;
        print_note(std::string(rules.name) + ", game " + std::to_string(i + 1) + " of seed " +
                   std::to_string(seed) + ": " + examiner.problem());
        return exit_no;
    }
    print_line(std::string(rules.name) + ", " + std::to_string(games) + " games of seed " +
               std::to_string(seed) + ": no fault, " + examiner.summary());
    return exit_done;
}

}  // namespace

int main(int count, char** words) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const auto games = count > 2 ? parse_integer(words[2], 1, most) : 100;
    const auto seed = count > 3 ? parse_integer(words[3], 0, most) : 1;
    if (count < 2 || count > 4 || !games || !seed)
        return fail("usage: engine_agreement ENGINE [GAMES [SEED]]");
    std::string problem;
    const EngineDll engine(make_copy(words[1], "examined_"), problem);
    if (!engine) return fail(problem);
    static_cast<void>(engine.command("set hashsize 1"));
    const Result<const GameCore*> core = game_of(engine);
    if (!core) return fail(core.error());
    return examine_engine((*core)->rules, engine, *games, static_cast<std::uint64_t>(*seed));
}
