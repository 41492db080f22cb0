#include <type_traits>

#include <defiance/base/text.hpp>
#include <defiance/cb/checkerboard_engine.hpp>

#include "reply.hpp"

namespace defiance {
namespace {

/// Longest answer of several lines, in bytes.
constexpr std::size_t max_report = 1000;

std::string cut_off(const std::string& text) {
    return std::string(first_bytes(text, max_report));
}

}  // namespace

std::optional<Reply> CheckerBoardEngine::get_endgame_option(std::string_view what) const {
    const EndgameOptions options = engine_.endgame_options();
    if (what == "dbpath") return done(path_shown(options.folder));
    if (what == "mtcpath") return done(path_shown(options.distance_folder));
    if (const auto text = option_text(options, what)) return done(*text);
    return std::nullopt;
}

std::optional<Reply> CheckerBoardEngine::set_endgame_option(std::string_view what,
                                                            std::string_view text) {
    if (what == "check_wld_dir")
        return done(
            cut_off(engine_.describe_folder(FolderInspector::Contents::databases, unquoted(text))));
    if (what == "check_mtc_dir")
        return done(
            cut_off(engine_.describe_folder(FolderInspector::Contents::distances, unquoted(text))));
    const std::string name(what);
    // Atomic, because CheckerBoard may send another command meanwhile.
    const auto change = [&](auto EndgameOptions::*option, auto value) {
        engine_.change_endgame_options(
            [&](EndgameOptions& options) {
                options.*option = static_cast<std::remove_reference_t<decltype(options.*option)>>(
                    std::move(value));
            },
            what);
    };
    const auto set_folder = [&](std::string EndgameOptions::*option) {
        const auto set = [&](std::string path) -> Result<std::string> {
            // They are opened again even if the name is the same: there may be new files.
            engine_.change_endgame_options([&](EndgameOptions& options) { options.*option = path; },
                                           what, Reopen::always);
            return path;
        };
        return set_path(name, text, engine_.endgame_options().*option, set);
    };
    const auto set_number = [&](std::int64_t most, auto option) {
        const auto value = parse_integer(text, 0, most);
        if (!value)
            return refused(name + " takes a whole number from 0 to " + std::to_string(most));
        change(option, *value);
        return done(name + ' ' + std::to_string(*value));
    };
    const auto set_flag = [&](bool EndgameOptions::*option) {
        return set_switch(name, text, [&](bool on) { change(option, on); });
    };
    if (what == "dbpath") return set_folder(&EndgameOptions::folder);
    if (what == "mtcpath") return set_folder(&EndgameOptions::distance_folder);
    if (what == "max_dbpieces") return set_number(max_database_pieces, &EndgameOptions::max_pieces);
    if (what == "enable_wld") return set_flag(&EndgameOptions::is_on);
    if (what == "enable_mtc") return set_flag(&EndgameOptions::use_distances);
    if (what != "dbmbytes") return std::nullopt;
    Reply reply = set_number(max_database_mebibytes, &EndgameOptions::mebibytes);
    // CheckerBoard shows an answer to dbmbytes that is not empty in a message box.
    if (reply.code == 1) reply.text.clear();
    return reply;
}

}  // namespace defiance
