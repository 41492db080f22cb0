#include <defiance/rules/draws.hpp>
#include <defiance/rules/generator.hpp>
#include <defiance/rules/numbering.hpp>
#include <tools/match/match_game.hpp>
#include <tools/support/cb_game.hpp>
#include <tools/support/games.hpp>
#include <tools/support/middleware_notation.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// CheckerBoard's rule, which it applies in every game.
constexpr int checkerboard_limit = 79;

template <class Rules>
class RuledGame : public MatchGame {
public:
    explicit RuledGame(const Position& start) : game_(start) {}

    const Position& position() const override { return game_.position(); }
    std::size_t plies() const override { return game_.moves().size(); }
    bool has_move() const override { return count_moves<Rules>(position()) != 0; }
    std::vector<LegalMove> legal_moves() const override {
        MoveList moves;
        generate_moves<Rules>(position(), moves);
        std::vector<LegalMove> legal;
        for (const Move& move : moves)
            legal.push_back({Numbering<Rules>::number(move.from), Numbering<Rules>::number(move.to),
                             count(move.captured), to_cb_board(after<Rules>(position(), move))});
        return legal;
    }
    int occurrences() const override { return game_.rules().occurrences(); }
    int quiet_plies() const override { return static_cast<int>(game_.rules().reversible_plies()); }
    std::optional<int> limit_by_law() const override {
        const int limit = main_road_is_held<Rules>(game_.rules().reversible_history())
                              ? quiet_plies()
                              : reversible_limit<Rules>(position());
        return limit < checkerboard_limit ? std::optional(limit) : std::nullopt;
    }
    std::string fen() const override { return cb_fen<Rules>(position()); }
    std::string history_command() const override { return game_.history_command(); }

    bool play_board(const CbBoard& board) override {
        const Position before = position();
        const std::optional<Move> move = game_.accept(board);
        if (move) last_middleware_text_ = to_middleware_text<Rules>(before, *move);
        return move.has_value();
    }

    std::optional<std::string> play_middleware_text(std::string_view line,
                                                    bool takes_short) override {
        const Result<Move> move = parse_middleware_text<Rules>(
            position(), line, takes_short ? MiddlewareForm::may_be_short : MiddlewareForm::whole);
        if (!move) return move.error();
        last_middleware_text_ = to_middleware_text<Rules>(position(), *move);
        game_.play(*move);
        return std::nullopt;
    }

    const std::string& last_middleware_text() const override { return last_middleware_text_; }

    std::string to_pdn(const GameNotes& notes) const override {
        const bool black_is_first = Rules::first_side == Side::black;
        PdnHeading heading;
        heading.event = notes.event;
        heading.round = notes.round;
        heading.black = black_is_first ? notes.first_side_name : notes.second_side_name;
        heading.white = black_is_first ? notes.second_side_name : notes.first_side_name;
        heading.result = notes.result;
        return defiance::to_pdn(game_, heading, {notes.comments, notes.ending});
    }

private:
    CbGame<Rules> game_;
    std::string last_middleware_text_;
};

template <class Rules>
class RuledKind : public GameKind {
public:
    std::string_view word() const override { return Rules::file_word; }
    int game_type() const override { return Rules::game_type; }
    Side first_side() const override { return Rules::first_side; }
    int index_of(int number) const override { return Numbering<Rules>::index(number); }
    std::unique_ptr<MatchGame> begin(const Position& start) const override {
        return std::make_unique<RuledGame<Rules>>(start);
    }
    std::vector<Opening> ballots() const override {
        std::vector<Opening> openings;
        for (const Position& position : eleven_man_ballots<Rules>())
            openings.push_back({cb_fen<Rules>(position), position});
        return openings;
    }
    Result<std::vector<Opening>> openings_in(std::string_view text) const override {
        return read_openings<Rules>(text);
    }
    Result<Position> position_of(std::string_view fen) const override {
        return read_position<Rules>(fen);
    }
};

}  // namespace

template <class Rules>
const GameKind& game_kind() {
    static const RuledKind<Rules> kind;
    return kind;
}

template const GameKind& game_kind<DEFIANCE_GAME>();

}  // namespace defiance
