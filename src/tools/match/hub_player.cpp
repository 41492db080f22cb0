#include <tools/match/hub_player.hpp>

#include <algorithm>
#include <cmath>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/hub_notation.hpp>

namespace defiance {
namespace {

constexpr double hub_write_seconds = 5;
/// Seconds that a program has to answer `ping`.
constexpr double ping_seconds = 10;
/// Seconds that a program has to end after `quit`.
constexpr double quit_seconds = 1;
/// Parameters that a program may declare; more of them are not read.
constexpr std::size_t max_parameters = 200;
/// Lines that may wait to be read before a turn.
constexpr int max_unread_lines = 1000;
/// Largest numbers of an `info` line that are read; the speed is in millions of nodes a second.
constexpr double largest_figure_told = 1e6;
constexpr double largest_speed_told = 1e3;

/// A score in men, in the words of a status line: above 90 men it tells the plies to the end.
std::string value_text(double men) {
    const double size = std::abs(men);
    if (size <= 90 || size > 100) return std::to_string(std::lround(men * 100));
    const long plies = std::lround((100 - size) * 100);
    return (men > 0 ? "won in " : "lost in ") + std::to_string(plies) + " plies";
}

/// What an `info` line tells, as a status line.
std::string status_text(const HubLine& info) {
    std::string status;
    const auto add = [&](const std::string& text) { status += (status.empty() ? "" : " ") + text; };
    const auto number = [&](std::string_view name, double largest = largest_figure_told) {
        return parse_hub_number(info.value(name).value_or(""), largest);
    };
    if (const auto depth = number("depth")) add("depth " + fixed(*depth, 0));
    if (const auto score = number("score")) add("value=" + value_text(*score));
    if (const auto speed = number("nps", largest_speed_told))
        add("speed " + fixed(*speed, 3) + " Mn/s");
    return status;
}

bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty())
        if (take_word(words) == word) return true;
    return false;
}

std::string list_of(const std::vector<std::string_view>& names) {
    std::string list;
    for (const std::string_view name : names)
        list += (list.empty() ? "" : ", ") + shown(name);
    return list.empty() ? "none" : list;
}

}  // namespace

HubPlayer::~HubPlayer() {
    if (!process_) return;
    static_cast<void>(process_->write("quit\n", quit_seconds));
    process_->finish(quit_seconds);
}

/// Keeps the parameters and the last line of every other command.
void HubPlayer::remember(HubLine line, Reply& reply) const {
    if (line.command == "error" && printed_)
        printed_("error: " + shown(line.value("message").value_or(""), 200));
    const auto same = std::find_if(reply.told.begin(), reply.told.end(), [&](const HubLine& other) {
        return line.command != "param" && other.command == line.command;
    });
    if (same != reply.told.end())
        *same = std::move(line);
    else if (reply.told.size() < max_parameters)
        reply.told.push_back(std::move(line));
}

/// Waits for the command, and tells the program to stop `margin` seconds before the limit if it has
/// not come by then.
HubPlayer::Reply HubPlayer::await_command(std::string_view command, double limit, double margin) {
    DEFIANCE_ASSERT(process_ && margin >= 0 && limit >= margin);
    const Stopwatch stopwatch;
    Reply reply;
    bool is_stopped = margin == 0;
    std::string text;
    for (;;) {
        const double now = stopwatch.seconds();
        reply.reading = LineProcess::Reading::too_late;
        if (now >= limit) return reply;
        if (!is_stopped && now >= limit - margin) {
            is_stopped = true;
            static_cast<void>(process_->write("stop\n", margin));
        }
        const double next = is_stopped ? limit : limit - margin;
        reply.reading = process_->read_line(text, longest_hub_line, next - now, is_abandoned_);
        if (reply.reading == LineProcess::Reading::too_late) continue;
        if (reply.reading != LineProcess::Reading::line) return reply;
        Result<HubLine> line = parse_hub_line(text);
        if (!line) continue;
        if (line->command == command) {
            reply.line = *std::move(line);
            return reply;
        }
        remember(*std::move(line), reply);
    }
}

Result<HubPlayer::Reply> HubPlayer::ask(const std::string& question, std::string_view command,
                                        double seconds) {
    DEFIANCE_ASSERT(process_ && !command.empty());
    // Whether the program has read it shows at its answer.
    static_cast<void>(process_->write(question, hub_write_seconds));
    Reply reply = await_command(command, seconds, 0);
    const std::string what = " '" + std::string(command) + '\'';
    switch (reply.reading) {
        case LineProcess::Reading::line:
            return reply;
        case LineProcess::Reading::too_long:
            return Error{"a line of more than " + std::to_string(longest_hub_line) +
                         " bytes instead of" + what};
        case LineProcess::Reading::closed:
            return Error{"it has ended or closed its output before" + what};
        case LineProcess::Reading::abandoned:
            return Error{"nobody waits any more for" + what};
        default:
            return Error{"it has not answered" + what + " within " + fixed(seconds, 0) +
                         " seconds"};
    }
}

/// The lines that set the game and the parameters of the user.
Result<std::string> HubPlayer::settings_for(const std::vector<HubLine>& declared) const {
    std::string settings;
    const auto set = [&](std::string_view name, std::string_view value) {
        settings += hub_line("set-param").add("name", name).add("value", value).text() + '\n';
    };
    std::vector<std::string_view> names;
    for (const HubLine& line : declared) {
        if (line.command != "param") continue;
        names.push_back(line.value("name").value_or(""));
        if (names.back() != "variant") continue;
        const std::string_view values = line.value("values").value_or("");
        if (!values.empty() && !has_word(values, variant_))
            return Error{"it does not play " + variant_ + ", but " + shown(values, 120)};
        if (line.value("value") != variant_) set("variant", variant_);
    }
    for (const auto& [name, value] : parameters_) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            return Error{"it has no parameter '" + shown(name) + "'; it declares " +
                         list_of(names)};
        set(name, value);
    }
    return settings;
}

