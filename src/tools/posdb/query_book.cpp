// The action that asks an opening book.

#include <algorithm>
#include <string>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/book/book_choice.hpp>
#include <defiance/rules/fen.hpp>
#include <tools/posdb/query_answers.hpp>

namespace defiance {
namespace {

struct NamedBookMove {
    NamedMove named;
    BookMove move;
    int use = 0;
};

std::vector<NamedBookMove> book_moves(const OpeningBook& book, const Position& position,
                                      const std::vector<NamedMove>& legal) {
    const std::vector<BookMove> moves = book.find(position);
    std::vector<NamedBookMove> found;
    for (const BookMove& move : moves) {
        // By what it leads to: of moves to the same position only one has a name.
        const Position after = book.rules().after(position, move.move);
        const auto named = std::find_if(legal.begin(), legal.end(), [&](const NamedMove& other) {
            return other.after == after;
        });
        DEFIANCE_ASSERT(named != legal.end());
        found.push_back({*named, move, static_cast<int>(most_careful_use(moves, move))});
    }
    return found;
}

std::string text_of(const NamedBookMove& move) {
    return "move:" + move.named.name + ",score:" + std::to_string(move.move.score) +
           ",depth:" + std::to_string(move.move.depth) +
           ",support:" + std::to_string(move.move.support) + ",use:" + std::to_string(move.use);
}

void write_move(JsonWriter& json, const NamedBookMove& move) {
    json.begin_object();
    json.member("uci", move.named.name);
    json.member("san", move.named.short_name);
    json.member("score", move.move.score);
    json.member("depth", int{move.move.depth});
    json.member("support", int{move.move.support});
    json.member("use", move.use);
    json.member("src", "book");
    json.end_object();
}

}  // namespace

ApiAnswer answer_query_book(const ApiRequest& request, const OpeningBook* book,
                            const Position& position) {
    const GameRules& rules = request.core->rules;
    const std::vector<NamedMove> legal = named_moves(rules, position);
    if (legal.empty()) {
        PositionView view;
        view.position = position;
        view.state = PositionView::State::ended;
        return checkmate_answer(request, rules, view);
    }
    const std::vector<NamedBookMove> moves =
        book != nullptr ? book_moves(*book, position, legal) : std::vector<NamedBookMove>{};
    if (!request.json && moves.empty()) return {"unknown"};
    if (!request.json) {
        std::string text;
        for (const NamedBookMove& move : moves)
            text += (text.empty() ? "" : "|") + text_of(move);
        return {text};
    }
    JsonWriter json;
    json.begin_object();
    json.member("status", moves.empty() ? "unknown" : "ok");
    if (!moves.empty()) {
        json.key("moves");
        json.begin_array();
        for (const NamedBookMove& move : moves)
            write_move(json, move);
        json.end_array();
    }
    json.member("fen", to_fen(rules, position));
    json.end_object();
    return {json.take()};
}

}  // namespace defiance
