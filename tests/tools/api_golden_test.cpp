// Every action of the position database in text and JSON, in all games and with every form of a
// board, against what is written down in api_golden.txt. With DEFIANCE_WRITE_GOLDEN set to a path
// the answers are written there instead.

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <tools/posdb/board_text.hpp>
#include <tools/support/hub_notation.hpp>

#include "../book/book_support.hpp"
#include "service_support.hpp"

using namespace defiance;
using defiance::testing::JsonCheck;
using defiance::testing::TestService;

namespace {

/// The name of a square as in algebraic notation; its number where the game has none.
std::string square_name(const GameRules& rules, int number) {
    for (char column = 'a'; rules.algebraic_squares && column <= 'h'; ++column)
        for (char row = '1'; row <= '8'; ++row) {
            const std::string name = {column, row};
            if (find_square(rules, name) == rules.index(number)) return name;
        }
    return std::to_string(number);
}

std::string squares_text(const GameRules& rules, const Position& position, Side side) {
    std::string text;
    for (int number = 1; number <= 32; ++number) {
        const Bitboard square = bit(rules.index(number));
        if ((position.pieces(side) & square) == 0) continue;
        text += text.empty() ? "" : ",";
        text += ((position.kings & square) != 0 ? "k" : "") + square_name(rules, number);
    }
    return text;
}

/// The FEN with algebraic squares, black first, in lower case.
std::string other_fen(const GameRules& rules, const Position& position) {
    return std::string(position.side == Side::black ? "b" : "w") + ":b" +
           squares_text(rules, position, Side::black) + ":w" +
           squares_text(rules, position, Side::white) + ".";
}

/// The board in its six forms; `moves` lead to it from the start position.
std::vector<std::string> forms_of(const GameRules& rules, const Position& position,
                                  const std::string& moves) {
    const std::string fen = to_fen(rules, position);
    return {fen,
            other_fen(rules, position),
            "[FEN \"" + fen + ":H0:F1\"]",
            moves.empty() ? "startpos" : "startpos moves" + moves,
            to_fen(rules, rules.start_position()) + " moves" + moves,
            to_hub_position(rules, position)};
}

class Golden {
public:
    explicit Golden(std::ostringstream& lines) : lines_(lines) {}

