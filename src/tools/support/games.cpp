#include <tools/support/games.hpp>

#include <array>
#include <charconv>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/fen.hpp>

namespace defiance {
namespace {

template <class... Rules>
constexpr std::array<const GameCore*, sizeof...(Rules)> cores_of(GameList<Rules...>) {
    return {&core_of<Rules>...};
}

constexpr auto all_cores = cores_of(AllGames{});

/// PDN's number of Portuguese draughts, which has the rules of the Spanish game and its numbers of
/// the squares.
constexpr int portuguese_game_type = 28;

}  // namespace

bool names_game(std::string_view type, const GameRules& rules) {
    const std::string_view number = trimmed(type.substr(0, type.find(',')));
    const auto is_type = [number](int wanted) {
        return parse_integer(number, wanted, wanted).has_value();
    };
    return is_type(rules.game_type) ||
           (rules.game_type == Spanish::game_type && is_type(portuguese_game_type));
}

std::optional<Error> find_other_game(std::string_view type, const GameRules& rules) {
    if (names_game(type, rules)) return std::nullopt;
    const std::string_view number = trimmed(type.substr(0, type.find(',')));
    if (!parse_integer(number, 0, INT32_MAX))
        return Error{"GameType takes a number, " + std::to_string(rules.game_type) + " for " +
                     std::string(rules.name) + ", not '" + shown(type) + "'"};
    std::string problem = "GameType '" + shown(type) + "' is not " + std::string(rules.name);
    for (const GameCore* core : all_cores)
        if (names_game(type, core->rules))
            problem += "; say --game " + std::string(core->rules.file_word);
    return Error{problem};
}

std::string find_problem(const Position& position) {
    const auto fault = find_fault(position);
    if (!fault || *fault == PositionFault::no_black || *fault == PositionFault::no_white) return {};
    return "the position has " + std::string(describe(*fault));
}

std::span<const GameCore* const> built_games() {
    return all_cores;
}

const GameCore* find_game(std::string_view word) {
    for (const GameCore* core : all_cores)
        if (core->rules.file_word == word) return core;
    return nullptr;
}

const GameCore* find_game(int game_type) {
    for (const GameCore* core : all_cores)
        if (core->rules.game_type == game_type) return core;
    return nullptr;
}

Result<const GameCore*> game_of(const Arguments& arguments) {
    const std::string_view word = arguments.text("game").value_or(English::file_word);
    if (const GameCore* core = find_game(word)) return core;
    std::string known;
    for (const GameCore* core : all_cores)
        known += ' ' + std::string(core->rules.file_word);
    return Error{"--game: '" + shown(word) + "' is not built into this program; it knows" + known};
}

Result<const GameCore*> game_of(const EngineCalls& engine) {
    const int type = game_type_in(engine.command("get gametype"));
    if (const GameCore* core = find_game(type)) return core;
    return Error{"game type " + std::to_string(type) + " is not known"};
}

int game_type_in(const EngineReply& reply) {
    if (reply.code == 0) return English::game_type;
    // CheckerBoard reads the digits that the answer begins with.
    const std::string_view text = trimmed(reply.text);
    int type = 0;
    std::from_chars(text.data(), text.data() + text.size(), type);
    return type;
}

Result<Position> read_position(const GameRules& rules, std::string_view fen) {
    const Result<Position> position = parse_fen(rules, fen);
    if (!position) return position;
    std::string problem = find_problem(*position);
    if (!problem.empty()) return Error{std::move(problem)};
    DEFIANCE_ASSERT((position->kings & ~position->occupied()) == 0);
    return position;
}

Result<Position> position_of(const GameRules& rules, const Arguments& arguments) {
    const auto fen = arguments.text("fen");
    if (!fen) return rules.start_position();
    const Result<Position> position = read_position(rules, *fen);
    if (!position) return Error{"--fen: " + position.error()};
    return position;
}

}  // namespace defiance
