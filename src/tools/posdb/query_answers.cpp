#include <tools/posdb/query_answers.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>

namespace defiance {
namespace {

using State = PositionView::State;

std::string padded(int number, std::size_t width) {
    const std::string digits = std::to_string(number);
    return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

/// How the game ends after a move, and in how many plies: W-0013.
std::string outcome_text(DatabaseScore score) {
    if (score == 0) return "D-0000";
    const std::string letter = score > 0 ? "W-" : "L-";
    const int size = std::abs(score);
    if (!has_known_end(score)) return letter + "????";
    return letter + padded((size > conversion_score ? proven_score : conversion_score) - size, 4);
}

std::string note_of(const PositionView& view, const MoveView& move) {
    if (!move.score) return "? (?\?-?\?)";
    const int rank = view.rank(move);
    const std::string mark = rank == 2 ? "! (" : rank == 1 ? "* (" : "? (";
    if (view.state == State::endgame) return mark + outcome_text(*move.score) + ')';
    return mark + padded(std::min(move.replies, 99), 2) + '-' +
           padded(std::min(move.good_replies, 99), 2) + ')';
}

std::string win_rate_text(const MoveView& move) {
    const auto rate = move.score ? win_rate(*move.score) : std::nullopt;
    return rate ? fixed(*rate, 2) : std::string();
}

std::string_view source_text(ScoreSource source) {
    switch (source) {
        case ScoreSource::database:
            return "egdb";
        case ScoreSource::final:
            return "final";
        default:
            return "search";
    }
}

std::string text_of(const PositionView& view, bool show_all) {
    std::string text;
    for (const MoveView& move : view.moves) {
        if (!move.score && !show_all) continue;
        if (!text.empty()) text += '|';
        text += "move:" + move.named.name;
        text += ",score:" + (move.score ? std::to_string(*move.score) : std::string("??"));
        text += ",rank:" + std::to_string(move.score ? view.rank(move) : 0);
        text += ",note:" + note_of(view, move);
        if (const std::string rate = win_rate_text(move); !rate.empty()) text += ",winrate:" + rate;
    }
    return text;
}

/// All paths of a capture.
void write_captures(JsonWriter& json, const GameRules& rules, const PositionView& view,
                    const MoveView& move) {
    if (!move.named.move.is_capture()) return;
    json.key("captures");
    json.begin_array();
    for (const std::string& name : path_names(rules, view.position, move.named.move))
        json.value(name);
    json.end_array();
}

void write_move(JsonWriter& json, const GameRules& rules, const PositionView& view,
                const MoveView& move) {
    json.begin_object();
    json.member("uci", move.named.name);
    json.member("san", move.named.short_name);
    if (move.score)
        json.member("score", *move.score);
    else
        json.member("score", "??");
    json.member("rank", move.score ? view.rank(move) : 0);
    json.member("note", note_of(view, move));
    if (const std::string rate = win_rate_text(move); !rate.empty()) json.member("winrate", rate);
    if (move.score) {
        json.member("depth", move.depth);
        json.member("src", source_text(move.source));
    }
    write_captures(json, rules, view, move);
    json.member("fen", to_fen(rules, move.named.after));
    json.end_object();
}

ApiAnswer unknown_answer(const ApiRequest& request, const PositionView& view, bool is_cut) {
    if (!request.json) return {"unknown"};
    JsonWriter json;
    json.begin_object();
    json.member("status", "unknown");
    write_tail(json, request.core->rules, view, is_cut);
    json.end_object();
    return {json.take()};
}

}  // namespace

void write_tail(JsonWriter& json, const GameRules& rules, const PositionView& view, bool is_cut) {
    if (view.ply != KnownPosition::max_ply_from_start) json.member("ply", int{view.ply});
    if (is_cut) json.member("learned", false);
    json.member("fen", to_fen(rules, view.position));
}

ApiAnswer checkmate_answer(const ApiRequest& request, const GameRules& rules,
                           const PositionView& view) {
    DEFIANCE_ASSERT(view.state == State::ended);
    if (!request.json) return {"checkmate"};
    JsonWriter json;
    json.begin_object();
    json.member("status", "checkmate");
    json.member("reason", view.position.own() == 0 ? "no pieces" : "blocked");
    json.member("fen", to_fen(rules, view.position));
    json.end_object();
    return {json.take()};
}

ApiAnswer answer_query_all(const ApiRequest& request, const GameRules& rules,
                           const PositionView& view, bool is_cut) {
    if (view.state == State::ended) return checkmate_answer(request, rules, view);
    if (!view.has_score() && !request.show_all) return unknown_answer(request, view, is_cut);
    if (!request.json) return {text_of(view, request.show_all)};
    JsonWriter json;
    json.begin_object();
    json.member("status", "ok");
    json.key("moves");
    json.begin_array();
    for (const MoveView& move : view.moves)
        if (move.score || request.show_all) write_move(json, rules, view, move);
    json.end_array();
    write_tail(json, rules, view, is_cut);
    json.end_object();
    return {json.take()};
}

ApiAnswer answer_query_score(const ApiRequest& request, const PositionView& view, bool is_cut) {
    if (view.state == State::ended) return checkmate_answer(request, request.core->rules, view);
    if (!view.has_score()) return unknown_answer(request, view, is_cut);
    if (!request.json) return {"eval:" + std::to_string(view.best())};
    JsonWriter json;
    json.begin_object();
    json.member("status", "ok");
    json.member("eval", view.best());
    write_tail(json, request.core->rules, view, is_cut);
    json.end_object();
    return {json.take()};
}

}  // namespace defiance