    /// Asks with each form of the board, all of which must have the same answer, and notes it.
    void note(TestService& service, const GameRules& rules, const std::vector<std::string>& forms,
              const std::string& action, const std::string& more) {
        for (const bool json : {false, true}) {
            const std::string options = more + (json ? "&json=1" : "");
            const std::string answer = service.ask(action, rules, forms.front(), options);
            if (json) CHECK(JsonCheck::is_valid(answer));
            for (const std::string& form : forms) {
                INFO(action << options << ' ' << form);
                CHECK(service.ask(action, rules, form, options) == answer);
            }
            lines_ << action << options << ' ' << rules.file_word << ' ' << forms.front() << '\n'
                   << answer << '\n';
        }
    }

private:
    std::ostringstream& lines_;
};

/// The position after the first legal moves, and their names.
Position play_first(const GameRules& rules, int plies, std::string& moves) {
    Position position = rules.start_position();
    for (; plies > 0; --plies) {
        const NamedMove move = named_moves(rules, position).front();
        moves += ' ' + move.name;
        position = move.after;
    }
    return position;
}

/// The bytes of a book of random games and scores.
std::string random_book_bytes(const GameRules& rules) {
    constexpr std::size_t positions = 40;
    Random random(7);
    const auto bytes =
        make_book(rules, defiance::testing::random_book(rules, random, positions), "");
    REQUIRE(bytes);
    return *bytes;
}

ServiceOptions options_with_book(const GameRules& rules, const std::string& path) {
    auto book = OpeningBook::open(rules, path);
    REQUIRE(book);
    ServiceOptions options;
    options.books[static_cast<std::size_t>(store_game_of(rules))] =
        std::make_shared<const OpeningBook>(*std::move(book));
    return options;
}

void note_game(const GameCore& core, Golden& golden) {
    const GameRules& rules = core.rules;
    const TemporaryFile book(random_book_bytes(rules));
    TestService service(options_with_book(rules, book.path()));
    const Position start = rules.start_position();
    std::string moves;
    const Position later = play_first(rules, 2, moves);
    std::string deep_moves;
    const Position deep = play_first(rules, 4, deep_moves);
    service.add_tree(core, start, 2, 0, 9);
    for (const Position& position : {start, later}) {
        const auto forms = forms_of(rules, position, position == start ? "" : moves);
        golden.note(service, rules, forms, "queryall", "&learn=0");
        for (const std::string action : {"queryscore", "querypv", "querysearch"})
            golden.note(service, rules, forms, action, "");
    }
    const auto forms = forms_of(rules, start, "");
    golden.note(service, rules, forms, "querysearch",
                "&ban=move:" + named_moves(rules, start)[3].name + "|x");
    golden.note(service, rules, forms, "querybest", "&endgame=1");
    golden.note(service, rules, forms, "querybook", "");
    golden.note(service, rules, forms, "queryinfo", "");
    const auto unknown = forms_of(rules, deep, deep_moves);
    for (const std::string action :
         {"queryall", "querybest", "query", "querysearch", "queryscore", "querypv", "querybook"})
        golden.note(service, rules, unknown, action, "&learn=1");
    golden.note(service, rules, unknown, "queryall", "&showall=1");
    golden.note(service, rules, unknown, "queue", "");
    const std::string move = "&move=move:" + named_moves(rules, deep).front().name;
    golden.note(service, rules, unknown, "store", move);
    golden.note(service, rules, unknown, "store", move + "&score=12&depth=9&token=wrong");
    golden.note(service, rules, unknown, "store", "&move=1-32");
}

/// Endgames that the databases inside the program answer.
void note_endgame(const GameCore& core, Golden& golden) {
    const GameRules& rules = core.rules;
    TestService service;
    for (const std::string text :
         {"WeeeeeeeeeeeeeeBeeeeeeeeeWeeeeeWe", "BeeeeBeeeeeeeeeeeeeeeeeeeeeeeeWee",
          "WeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeBe", "WeeeBeeeeeeeeeeeeeeeeeeeeeeeeeeWe",
          "BeeeeeeBeeeeeebeeeeeeeweeeeeeeeWe"}) {
        const auto position = parse_board(rules, text);
        REQUIRE(position);
        const std::string fen = to_fen(rules, *position);
        const std::vector<std::string> forms = {
            fen, other_fen(rules, *position), fen + ":H0:F1", '"' + fen + '"', fen + " moves",
            text};
        for (const std::string action : {"queryall", "queryscore", "querypv", "querybook", "queue"})
            golden.note(service, rules, forms, action, "");
        golden.note(service, rules, forms, "queryall", "&egtbmetric=dtz");
        // One of several moves that win alike is chosen by chance.
        if (service.ask("querysearch", rules, fen).starts_with("egtb:")) continue;
        golden.note(service, rules, forms, "querysearch", "");
    }
}

}  // namespace

TEST_CASE("every action answers in every game and form as it is written down", "[posdb][golden]") {
    std::ostringstream lines;
    Golden golden(lines);
    for (const GameCore* core : built_games()) {
        note_game(*core, golden);
        note_endgame(*core, golden);
    }
    if (const char* path = std::getenv("DEFIANCE_WRITE_GOLDEN")) {
        std::ofstream(path, std::ios::binary) << lines.str();
        return;
    }
    std::ifstream file(DEFIANCE_SOURCE_DIR "/tests/tools/api_golden.txt", std::ios::binary);
    REQUIRE(file);
    std::istringstream actual(lines.str());
    std::string question;
    for (std::string wanted, answer; std::getline(file, wanted);) {
        REQUIRE(std::getline(actual, answer));
        INFO(question);
        CHECK(answer == wanted);
        question = wanted;
    }
    std::string more;
    CHECK_FALSE(std::getline(actual, more));
}
