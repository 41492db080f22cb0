#include <tools/match/make_player.hpp>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/match/engine_player.hpp>
#include <tools/match/hub_player.hpp>
#include <tools/match/middleware_player.hpp>

namespace defiance {
namespace {

Result<std::unique_ptr<Player>> make_library_player(const PlayerSpec& spec,
                                                    const PlayerContext& context) {
    const std::string file = full_path(spec.target);
    Result<std::vector<std::string>> command = loader_command(context.programs, file);
    if (!command) return Error{command.error()};
    // Engines store their options under the name of their file, wherever that lies.
    const std::string stored_as = lower_case(base_name_of(file));
    return std::unique_ptr<Player>(std::make_unique<EnginePlayer>(
        *command, folder_of_engine(spec), stored_as, spec.commands, context));
}

/// The engine of this program. Which book lies beside it must not decide how it plays.
std::unique_ptr<Player> make_own_player(const PlayerSpec& spec, const GameRules& rules,
                                        const PlayerContext& context) {
    DEFIANCE_ASSERT(spec.kind == PlayerSpec::Kind::self);
    std::vector<std::string> words = context.programs.own;
    words.insert(words.end(), {"host", "--self", "--game", std::string(rules.file_word)});
    std::vector<std::string> commands = {"set book 0"};
    commands.insert(commands.end(), spec.commands.begin(), spec.commands.end());
    return std::make_unique<EnginePlayer>(words, spec.folder, "", commands, context);
}

}  // namespace

std::string folder_of_engine(const PlayerSpec& spec) {
    DEFIANCE_ASSERT(spec.kind == PlayerSpec::Kind::library);
    return spec.folder.empty() ? usual_folder(full_path(spec.target)) : spec.folder;
}

Result<std::unique_ptr<Player>> make_player(const PlayerSpec& spec, const GameRules& rules,
                                            const PlayerContext& context) {
    const std::string game(rules.file_word);
    std::vector<std::string> words = context.programs.own;
    switch (spec.kind) {
        case PlayerSpec::Kind::library:
            return make_library_player(spec, context);
        case PlayerSpec::Kind::self:
            return make_own_player(spec, rules, context);
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
