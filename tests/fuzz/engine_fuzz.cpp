// engine_fuzz ENGINE [COUNT [SEED]]: calls the exports of an engine file with random boards,
// positions and commands, legal and not, and checks what comes back. Exit status 1 at the first
// wrong answer.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <defiance/base/text.hpp>
#include <defiance/cb/board.hpp>
#include <tools/support/cb_game.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/games.hpp>
#include <tools/support/report.hpp>

#include <defiance/base/random.hpp>
#include "command_source.hpp"
#include "engine_copy.hpp"

namespace {

using namespace defiance;
using namespace defiance::fuzz;

/// The position on the board, if CheckerBoard could have made it.
std::optional<Position> read(const CbBoard& board, int color) {
    Position p;
    if (color != cb_white && color != cb_black) return std::nullopt;
    p.side = color == cb_white ? Side::white : Side::black;
    for (int x = 0; x < 8; ++x) {
        for (int y = 0; y < 8; ++y) {
            const int code = board.squares[x][y];
            if (code == 0) continue;
            if (!is_playable({x, y}) || (code != 5 && code != 6 && code != 9 && code != 10))
                return std::nullopt;
            const Bitboard square = bit(index_of({x, y}));
            ((code & cb_white) != 0 ? p.white : p.black) |= square;
            if ((code & cb_king) != 0) p.kings |= square;
        }
    }
    if (find_fault(p) && !has_lost_all(p)) return std::nullopt;
    return p;
}

int random_piece(Random& random, int y) {
    constexpr int codes[] = {5, 6, 9, 10};
    const bool is_edge = y == 0 || y == 7;
    return codes[is_edge && random.below(64) != 0 ? 2 + random.below(2) : random.below(4)];
}

CbBoard random_board(Random& random) {
    CbBoard board;
    const std::uint32_t density = 1 + random.below(5);
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
            if (is_playable({x, y}) && random.below(8U) < density)
                board.squares[x][y] = random_piece(random, y);
    // Some are spoilt a little, some wholly.
    const std::uint32_t spoilt = random.below(16) == 0 ? 64 : random.below(8) == 0 ? 1 : 0;
    for (std::uint32_t i = 0; i < spoilt; ++i)
        board.squares[random.below(8)][random.below(8)] = static_cast<int>(
            random.below(2) == 0 ? random.below(20) : static_cast<std::uint32_t>(random.next()));
    return board;
}

int random_color(Random& random) {
    return random.below(20) == 0 ? static_cast<int>(random.next())
                                 : 1 + static_cast<int>(random.below(2));
}

/// Tries one engine and keeps what went wrong first.
class Fuzzer {
public:
    Fuzzer(const GameRules& rules, const EngineDll& engine, std::uint64_t seed)
        : rules_(rules), engine_(engine), random_(seed) {}

