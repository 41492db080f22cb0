#include <tools/match/engine_process.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/text.hpp>
#include <tools/match/engine_protocol.hpp>

namespace defiance {
namespace {

constexpr double write_seconds = 5;
/// The longest single wait; between waits the time limit and is_abandoned are checked.
constexpr double slice = 0.1;
constexpr std::size_t longest_line = 1 << 20;
/// Lines that nobody has asked for yet. No more than a few belong to the protocol.
constexpr std::size_t most_lines = 100;

bool begins_with(std::string_view line, std::string_view word) {
    return line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ');
}

std::string after_word(const std::string& line, std::string_view word) {
    return line.size() > word.size() ? line.substr(word.size() + 1) : std::string();
}

std::optional<CBmove> parse_numbers(std::string_view text) {
    bool is_good = true;
    const auto next = [&] {
        const auto number = parse_integer(take_word(text), INT32_MIN, INT32_MAX);
        is_good = is_good && number.has_value();
        return static_cast<int>(number.value_or(0));
    };
    const auto next_square = [&](coor& square) {
        square.x = next();
        square.y = next();
    };
    CBmove move{};
    move.jumps = next();
    move.newpiece = next();
    move.oldpiece = next();
    next_square(move.from);
    next_square(move.to);
    for (coor& square : move.path)
        next_square(square);
    for (coor& square : move.del)
        next_square(square);
    for (int& piece : move.delpiece)
        piece = next();
    return is_good ? std::optional(move) : std::nullopt;
}

}  // namespace

Result<EngineProcess> EngineProcess::start(const std::vector<std::string>& command,
                                           const std::string& folder, double seconds,
                                           LineSink printed,
                                           const std::atomic<bool>* is_abandoned) {
    Result<LoggedProcess> process = LoggedProcess::start(command, folder, std::move(printed));
    if (!process) return Error{process.error()};
    EngineProcess engine(*std::move(process));
    const Stopwatch stopwatch;
    for (;;) {
        std::string rest;
        const Wait wait = engine.wait_for("ready", rest, slice);
        if (wait == Wait::line) {
            std::string_view words = rest;
            engine.bits_ = static_cast<int>(parse_integer(take_word(words), 0, 64).value_or(0));
            engine.has_is_legal_ = words == "1";
            return engine;
        }
        for (const std::string& line : engine.lines_)
            if (begins_with(line, "failed"))
                return Error{shown(engine_line::unescaped(after_word(line, "failed")), 300)};
        if (wait == Wait::ended) return Error{engine.end_problem()};
        if (is_abandoned != nullptr && *is_abandoned)
            return Error{"nobody waits any more for it to be loaded"};
        if (stopwatch.seconds() > seconds)
            return Error{"it is not loaded after " + fixed(seconds, 0) + " seconds"};
    }
}

bool EngineProcess::send(const std::string& line) {
    DEFIANCE_ASSERT(!line.empty());
    return process_->write(line + '\n', write_seconds);
}

void EngineProcess::cut_lines() {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = unread_.find('\n', begin)) != std::string::npos;) {
        lines_.push_back(unread_.substr(begin, end - begin));
        begin = end + 1;
        if (lines_.back().ends_with('\r')) lines_.back().pop_back();
        if (begins_with(lines_.back(), "overflow"))
            overflow_ = after_word(lines_.back(), "overflow");
    }
    unread_.erase(0, begin);
}

EngineProcess::Wait EngineProcess::wait_for(std::string_view word, std::string& rest,
                                            double seconds) {
    const Stopwatch stopwatch;
    DEFIANCE_ASSERT(!word.empty());
    for (bool has_read = false;; has_read = true) {
        cut_lines();
        const auto found = std::find_if(lines_.begin(), lines_.end(),
                                        [&](const auto& line) { return begins_with(line, word); });
        if (found != lines_.end()) {
            rest = after_word(*found, word);
            lines_.erase(found);
            return Wait::line;
        }
        if (!overflow_.empty() || unread_.size() > longest_line) return Wait::ended;
        if (lines_.size() > most_lines)
            lines_.erase(lines_.begin(), lines_.end() - static_cast<std::ptrdiff_t>(most_lines));
        const double left = std::max(0.0, seconds - stopwatch.seconds());
        // An engine that writes without end always has something to read.
        if (has_read && left <= 0) return Wait::too_late;
        switch (process_->read(unread_, left)) {
            case Process::Read::data:
                break;
            case Process::Read::closed:
                return Wait::ended;
            case Process::Read::too_late:
                if (!process_->wait(0)) return Wait::too_late;
                // Output that it wrote before it ended may have arrived meanwhile.
                if (process_->read(unread_, 0) != Process::Read::data) return Wait::ended;
        }
    }
}

