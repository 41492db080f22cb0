#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

#include <tools/check/finding.hpp>

namespace defiance {
namespace {

Result<int> value_of(CheckedEngine& engine, const std::string& option) {
    const auto reply = engine.command("get " + option);
    if (!reply) return Error{reply.error()};
    const auto number = parse_integer(trimmed(reply->text), 0, INT32_MAX);
    if (!number)
        return Error{"'get " + option + "' answers '" + shown(reply->text) + "', no number"};
    return static_cast<int>(*number);
}

/// Sets the value and asks for it. Error: the engine broke, or says something else.
std::optional<Error> set_and_see(CheckedEngine& engine, const std::string& option, int value) {
    const std::string command = "set " + option + ' ' + std::to_string(value);
    const auto reply = engine.command(command);
    if (!reply) return Error{reply.error()};
    const auto now = value_of(engine, option);
    if (!now) return Error{now.error()};
    if (*now == value) return std::nullopt;
    return Error{"after '" + command + "' it says " + std::to_string(*now)};
}

/// Changes an option and puts it back; `other` makes another value from one.
Finding check_option(CheckedEngine& engine, const std::string& option, int (*other)(int)) {
    const auto asked = engine.command("get " + option);
    if (!asked) return broken({asked.error()});
    if (asked->code == 0) return note("not supported; CheckerBoard greys it");
    const std::string why = "CheckerBoard's options window shows what is not so";
    const auto before = value_of(engine, option);
    if (!before) return fault(before.error(), why);
    DEFIANCE_ASSERT(other(*before) != *before);
    const auto changing = set_and_see(engine, option, other(*before));
    const auto restoring = set_and_see(engine, option, *before);
    if (changing) return fault(changing->text, why);
    if (restoring) return fault(restoring->text, why);
    return pass("set to " + std::to_string(other(*before)) + " and back to " +
                std::to_string(*before));
}

Check option_check(std::string option, int (*other)(int)) {
    std::string name = "option " + option;
    return {std::move(name), [option = std::move(option), other](CheckedEngine& engine) {
                return check_option(engine, option, other);
            }};
}

Finding check_database_memory(CheckedEngine& engine) {
    const auto value = engine.command("get dbmbytes");
    if (!value) return broken({value.error()});
    if (value->code == 0) return note("not supported; CheckerBoard greys it");
    const auto reply = engine.command("set dbmbytes " + value->text);
    if (!reply) return broken({reply.error()});
    if (reply->text.empty()) return pass("set to " + shown(value->text) + " without a word");
    return fault("'set dbmbytes' answers '" + shown(reply->text) + "'",
                 "CheckerBoard shows any answer in a box that waits for a click");
}

/// Sizes are powers of two in CheckerBoard's list.
int other_size(int mebibytes) {
    return mebibytes == 16 ? 32 : 16;
}

int other_switch(int value) {
    return value == 0 ? 1 : 0;
}

}  // namespace

std::vector<Check> option_checks() {
    return {option_check("hashsize", other_size),
            option_check("book", other_switch),
            option_check("allscores", other_switch),
            {"option dbmbytes", check_database_memory}};
}

}  // namespace defiance
