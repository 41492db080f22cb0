// The actions that suggest moves: querybest, query, querysearch and querypv.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <tools/posdb/query_answers.hpp>
#include <tools/posdb/scoring_task.hpp>

namespace defiance {
namespace {

using State = PositionView::State;
using Moves = std::vector<const MoveView*>;

/// The moves that a request does not want, as `move:11-15|move:9-14`.
std::vector<std::size_t> banned_moves(const ApiRequest& request, const PositionView& view) {
    std::vector<NamedMove> named;
    for (const MoveView& move : view.moves)
        named.push_back(move.named);
    // It takes a while to read an entry. A list of so many may name all moves and much besides.
    constexpr int max_entries = 512;
    std::vector<std::size_t> banned;
    std::string_view list = request.field("ban");
    for (int left = max_entries; !list.empty() && left > 0;) {
        const std::size_t end = std::min(list.find('|'), list.size());
        const std::string_view entry = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        if (entry.empty()) continue;
        --left;
        if (const auto index = find_move(request.core->rules, view.position, named, entry))
            banned.push_back(*index);
    }
    return banned;
}

/// The view without the moves that the request does not want.
PositionView without_banned(const ApiRequest& request, PositionView view) {
    std::vector<MoveView> kept;
    const std::vector<std::size_t> banned = banned_moves(request, view);
    for (std::size_t i = 0; i < view.moves.size(); ++i)
        if (std::find(banned.begin(), banned.end(), i) == banned.end())
            kept.push_back(std::move(view.moves[i]));
    view.moves = std::move(kept);
    return view;
}

Moves moves_from(const PositionView& view, double threshold) {
    Moves moves;
    for (const MoveView& move : view.moves)
        if (move.score && *move.score >= threshold) moves.push_back(&move);
    return moves;
}

ApiAnswer move_answer(const ApiRequest& request, const PositionView& view, bool is_cut,
                      std::string_view kind, const MoveView& move) {
    if (!request.json) return {std::string(kind) + ':' + move.named.name};
    JsonWriter json;
    json.begin_object();
    json.member("status", "ok");
    json.member(kind, move.named.name);
    json.member("san", move.named.short_name);
    write_tail(json, request.core->rules, view, is_cut);
    json.end_object();
    return {json.take()};
}

ApiAnswer search_answer(const ApiRequest& request, const PositionView& view, bool is_cut,
                        const Moves& moves) {
    DEFIANCE_ASSERT(!moves.empty());
    if (!request.json) {
        std::string text;
        for (const MoveView* move : moves)
            text += (text.empty() ? "search:" : "|search:") + move->named.name;
        return {text};
    }
    JsonWriter json;
    json.begin_object();
    json.member("status", "ok");
    json.key("search_moves");
    json.begin_array();
    for (const MoveView* move : moves) {
        json.begin_object();
        json.member("uci", move->named.name);
        json.member("san", move->named.short_name);
        json.end_object();
    }
    json.end_array();
    write_tail(json, request.core->rules, view, is_cut);
    json.end_object();
    return {json.take()};
}

ApiAnswer no_move_answer(const ApiRequest& request, const PositionView& view, bool is_cut) {
    if (!request.json) return status_answer(request.json, "nobestmove");
    JsonWriter json;
    json.begin_object();
    json.member("status", "nobestmove");
    write_tail(json, request.core->rules, view, is_cut);
    json.end_object();
    return {json.take()};
}

/// Whether enough is known to suggest a move of a position that no database and no proof decides.
Result<bool> is_well_known(PositionDatabase& database, const PositionView& view,
                           EgdbBudget& budget) {
    constexpr int searched = 20;
    constexpr int least = 10;
    constexpr int least_after_best = 4;
    constexpr DatabaseScore worst = -50;
    if (is_certain(view.best()) || view.moves.size() == 1) return true;
    if (view.best() < worst) return false;
    const auto breadth = count_around(database, view.position, searched, budget);
    if (!breadth) return Error{breadth.error()};
    return breadth->positions >= least && breadth->after_best >= least_after_best;
}

/// The move of an endgame that ends it soonest, or late when it is lost. Nothing in a draw and
/// where nobody knows how far the end is: there no line leads anywhere.
const MoveView* decisive_move(const PositionView& view) {
    return view.has_score() && has_known_end(view.best()) ? &view.moves.front() : nullptr;
}

struct Line {
    std::vector<std::string> names;
    std::vector<std::string> short_names;