std::string EngineProcess::end_problem() const {
    return overflow_.empty() ? "its process ended" : overflow_;
}

Result<std::string> EngineProcess::ask(const std::string& line, std::string_view word,
                                       double seconds) {
    if (!send(line)) return Error{end_problem()};
    std::string rest;
    switch (wait_for(word, rest, seconds)) {
        case Wait::line:
            return rest;
        case Wait::ended:
            return Error{end_problem()};
        default:
            return Error{"no answer within " + fixed(seconds, 0) + " seconds"};
    }
}

Result<EngineReply> EngineProcess::command(std::string_view text, double seconds) {
    const auto answer = ask("command " + engine_line::escaped(text), "reply", seconds);
    if (!answer) return Error{answer.error()};
    std::string_view rest = *answer;
    EngineReply reply;
    reply.code = static_cast<int>(parse_integer(take_word(rest), INT32_MIN, INT32_MAX).value_or(0));
    // The protocol tells only that there is a fault, not which one.
    if (take_word(rest) == "1") reply.fault = "more than the reply was written";
    reply.text = engine_line::unescaped(rest);
    return reply;
}

bool EngineProcess::ask_move(std::string_view command, const CbBoard& board, int color,
                             double seconds, int info, int more_info) {
    DEFIANCE_ASSERT(color == cb_black || color == cb_white);
    DEFIANCE_ASSERT(command.find('\0') == std::string_view::npos);
    std::string lines;
    if (!command.empty()) lines = "command " + engine_line::escaped(command) + '\n';
    lines += "move " + std::to_string(color) + ' ' + fixed(seconds, 6) + ' ' +
             std::to_string(info) + ' ' + std::to_string(static_cast<std::uint32_t>(more_info)) +
             ' ' + engine_line::board_text(board);
    return send(lines);
}

void EngineProcess::stop() {
    static_cast<void>(send("stop"));
}

EngineProcess::Moved EngineProcess::await_move(double limit, double margin,
                                               const std::atomic<bool>& is_abandoned) {
    const Stopwatch stopwatch;
    Moved moved;
    bool is_stopped = false;
    DEFIANCE_ASSERT(margin >= 0 && limit >= margin);
    std::string rest;
    for (;;) {
        const double now = stopwatch.seconds();
        if (is_abandoned) {
            moved.outcome = Moved::Outcome::abandoned;
            return moved;
        }
        if (!is_stopped && now >= limit - margin) {
            is_stopped = true;
            stop();
        }
        moved.seconds = now;
        moved.outcome = Moved::Outcome::too_late;
        if (now >= limit) return moved;
        const double next = is_stopped ? limit - now : limit - margin - now;
        const Wait wait = wait_for("moved", rest, std::min(slice, next));
        moved.seconds = stopwatch.seconds();
        if (wait == Wait::too_late) continue;
        moved.outcome = Moved::Outcome::ended;
        moved.problem = end_problem();
        if (wait == Wait::ended) return moved;
        // The reply to the command that was sent along with the request is not needed.
        lines_.clear();
        break;
    }
    std::string_view words = rest;
    const auto result = parse_integer(take_word(words), INT32_MIN, INT32_MAX);
    const auto used = parse_decimal(take_word(words), 1e9);
    const auto board = engine_line::parse_board(take_word(words));
    if (!result || !used || !board) return moved;
    moved.outcome = Moved::Outcome::moved;
    moved.problem.clear();
    moved.result = static_cast<int>(*result);
    moved.engine_seconds = *used;
    moved.board = *board;
    moved.status = engine_line::unescaped(words);
    return moved;
}

Result<int> EngineProcess::is_legal(const CbBoard& board, int color, int from, int to,
                                    double seconds) {
    DEFIANCE_ASSERT(color == cb_black || color == cb_white);
    const auto answer = ask("legal " + std::to_string(color) + ' ' + std::to_string(from) + ' ' +
                                std::to_string(to) + ' ' + engine_line::board_text(board),
                            "legal", seconds);
    if (!answer) return Error{answer.error()};
    return static_cast<int>(parse_integer(*answer, INT32_MIN, INT32_MAX).value_or(0));
}

Result<CBmove> EngineProcess::last_move(double seconds) {
    const auto answer = ask("describe", "described", seconds);
    if (!answer) return Error{answer.error()};
    const auto move = parse_numbers(*answer);
    if (!move) return Error{"the description of a move cannot be read"};
    return *move;
}

}  // namespace defiance
