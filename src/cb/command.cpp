#include <new>
#include <optional>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/encoding.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/base/version.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/engine/game_tracker.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>

#include "engine_name.hpp"
#include "indented_lines.hpp"
#include "movelist.hpp"
#include "reply.hpp"

namespace defiance {
namespace {

const Reply not_supported = {0, "?"};

/// Bytes for the text of `about`. The databases get what the rest leaves, 250 or more.
constexpr std::size_t max_about = 1023;
constexpr std::size_t max_about_evaluation = 200;
constexpr std::size_t max_about_book = 230;

/// CheckerBoard takes the path of the help page into a buffer of 256 bytes.
constexpr std::size_t max_help_path = 249;

/// The path of this file as CheckerBoard can take it, in ANSI and short; nothing when it has no
/// such form.
std::optional<std::string> path_for_gui(const std::string& file) {
    std::optional<std::string> path = path_for_ansi(file);
    if (path && ansi_from_utf8(*path).size() > max_help_path) path.reset();
    return path;
}

/// Path of a file with the help page, in UTF-8 but fit for ANSI: defiance.htm beside the module, or
/// else `page`, written to the user's temporary folder under its own name. Empty when that fails.
std::string help_file(const GameRules& rules, std::string_view page) {
    const std::string beside = folder_of(module_path()) + "defiance.htm";
    if (file_exists(beside))
        if (auto path = path_for_gui(beside)) return *std::move(path);
    const std::string folder = temporary_folder();
    if (folder.empty()) return {};
    const std::string written = folder + "defiance_" + std::string(rules.file_word) + ".htm";
    // A program that shows the page may keep it from being replaced, and need not: it is the same.
    const Result<std::string> there = read_file(written, page.size());
    if (!(there && *there == page) && write_file(written, page)) return {};
    return path_for_gui(written).value_or(std::string());
}

/// The reply to `get movelist`.
std::string movelist_text(const GameCore& core, const Position& position) {
    try {
        return report_moves(core, position).text();
    } catch (const std::bad_alloc&) {
        return report_any_moves(core.rules, position).text();
    }
}

/// Lines of `about` on what commands alone have set and is easily forgotten; empty without it.
std::string limits_and_analysis(const Engine& engine) {
    std::string limits;
    const auto add = [&](const std::string& limit) {
        limits += (limits.empty() ? "\nlimits: " : ", ") + limit;
    };
    if (const int depth = engine.depth_limit(); depth != 0) add("depth " + std::to_string(depth));
    if (const std::uint64_t nodes = engine.node_limit(); nodes != 0)
        add("nodes " + std::to_string(nodes));
    return limits + (engine.is_analysis() ? "\nanalysis: on, no book and no hinted moves" : "");
}

}  // namespace

CheckerBoardEngine::CheckerBoardEngine(const GameCore& core, std::string settings_section,
                                       std::string_view help_page)
    : rules_(core.rules), help_page_(help_page), engine_(core, std::move(settings_section)) {}

std::string CheckerBoardEngine::about() {
    const Options options = engine_.options();
    DEFIANCE_ASSERT(engine_name(rules_).size() <= 30);
    const std::string evaluation = engine_.evaluation_report();
    const std::string book = engine_.book_report();
    const std::vector<std::string> endgames = engine_.endgame_report();
    std::string text =
        engine_name(rules_) + "\nversion " + std::string(version) +
        ", by the Defiance authors\nfree software under the MIT licence\n\nplays " +
        std::string(rules_.name) + " draughts (game type " + std::to_string(rules_.game_type) +
        ")\nhash table: " + std::to_string(options.hash_mebibytes) +
        " MB\nthreads: " + std::to_string(options.search_threads) + limits_and_analysis(engine_) +
        "\nopening book: " + std::string(first_bytes(book, max_about_book)) +
        "\nevaluation: " + std::string(first_bytes(evaluation, max_about_evaluation)) +
        "\nendgame databases:";
    DEFIANCE_ASSERT(text.size() + 250 <= max_about);
    text += endgames.empty() ? " none"
                             : indented_lines(endgames, not_used_mark, max_about - text.size());
    return text;
}

void CheckerBoardEngine::note_fault(std::string fault) {
    const std::lock_guard lock(mutex_);
    position_fault_ = std::move(fault);
}

Reply CheckerBoardEngine::answer_movelist(std::string_view fen) {
    try {
        return list_moves(fen);
    } catch (const std::bad_alloc&) {
        if (!has_answered_movelist_.load(std::memory_order_relaxed)) throw;
        return done("movelist 0");  // as after a fault below
    }
}

Reply CheckerBoardEngine::list_moves(std::string_view fen) {
    const Result<Position> position = parse_fen(rules_, fen);
    // CheckerBoard tests this command with a position in which a side has no pieces and no moves.
    const bool has_pieces = !position || position->own() != 0;
    std::string fault;
    if (!position) fault = position.error();
    if (position && has_pieces)
        if (const auto found = find_fault(*position)) fault = describe(*found);
    DEFIANCE_ASSERT(position || !fault.empty());
    if (position && has_pieces) note_fault(fault);
    // Who has no moves has lost, so they are told also when there is nobody to play against.
    if (!fault.empty() && !(position && has_lost_all(*position))) {
        // After one success CheckerBoard uses the reply even when the command fails.
        if (has_answered_movelist_.load(std::memory_order_relaxed)) return done("movelist 0");
        return refused("movelist: " + fault);
    }
    std::string text = has_pieces ? movelist_text(engine_.core(), *position) : "movelist 0";
    has_answered_movelist_.store(true, std::memory_order_relaxed);
    return done(std::move(text));
}

Reply CheckerBoardEngine::answer_hint() const {
    std::unique_lock lock(mutex_);
    if (!position_fault_.empty()) return done("This position cannot be played: " + position_fault_);
    lock.unlock();
    return done(engine_.advice());
}

Reply CheckerBoardEngine::answer_get(std::string_view rest) {
    const std::string_view what = take_word(rest);
    if (what == "movelist" && can_report_moves(rules_)) return answer_movelist(rest);
    if (!rest.empty()) return not_supported;
    if (what == "protocolversion") return done("2");
    if (what == "gametype") return done(std::to_string(rules_.game_type));
    if (what == "cpus") return done(std::to_string(processor_count()));
    if (what == "evalfile") return done(path_shown(engine_.evaluation_file()));
    if (what == "bookfile") return done(path_shown(engine_.book_file()));
    if (what == "hints") return answer_hints();
    if (what == "analysis") return done(engine_.is_analysis() ? "1" : "0");
    if (what == "depth") return done(std::to_string(engine_.depth_limit()));
    if (what == "nodes") return done(std::to_string(engine_.node_limit()));
    if (auto text = option_text(engine_.options(), what)) return done(*std::move(text));
    return get_endgame_option(what).value_or(not_supported);
}

Reply CheckerBoardEngine::set_history(std::string_view text) {
    Result<Game> game = parse_history(rules_, text);
    if (!game) {
        engine_.set_history(std::nullopt);
        note_fault(game.error());
        return refused("gamehist: " + game.error());
    }
    note_fault({});
    Reply reply = done("gamehist " + to_fen(rules_, game->position()));
    engine_.set_history(*game);
    return reply;
}

Reply CheckerBoardEngine::answer_set(std::string_view rest) {
    const std::string_view what = take_word(rest);
    if (what == "gamehist") return set_history(rest);
    if (auto reply = take_hint(what, rest)) return *std::move(reply);
    if (what == "hashsize") return set_hash_size(rest);
    if (what == "searchthreads") return set_search_threads(rest);
    if (what == "claim") return set_claim(rest);
    if (what == "hintpolicy") return set_hint_policy(rest);
    if (what == "analysis")
        return set_switch("analysis", rest, [&](bool on) { engine_.set_analysis(on); });
    if (what == "book") return set_book(rest);
    if (what == "bookfile") return set_book_file(rest);
    if (what == "bookseed") return set_book_seed(rest);
    if (what == "evalfile") return set_evaluation_file(rest);
    if (what == "depth") return set_depth(rest);
    if (what == "nodes") return set_nodes(rest);
    if (what == "parameter") return set_search_parameter(rest);
    if (what == "gametype" && rest == std::to_string(rules_.game_type))
        return done("gametype " + std::string(rest));
    if (what == "allscores")
        return set_switch("allscores", rest, [&](bool on) { engine_.set_all_scores(on); });
    if (what == "solve") return set_switch("solve", rest, [&](bool on) { engine_.set_solve(on); });
    return set_endgame_option(what, rest).value_or(not_supported);
}

Reply CheckerBoardEngine::answer(std::string_view command) {
    const std::string_view verb = take_word(command);
    if (verb == "get") return answer_get(command);
    if (verb == "set") return answer_set(command);
    if (verb == "staticevaluation") return static_evaluation(command);
    if (auto reply = take_hint(verb, command)) return *std::move(reply);
    if (!command.empty()) return not_supported;
    if (verb == "name") return done(engine_name(rules_));
    if (verb == "about") return done(about());
    if (verb == "hint") return answer_hint();
    if (verb == "help") {
        const std::string file = help_file(rules_, help_page_);
        DEFIANCE_ASSERT(ansi_from_utf8(file).size() <= max_help_path);
        return file.empty() ? refused("help: the page cannot be written") : done(file);
    }
    return not_supported;
}

}  // namespace defiance