    void add(const NamedMove& move) {
        names.push_back(move.name);
        short_names.push_back(move.short_name);
    }
};

/// The best line as far as positions are known, and on through the endgame databases as long as the
/// budget lasts.
Result<Line> find_line(PositionDatabase& database, const PositionView& view, EgdbMetric metric,
                       EgdbBudget& budget) {
    constexpr std::size_t max_plies = 100;
    Line line;
    Position position = view.position;
    if (view.state == State::known) {
        const auto moves = database.best_line(position, max_plies);
        if (!moves) return Error{moves.error()};
        for (const auto& step : *moves) {
            const auto named = named_moves(database.rules(), position);
            const auto move = std::find_if(named.begin(), named.end(), [&](const NamedMove& n) {
                return n.after == step.move.after;
            });
            DEFIANCE_ASSERT(move != named.end());
            line.add(*move);
            position = step.move.after;
        }
    }
    while (line.names.size() < max_plies) {
        const auto next = look_up_endgame(database, position, metric, budget);
        const MoveView* move = next ? decisive_move(*next) : nullptr;
        if (move == nullptr) break;
        line.add(move->named);
        position = move->named.after;
    }
    if (line.names.empty() && view.has_score()) line.add(view.moves.front().named);
    return line;
}

void write_list(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
    json.key(name);
    json.begin_array();
    for (const std::string& text : texts)
        json.value(text);
    json.end_array();
}

}  // namespace

Result<ApiAnswer> answer_query_move(const ApiRequest& request, PositionDatabase& database,
                                    const PositionView& all, bool is_cut, const PickNumber& pick,
                                    EgdbBudget& budget) {
    const PositionView view = without_banned(request, all);
    if (!view.has_score() || (request.endgame_only && view.state != State::endgame))
        return no_move_answer(request, view, is_cut);
    const DatabaseScore best = view.best();
    if (view.state == State::endgame) {
        const Moves moves = moves_from(view, best);
        return best == 0 ? search_answer(request, view, is_cut, moves)
                         : move_answer(request, view, is_cut, "egtb", *moves[pick(moves.size())]);
    }
    const auto is_known = is_well_known(database, view, budget);
    if (!is_known) return Error{is_known.error()};
    if (!*is_known) return no_move_answer(request, view, is_cut);
    // A threshold may lie above a best score that is bad.
    const bool only_best = request.action == ApiAction::query_best;
    const double threshold = only_best ? best_threshold(best) : good_threshold(best);
    const Moves moves = moves_from(view, std::min<double>(threshold, best));
    DEFIANCE_ASSERT(!moves.empty());
    if (request.action != ApiAction::query_search)
        return move_answer(request, view, is_cut, "move", *moves[pick(moves.size())]);
    const bool is_single = moves_from(view, -proven_score).size() == 1;
    return is_single && !request.json ? move_answer(request, view, is_cut, "move", *moves.front())
                                      : search_answer(request, view, is_cut, moves);
}

Result<ApiAnswer> answer_query_pv(const ApiRequest& request, PositionDatabase& database,
                                  const PositionView& view, bool is_cut, EgdbBudget& budget) {
    if (view.state == State::ended || !view.has_score())
        return answer_query_score(request, view, is_cut);
    const auto line = find_line(database, view, request.metric, budget);
    if (!line) return Error{line.error()};
    DEFIANCE_ASSERT(!line->names.empty());
    if (!request.json) {
        std::string text = "score:" + std::to_string(view.best()) +
                           ",depth:" + std::to_string(line->names.size()) + ",pv:";
        for (std::size_t i = 0; i < line->names.size(); ++i)
            text += (i == 0 ? "" : "|") + line->names[i];
        return ApiAnswer{text};
    }
    JsonWriter json;
    json.begin_object();
    json.member("status", "ok");
    json.member("score", view.best());
    json.member("depth", line->names.size());
    write_list(json, "pv", line->names);
    write_list(json, "pvSAN", line->short_names);
    write_tail(json, request.core->rules, view, is_cut);
    json.end_object();
    return ApiAnswer{json.take()};
}

}  // namespace defiance
