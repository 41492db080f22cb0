#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include <defiance/base/system.hpp>
#include <tools/support/games.hpp>
#include <tools/support/hub_notation.hpp>
#include <tools/support/hub_session.hpp>

#include "test_programs.hpp"

namespace defiance {

/// A session and what it has answered.
class HubTalk {
public:
    explicit HubTalk(const GameCore& core = core_of<English>)
        : HubTalk({&core, 1, false, {}, HintPolicy::verify, {}}) {}
    explicit HubTalk(const HubSession::Parameters& parameters)
        : session_(parameters, [this](std::string_view line) { return keep(line); }) {}

    void say(std::string_view line) {
        INFO(line);
        CHECK(session_.take(line));
    }
    [[nodiscard]] bool ends_with(std::string_view line) { return !session_.take(line); }

    /// The lines up to the first with this command, which are then forgotten.
    std::vector<std::string> until(const std::string& command) {
        std::unique_lock lock(mutex_);
        const auto found = [&] {
            return std::find_if(lines_.begin(), lines_.end(), [&](const std::string& line) {
                return line == command || line.starts_with(command + ' ');
            });
        };
        REQUIRE(has_news_.wait_for(lock, std::chrono::duration<double>(patience),
                                   [&] { return found() != lines_.end(); }));
        const auto end = found() + 1;
        std::vector<std::string> taken(lines_.begin(), end);
        lines_.erase(lines_.begin(), end);
        return taken;
    }
    /// The first line with this command.
    std::string answer(const std::string& command) { return until(command).back(); }
    [[nodiscard]] bool is_silent() {
        const std::lock_guard lock(mutex_);
        return lines_.empty();
    }

private:
    bool keep(std::string_view line) {
        const std::lock_guard lock(mutex_);
        lines_.emplace_back(line);
        has_news_.notify_all();
        return true;
    }

    std::mutex mutex_;
    std::condition_variable has_news_;
    std::vector<std::string> lines_;
    HubSession session_;
};

/// A search goes on until it is told to end.
inline void check_goes_on(HubTalk& talk) {
    sleep_milliseconds(50);
    talk.say("ping");
    for (const std::string& line : talk.until("pong"))
        CHECK_FALSE(line.starts_with("done"));
}

/// A search goes on for a while, and ends when it is told to.
inline void check_thinks_until_stopped(HubTalk& talk) {
    check_goes_on(talk);
    talk.say("stop");
    talk.answer("done");
}

/// The move that an argument of an answer names.
inline Move hub_move_in(const std::string& done, std::string_view argument, const GameRules& rules,
                        const Position& position) {
    INFO(done);
    const Result<HubLine> line = parse_hub_line(done);
    REQUIRE(line);
    const Result<Move> move =
        parse_hub_move(rules, position, line->value(argument).value_or("absent"));
    REQUIRE(move);
    return *move;
}

/// The line that sets a position of English draughts up.
inline std::string hub_position_line(std::string_view fen) {
    const Result<Position> position = read_position(rules_of<English>, fen);
    REQUIRE(position);
    return "pos pos=" + to_hub_position(rules_of<English>, *position);
}

}  // namespace defiance
