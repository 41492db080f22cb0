#include <tools/support/move_players.hpp>

#include <string>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/encoding.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/rules/move_text.hpp>
#include <tools/support/report.hpp>

namespace defiance {
namespace {

void say(std::FILE* stream, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stream);
    std::fflush(stream);
}

/// The legal move that a person means: in the form of the protocol or of a game score. The error is
/// of the form in which it is written.
Result<Move> parse_typed(const CbGame& game, std::string_view text) {
    Result<Move> move = parse_middleware_text(game.rules(), game.position(), text);
    const bool is_of_protocol = text.find_first_not_of("0123456789 \t\r") == std::string_view::npos;
    if (move || (is_of_protocol && !trimmed(text).empty())) return move;
    return parse_move(game.rules(), game.position(), trimmed(text));
}

}  // namespace

std::optional<Move> EngineMovePlayer::choose(const CbGame& game) {
    DEFIANCE_ASSERT(game.has_move() && seconds_ >= 0);
    SearchLimits limits;
    const bool is_forced = game.rules().count_moves(game.position()) == 1;
    if (is_forced) limits.depth = 1;
    EngineObserver observer;
    const EngineResult result = think_with(
        *search_, game.game(), limits, {.mode = TimeMode::deadline, .seconds = seconds_}, observer);
    if (!resignation_ || is_forced) return result.move;
    bad_moves_ = result.last.score <= resignation_->value ? bad_moves_ + 1 : 0;
    return bad_moves_ < resignation_->moves ? result.move : std::nullopt;
}

std::optional<Move> RandomMovePlayer::choose(const CbGame& game) {
    MoveList moves;
    game.rules().generate_moves(game.position(), moves);
    DEFIANCE_ASSERT(!moves.empty());
    return moves[random_.below(moves.size())];
}

std::optional<Move> HumanMovePlayer::choose(const CbGame& game) {
    DEFIANCE_ASSERT(in_ != nullptr && out_ != nullptr);
    const KeyboardTurn turn(in_);
    const Position& position = game.position();
    const std::string side = position.side == Side::black ? "Black (b, B)" : "White (w, W)";
    if (!game.texts().empty()) say(out_, "\nThe other side played " + game.texts().back() + ".\n");
    say(out_, '\n' + picture_of(position) + game.fen() + '\n');
    LineReader lines(in_, 256);
    for (;;) {
        say(out_, side + " to move, squares with spaces between, or 'give up': ");
        std::string line;
        if (lines.read(line) == LineReader::Outcome::end || trimmed(line) == "give up")
            return std::nullopt;
        const Result<Move> move = parse_typed(game, line);
        if (move) return *move;
        say(out_, move.error() + ".\n");
    }
}

std::optional<Move> DllMovePlayer::choose(const CbGame& game) {
    DEFIANCE_ASSERT(game.has_move() && seconds_ >= 0);
    static_cast<void>(engine_.command(game.history_command()));
    CbBoard board = to_cb_board(game.position());
    StatusLine status;
    CBmove move{};
    int play_now = 0;
    const int info = std::exchange(is_first_move_, false) ? cb_new_game : 0;
    static_cast<void>(engine_.get_move(board, color_to_move(game.position()),
                                       {seconds_, info, 0, status.data(), &play_now, &move}));
    CbGame next = game;
    std::optional<Move> played = next.play_board(board);
    if (!played)
        print_note("the engine returned no legal move in " + game.fen() +
                   ", status: " + shown(utf8_from_ansi(status.text()), 200));
    return played;
}

}  // namespace defiance