    /// One random call; false when the answer was wrong.
    bool try_once() {
        const std::uint32_t kind = random_.below(10);
        if (kind < 5) return try_command();
        return kind < 8 ? try_is_legal() : try_get_move();
    }

    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::string summary() const {
        return std::to_string(commands_done_) + " commands carried out, " +
               std::to_string(moves_made_) + " moves made";
    }

private:
    bool fail(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    bool try_command() {
        const std::string command = random_command(random_);
        const EngineReply reply = engine_.command(command);
        const std::string about = "command '" + shown(command, 200) + "': ";
        if (!reply.fault.empty()) return fail(about + reply.fault);
        if (reply.code != 0 && reply.code != 1) return fail(about + "code is neither 0 nor 1");
        // A path may be empty, and CheckerBoard wants no answer to dbmbytes.
        const bool may_be_empty = command.find("dbmbytes") != std::string::npos ||
                                  command.find("path") != std::string::npos ||
                                  command.find("bookfile") != std::string::npos ||
                                  command.find("evalfile") != std::string::npos;
        if (reply.text.empty() && !may_be_empty) return fail(about + "no text");
        if (reply.code == 1) ++commands_done_;
        return true;
    }

    bool try_is_legal() {
        const CbBoard board = random_board(random_);
        const int color = random_color(random_);
        const bool wild = random_.below(20) == 0;
        const int from =
            static_cast<int>(wild ? static_cast<std::uint32_t>(random_.next()) : random_.below(34));
        const int to =
            static_cast<int>(wild ? static_cast<std::uint32_t>(random_.next()) : random_.below(34));
        CBmove move{};
        const int answer = engine_.is_legal(board, color, from, to, &move);
        if (answer != 0 && answer != 1) return fail("islegal answers neither 0 nor 1");
        if (answer == 1 && !read(board, color)) return fail("islegal takes an impossible board");
        return true;
    }

    bool try_get_move() {
        const CbBoard before = random_board(random_);
        const int color = random_color(random_);
        CbBoard board = before;
        StatusLine status;
        int play_now = static_cast<int>(random_.below(2));
        CBmove move{};
        MoveRequest request{random_seconds(play_now != 0), 0, 0, status.data(), &play_now, &move};
        if (play_now != 0) {
            request.info = static_cast<int>(random_.next());
            request.more_info = static_cast<int>(random_.next());
        }
        const int result = engine_.get_move(board, color, request);
        const std::string problem = judge(before, color, board, result);
        if (!problem.empty()) return fail("getmove: " + problem + ", status " + status.text());
        if (status.text().size() > 1000 || status.data()[1023] != 0)
            return fail("getmove: the status line is too long");
        if (!(board == before)) ++moves_made_;
        return true;
    }

    double random_seconds(bool is_interrupted) {
        constexpr double quick[] = {0, -1, 1e-9, std::numeric_limits<double>::quiet_NaN(), 2e-5};
        constexpr double slow[] = {1, 8600000, std::numeric_limits<double>::infinity()};
        return is_interrupted ? slow[random_.below(3)] : quick[random_.below(5)];
    }

    [[nodiscard]] std::string judge(const CbBoard& before, int color, const CbBoard& board,
                                    int result) const {
        const std::optional<Position> position = read(before, color);
        if (!position) {
            if (result != cb_unknown) return "an impossible board is judged";
            return board == before ? "" : "an impossible board is changed";
        }
        MoveList moves;
        rules_.generate_moves(*position, moves);
        if (moves.empty())
            return result == cb_loss && board == before ? "" : "a lost game is not recognised";
        constexpr int pieces_built_in = 5;
        const bool may_be_drawn = count(position->occupied()) <= pieces_built_in;
        if (result != cb_win && result != cb_loss && result != cb_unknown &&
            !(result == cb_draw && may_be_drawn))
            return "a wrong result";
        for (const Move& m : moves)
            if (to_cb_board(rules_.after(*position, m)) == board) return {};
        return "no legal move leads from " + cb_fen(rules_, *position) + " to the board";
    }

    const GameRules& rules_;
    const EngineDll& engine_;
    Random random_;
    std::string problem_;
    std::int64_t commands_done_ = 0;
    std::int64_t moves_made_ = 0;
};

ExitCode fuzz_engine(const GameRules& rules, const EngineDll& engine, std::int64_t count,
                     std::uint64_t seed) {
    Fuzzer fuzzer(rules, engine, seed);
    for (std::int64_t i = 0; i < count; ++i) {
        if (fuzzer.try_once()) continue;
        print_note("case " + std::to_string(i) + " of seed " + std::to_string(seed) + ": " +
                   fuzzer.problem());
        return exit_no;
    }
    print_line(std::to_string(count) + " cases of seed " + std::to_string(seed) + ": no fault, " +
               fuzzer.summary());
    return exit_done;
}

}  // namespace

int main(int count, char** words) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const auto cases = count > 2 ? parse_integer(words[2], 1, most) : 20000;
    const auto seed = count > 3 ? parse_integer(words[3], 0, most) : 1;
    if (count < 2 || count > 4 || !cases || !seed)
        return fail("usage: engine_fuzz ENGINE [COUNT [SEED]]");
    std::string problem;
    const EngineDll engine(make_copy(words[1], "fuzzed_"), problem);
    if (!engine) return fail(problem);
    const Result<const GameCore*> core = game_of(engine);
    if (!core) return fail(core.error());
    return fuzz_engine((*core)->rules, engine, *cases, static_cast<std::uint64_t>(*seed));
}
