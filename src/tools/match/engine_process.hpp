#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/match/engine_log.hpp>
#include <tools/support/engine_calls.hpp>

namespace defiance {

/// How long an engine may take to load: starting Wine itself for the first time may take that long.
inline constexpr double load_seconds = 60;

/// An engine in a process of its own, which may crash or hang without harm to this one. The process
/// ends with the object. Serves one thread.
class EngineProcess {
public:
    /// The outcome of a request for a move.
    struct Moved {
        enum class Outcome { moved, too_late, ended, abandoned };
        Outcome outcome = Outcome::ended;
        int result = 0;             ///< what getmove returned
        double engine_seconds = 0;  ///< time within getmove
        double seconds = 0;         ///< from asking to the answer
        CbBoard board;
        std::string status;
        std::string problem = "its process ended";  ///< why there is no move
    };

    /// Starts the process and waits for the engine to be loaded, until `is_abandoned` if there is
    /// such a flag. Error: why that failed. `printed` takes what the engine prints; without it that
    /// goes to our standard error.
    static Result<EngineProcess> start(const std::vector<std::string>& command,
                                       const std::string& folder, double seconds,
                                       LineSink printed = {},
                                       const std::atomic<bool>* is_abandoned = nullptr);

    [[nodiscard]] int bits() const { return bits_; }
    [[nodiscard]] bool has_is_legal() const { return has_is_legal_; }

    /// Sends a command. Error: the process has ended, or gave no answer in time.
    [[nodiscard]] Result<EngineReply> command(std::string_view text, double seconds);

    /// Sends a command, unless it is empty, and the request for a move in one write. False when the
    /// process does not accept it; after true, await_move must follow.
    [[nodiscard]] bool ask_move(std::string_view command, const CbBoard& board, int color,
                                double seconds, int info, int more_info);
    /// Tells the engine to stop thinking and to move.
    void stop();
    /// Waits for the move; tells the engine to stop `margin` seconds before the limit.
    /// `is_abandoned` is looked at from time to time.
    [[nodiscard]] Moved await_move(double limit, double margin,
                                   const std::atomic<bool>& is_abandoned);

    /// Asks islegal. Error as for command().
    [[nodiscard]] Result<int> is_legal(const CbBoard& board, int color, int from, int to,
                                       double seconds);
    /// The CBmove of the last getmove or islegal. Error as for command().
    [[nodiscard]] Result<CBmove> last_move(double seconds);

    [[nodiscard]] std::uint64_t resident_bytes() const { return process_->resident_bytes(); }

private:
    enum class Wait { line, too_late, ended };

    explicit EngineProcess(LoggedProcess process) : process_(std::move(process)) {}
    [[nodiscard]] bool send(const std::string& line);
    /// Takes the whole lines out of what was read.
    void cut_lines();
    /// Waits for a line that begins with the word; the last of the others are kept for their time.
    [[nodiscard]] Wait wait_for(std::string_view word, std::string& rest, double seconds);
    [[nodiscard]] std::string end_problem() const;
    [[nodiscard]] Result<std::string> ask(const std::string& line, std::string_view word,
                                          double seconds);

    LoggedProcess process_;
    std::string unread_;
    std::vector<std::string> lines_;
    std::string overflow_;
    int bits_ = 0;
    bool has_is_legal_ = false;
};

}  // namespace defiance