std::optional<Error> HubPlayer::introduce() {
    const Result<Reply> introduction = ask("hub\n", "wait", policy_.startup);
    if (!introduction) return Error{introduction.error()};
    for (const HubLine& line : introduction->told) {
        if (line.command != "id") continue;
        const std::string name = std::string(line.value("name").value_or("")) + ' ' +
                                 std::string(line.value("version").value_or(""));
        name_ = shown(trimmed(name), 60);
    }
    const Result<std::string> settings = settings_for(introduction->told);
    if (!settings) return Error{settings.error()};
    const Result<Reply> ready = ask(*settings + "init\n", "ready", policy_.startup);
    if (!ready) return Error{ready.error()};
    for (const HubLine& line : ready->told)
        if (line.command == "error")
            return Error{"it refuses its parameters: " +
                         shown(line.value("message").value_or(""), 200)};
    return std::nullopt;
}

std::optional<Error> HubPlayer::start() {
    process_.reset();
    Result<LineProcess> process = LineProcess::start(words_, folder_, printed_);
    if (!process) return Error{process.error()};
    process_.emplace(*std::move(process));
    std::optional<Error> problem = introduce();
    if (problem) process_.reset();
    return problem;
}

std::optional<Error> HubPlayer::begin_game(const CbGame&) {
    // A program that has ended or hangs since its last game does not lose this one.
    if (process_ && ask("new-game\nping\n", "pong", ping_seconds)) return std::nullopt;
    return start();
}

/// Reads what the program has written since its last turn.
bool HubPlayer::has_unasked_move() {
    DEFIANCE_ASSERT(process_);
    const auto is_move = [](std::string_view text) {
        const Result<HubLine> line = parse_hub_line(text);
        return line && line->command == "done";
    };
    std::string text;
    for (int i = 0; i < max_unread_lines; ++i) {
        const std::string& unread = process_->unread();
        if (process_->read_line(text, longest_hub_line, 0, is_abandoned_) !=
            LineProcess::Reading::line) {
            // A last line without end must not be taken for the answer to what is asked next.
            if (!is_move(unread)) return false;
            process_->drop_unread();
            return true;
        }
        if (is_move(text)) return true;
    }
    return true;
}

std::string HubPlayer::question(const CbGame& game, const Allowance& allowance) const {
    std::string moves;
    for (const Move& move : game.reversible_moves())
        moves += (moves.empty() ? "" : " ") + to_hub_move(game.rules(), move);
    HubLine position = hub_line("pos");
    position.add("pos", to_hub_position(game.rules(), game.reversible_start()));
    if (!moves.empty()) position.add("moves", moves);
    HubLine level = hub_line("level");
    if (depth_ != 0) level.add("depth", std::to_string(depth_));
    if (nodes_ != 0) level.add("nodes", std::to_string(nodes_));
    switch (allowance.kind) {
        case TimeSettings::Kind::average:
        case TimeSettings::Kind::exact:
            level.add("move-time", fixed(allowance.seconds, 3));
            break;
        case TimeSettings::Kind::increment:
            if (allowance.moves_left > 0) level.add("moves", std::to_string(allowance.moves_left));
            // The protocol's clock does not contain the increment of this move yet.
            level.add("time", fixed(std::max(0.0, allowance.remaining - allowance.increment), 3));
            if (allowance.increment > 0) level.add("inc", fixed(allowance.increment, 3));
            break;
        case TimeSettings::Kind::unlimited:
            if (depth_ == 0 && nodes_ == 0) level.add("infinite");
            break;
    }
    return position.text() + '\n' + level.text() + "\ngo think\n";
}

Turn HubPlayer::judge(CbGame& game, const Reply& reply) const {
    switch (reply.reading) {
        case LineProcess::Reading::too_long:
            return faulty_turn(
                Ending::illegal_move,
                "a line of more than " + std::to_string(longest_hub_line) + " bytes");
        case LineProcess::Reading::too_late:
            return faulty_turn(Ending::too_late, "no answer");
        case LineProcess::Reading::closed:
            return faulty_turn(Ending::gone, "it has ended or closed its output");
        case LineProcess::Reading::abandoned:
            return faulty_turn(Ending::aborted, {});
        case LineProcess::Reading::line:
            break;
    }
    const Result<Move> move =
        parse_hub_move(game.rules(), game.position(), reply.line.value("move").value_or(""));
    if (!move) return faulty_turn(Ending::illegal_move, move.error() + " in " + game.fen());
    DEFIANCE_ASSERT(game.has_move());
    game.play(*move);
    Turn turn;
    for (const HubLine& line : reply.told)
        if (line.command == "info") turn.status = status_text(line);
    return turn;
}

Turn HubPlayer::take_turn(CbGame& game, const Allowance& allowance) {
    DEFIANCE_ASSERT(process_ && game.has_move());
    const Stopwatch stopwatch;
    Turn turn;
    if (has_unasked_move() && policy_.is_strict) {
        turn = faulty_turn(Ending::unasked_output, "it moved when it was not asked");
    } else {
        static_cast<void>(process_->write(question(game, allowance), allowance.limit));
        turn = judge(game, await_command("done", allowance.limit, allowance.margin));
    }
    turn.seconds = stopwatch.seconds();
    if (!turn.fault && policy_.memory != 0 && process_->resident_bytes() > policy_.memory)
        turn.fault = Ending::too_large;
    if (turn.fault) process_.reset();
    return turn;
}

}  // namespace defiance
