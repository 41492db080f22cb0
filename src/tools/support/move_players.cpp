#include <tools/support/move_players.hpp>

#include <string>

#include <defiance/base/console.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/middleware_notation.hpp>
#include <tools/support/report.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

void say(std::FILE* stream, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stream);
    std::fflush(stream);
}

/// The legal move that a person means: in the form of the protocol or of a game score.
template <class Rules>
Result<Move> parse_typed(const Position& position, std::string_view text) {
    Result<Move> move = parse_middleware_text<Rules>(position, text);
    return move ? move : parse_move(rules_of<Rules>, position, trimmed(text));
}

}  // namespace

template <class Rules>
std::optional<Move> EngineMovePlayer<Rules>::choose(const CbGame<Rules>& game) {
    SearchLimits limits;
    if (count_moves<Rules>(game.position()) == 1) limits.depth = 1;
    EngineObserver observer;
    return think_with(search_, game.rules(), limits, {Pace::deadline, seconds_, 0, 0}, observer)
        .move;
}

template <class Rules>
std::optional<Move> RandomMovePlayer<Rules>::choose(const CbGame<Rules>& game) {
    MoveList moves;
    generate_moves<Rules>(game.position(), moves);
    return moves[random_.below(moves.size())];
}

template <class Rules>
std::optional<Move> HumanMovePlayer<Rules>::choose(const CbGame<Rules>& game) {
    const Position& position = game.position();
    const std::string side = position.side == Side::black ? "Black (b, B)" : "White (w, W)";
    if (!game.texts().empty()) say(out_, "\nThe other side played " + game.texts().back() + ".\n");
    say(out_, '\n' + picture_of(position) + cb_fen<Rules>(position) + '\n');
    LineReader lines(in_, 256);
    for (;;) {
        say(out_, side + " to move, squares with spaces between, or 'give up': ");
        std::string line;
        if (lines.read(line) == LineReader::Outcome::end || trimmed(line) == "give up")
            return std::nullopt;
        const Result<Move> move = parse_typed<Rules>(position, line);
        if (move) return *move;
        say(out_, move.error() + ".\n");
    }
}

template <class Rules>
std::optional<Move> DllMovePlayer<Rules>::choose(const CbGame<Rules>& game) {
    static_cast<void>(engine_.command(game.history_command()));
    CbBoard board = to_cb_board(game.position());
    StatusLine status;
    CBmove move{};
    int play_now = 0;
    static_cast<void>(engine_.get_move(board, color_to_move(game.position()),
                                       {seconds_, 0, 0, status.data(), &play_now, &move}));
    CbGame<Rules> next = game;
    std::optional<Move> played = next.accept(board);
    if (!played)
        print_note("the engine returned no legal move in " + cb_fen<Rules>(game.position()) +
                   ", status: " + shown(status.text(), 200));
    return played;
}

template class EngineMovePlayer<DEFIANCE_GAME>;
template class RandomMovePlayer<DEFIANCE_GAME>;
template class HumanMovePlayer<DEFIANCE_GAME>;
template class DllMovePlayer<DEFIANCE_GAME>;

}  // namespace defiance
