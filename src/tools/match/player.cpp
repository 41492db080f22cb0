#include <tools/match/player.hpp>

#include <array>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>

#include <tools/match/engine_player.hpp>
#include <tools/match/hub_player.hpp>
#include <tools/match/middleware_player.hpp>

namespace defiance {
namespace {

struct EndingText {
    Ending ending;
    std::string_view code;
    std::string_view words;
};
constexpr std::array endings = {
    EndingText{Ending::no_move, "L1", "no move left"},
    EndingText{Ending::illegal_move, "L2", "no legal move"},
    EndingText{Ending::gone, "L3", "the player has gone"},
    EndingText{Ending::too_late, "L4", "out of time"},
    EndingText{Ending::unasked_output, "L5", "unasked output"},
    EndingText{Ending::too_large, "L6", "out of memory"},
    EndingText{Ending::repetition, "D1", "repetition"},
    EndingText{Ending::no_progress, "D2", "no progress"},
    EndingText{Ending::too_long, "D3", "too long"},
    EndingText{Ending::law, "D4", "law of the game"},
    EndingText{Ending::adjudicated, "D5", "adjudicated"},
    EndingText{Ending::aborted, "abort", "aborted"},
};

const EndingText& text_of(Ending ending) {
    const EndingText& text = endings[static_cast<std::size_t>(ending)];
    DEFIANCE_ASSERT(text.ending == ending);
    return text;
}

Result<std::unique_ptr<Player>> make_library_player(const PlayerSpec& spec,
                                                    const PlayerContext& context) {
    const std::string file = full_path(spec.target);
    Result<std::vector<std::string>> command = loader_command(context.programs, file);
    if (!command) return Error{command.error()};
    return std::unique_ptr<Player>(std::make_unique<EnginePlayer>(
        *command, spec.folder.empty() ? usual_folder(file) : spec.folder, spec.commands, context));
}

}  // namespace

std::string_view code_of(Ending ending) {
    return text_of(ending).code;
}

std::string_view describe(Ending ending) {
    return text_of(ending).words;
}

std::optional<Ending> parse_ending(std::string_view code) {
    for (const EndingText& text : endings)
        if (text.code == code) return text.ending;
    return std::nullopt;
}

Turn faulty_turn(Ending fault, std::string detail) {
    Turn turn;
    turn.fault = fault;
    turn.detail = std::move(detail);
    return turn;
}

Result<std::unique_ptr<Player>> make_player(const PlayerSpec& spec, const GameRules& rules,
                                            const PlayerContext& context) {
    const std::string game(rules.file_word);
    std::vector<std::string> words = context.programs.own;
    switch (spec.kind) {
        case PlayerSpec::Kind::library:
            return make_library_player(spec, context);
        case PlayerSpec::Kind::self:
            words.insert(words.end(), {"host", "--self", "--game", game});
            return std::unique_ptr<Player>(
                std::make_unique<EnginePlayer>(words, spec.folder, spec.commands, context));
        case PlayerSpec::Kind::random:
            words.insert(words.end(), {"middleware", "--random", "--seed",
                                       std::to_string(spec.seed), "--setup", "--game", game});
            break;
        case PlayerSpec::Kind::middleware:
        case PlayerSpec::Kind::hub:
            words = split_command(spec.target).value_or(std::vector<std::string>{});
            break;
    }
    DEFIANCE_ASSERT(!words.empty());
    if (spec.kind == PlayerSpec::Kind::hub)
        return std::unique_ptr<Player>(std::make_unique<HubPlayer>(words, spec, rules, context));
    return std::unique_ptr<Player>(
        std::make_unique<MiddlewarePlayer>(words, spec.folder, rules.start_position(), context));
}

}  // namespace defiance
