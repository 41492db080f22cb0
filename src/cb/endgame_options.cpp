#include <defiance/base/encoding.hpp>
#include <defiance/base/text.hpp>
#include <defiance/cb/checkerboard_engine.hpp>

namespace defiance {
namespace {

/// CheckerBoard asks with a buffer of 256 bytes for paths, too.
constexpr std::size_t longest_option_path = 250;
/// Bytes of an answer of several lines.
constexpr std::size_t longest_report = 1000;

/// What CheckerBoard shows of a path: all of it if ANSI allows that.
std::string path_shown(const std::string& path) {
    return path_for_ansi(path).value_or(path);
}

/// Carries out `set NAME PATH`: the rest of the line, with the spaces in it.
Reply set_path(const std::string& name, std::string_view text, std::string& path) {
    // CheckerBoard sends back what it showed, where characters may be lost.
    if (text == utf8_from_ansi(ansi_from_utf8(path_shown(path))))
        return done(name + ' ' + std::string(text));
    if (ansi_from_utf8(text).size() > longest_option_path)
        return refused(name + " takes a path of at most " + std::to_string(longest_option_path) +
                       " characters");
    path = text;
    return done(name + ' ' + path);
}

std::string cut_off(std::string text) {
    if (text.size() > longest_report) text.resize(longest_report);
    return text;
}

}  // namespace

std::optional<Reply> CheckerBoardEngine::get_endgame_option(std::string_view what) const {
    const EndgameOptions options = engine_.endgame_options();
    if (what == "dbpath") return done(path_shown(options.folder));
    if (what == "mtcpath") return done(path_shown(options.distance_folder));
    if (what == "dbmbytes") return done(std::to_string(options.mebibytes));
    if (what == "max_dbpieces") return done(std::to_string(options.max_pieces));
    if (what == "enable_wld") return done(options.is_on ? "1" : "0");
    if (what == "enable_mtc") return done(options.use_distances ? "1" : "0");
    return std::nullopt;
}

std::optional<Reply> CheckerBoardEngine::set_endgame_option(std::string_view what,
                                                            std::string_view text) {
    if (what == "check_wld_dir")
        return done(cut_off(engine_.describe_folder(FolderInspector::Contents::databases, text)));
    if (what == "check_mtc_dir")
        return done(cut_off(engine_.describe_folder(FolderInspector::Contents::distances, text)));
    EndgameOptions options = engine_.endgame_options();
    const std::string name(what);
    const auto number = [&](std::int64_t most, auto& option) {
        using Number = std::remove_reference_t<decltype(option)>;
        const auto value = parse_integer(text, 0, most);
        if (!value)
            return refused(name + " takes a whole number from 0 to " + std::to_string(most));
        option = static_cast<Number>(*value);
        // CheckerBoard shows any answer to dbmbytes in a box.
        return done(name == "dbmbytes" ? "" : name + ' ' + std::to_string(*value));
    };
    Reply reply;
    if (what == "dbpath")
        reply = set_path(name, text, options.folder);
    else if (what == "mtcpath")
        reply = set_path(name, text, options.distance_folder);
    else if (what == "dbmbytes")
        reply = number(max_database_mebibytes, options.mebibytes);
    else if (what == "max_dbpieces")
        reply = number(max_database_pieces, options.max_pieces);
    else if (what == "enable_wld")
        reply = set_switch(name, text, [&](bool on) { options.is_on = on; });
    else if (what == "enable_mtc")
        reply = set_switch(name, text, [&](bool on) { options.use_distances = on; });
    else
        return std::nullopt;
    if (reply.code == 1) engine_.set_endgame_options(options);
    return reply;
}

}  // namespace defiance
