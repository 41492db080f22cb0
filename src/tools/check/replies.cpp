#include <algorithm>
#include <array>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

#include <tools/check/finding.hpp>

namespace defiance {
namespace {

/// CheckerBoard reads most replies into 256 bytes; some are left for safety.
constexpr std::size_t reply_room = 250;
constexpr std::size_t name_room = 230;
constexpr std::size_t whole_buffer = 1024;

std::string described(const EngineReply& reply) {
    return "answers " + std::to_string(reply.code) + " '" + shown(reply.text, 60) + "'";
}

/// What is wrong with the way the reply was written; `room` is what CheckerBoard has for it.
std::optional<Finding> find_format_fault(const EngineReply& reply, std::size_t room) {
    DEFIANCE_ASSERT(room <= whole_buffer);
    if (reply.text.size() >= whole_buffer)
        return fault("the reply has no end mark", "CheckerBoard reads on into other memory");
    if (reply.text.size() >= room)
        return fault("the reply has " + std::to_string(reply.text.size()) + " bytes",
                     "CheckerBoard often has room for 256 only and crashes");
    if (!reply.fault.empty())
        return fault("it writes bytes behind the end of the reply",
                     "CheckerBoard's memory for it is often shorter than 1024 bytes: it crashes");
    return std::nullopt;
}

Finding check_exports(CheckedEngine& engine) {
    const std::string width = std::to_string(engine.bits()) + "-bit, exports ";
    if (engine.has_is_legal()) return pass(width + "getmove, enginecommand and islegal");
    const std::string seen = width + "getmove and enginecommand, no islegal";
    if (engine.plays_english()) return note(seen + "; CheckerBoard uses its own rules of English");
    if (engine.has_movelist()) return note(seen + ", but tells its moves by get movelist");
    return fault(seen + " and no get movelist",
                 "CheckerBoard lets the user play by the rules of English");
}

Finding check_name(CheckedEngine& engine) {
    const auto reply = engine.command("name");
    if (!reply) return broken({reply.error()});
    if (const auto format = find_format_fault(*reply, name_room)) return *format;
    if (reply->code == 0 || reply->text.empty())
        return fault(described(*reply), "CheckerBoard cannot show which engine plays");
    if (reply->text.find('"') != std::string::npos)
        return fault(described(*reply), "the quotation mark breaks the PDN files of matches");
    return pass(described(*reply));
}

Finding check_game_type(CheckedEngine& engine) {
    const auto reply = engine.command("get gametype");
    if (!reply) return broken({reply.error()});
    if (reply->code == 0) return note(described(*reply) + ", which CheckerBoard takes for English");
    constexpr std::array types = {21, 22, 24, 25, 26, 29};
    const auto number = parse_integer(trimmed(reply->text), 0, 1000);
    if (!number || std::find(types.begin(), types.end(), *number) == types.end())
        return fault(described(*reply) + ", none of 21, 22, 24, 25, 26 and 29",
                     "CheckerBoard has no board and no square numbers for it");
    return pass(described(*reply));
}

/// Checks how the reply to a command is written, not what it says.
Check format_check(std::string name, const std::string& command, std::size_t room) {
    DEFIANCE_ASSERT(!name.empty() && !command.empty());
    return {std::move(name), [command, room](CheckedEngine& engine) {
                const auto reply = engine.command(command);
                if (!reply) return broken({reply.error()});
                const auto format = find_format_fault(*reply, room);
                return format ? *format : pass(described(*reply));
            }};
}

/// Checks that a command which no engine knows is refused.
Check refusal_check(std::string name, const std::string& command) {
    DEFIANCE_ASSERT(!name.empty());
    return {std::move(name), [command](CheckedEngine& engine) {
                const auto reply = engine.command(command);
                if (!reply) return broken({reply.error()});
                if (const auto format = find_format_fault(*reply, reply_room)) return *format;
                if (reply->code != 0)
                    return fault(described(*reply),
                                 "CheckerBoard believes that it can do what it cannot");
                return pass(described(*reply));
            }};
}

}  // namespace

std::vector<Check> reply_checks() {
    std::vector<Check> checks = {
        {"file", check_exports}, {"name", check_name}, {"get gametype", check_game_type}};
    for (const char* command : {"get gametype", "get book", "get movelist B:W1:B", "get hashsize",
                                "get protocolversion", "help"})
        checks.push_back(format_check("reply to " + std::string(command), command, reply_room));
    checks.push_back(format_check("reply to about", "about", whole_buffer));
    checks.push_back(refusal_check("unknown command", "no engine knows this"));
    checks.push_back(refusal_check("command of 255 bytes", std::string(255, 'x')));
    checks.push_back(refusal_check("empty command", ""));
    return checks;
}

}  // namespace defiance
