#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>

#include <defiance/base/clock.hpp>
#include <defiance/base/result.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/http/client.hpp>
#include <tools/support/arguments.hpp>

namespace defiance {

/// Which of the moves that a position database knows is played.
enum class DatabaseAction {
    best,  ///< `querybest`: one of the best
    all,   ///< `query`: any sound one
    pv     ///< `querypv`: the first of the best line, always the same
};

/// A position database on this machine or another one, as --cdb names it.
struct RemoteDatabaseOptions {
    HttpUrl url;
    double timeout = 0.2;  ///< seconds that asking for a move takes at most
    int min_depth = 0;     ///< known lines of fewer plies do not count
    DatabaseAction action = DatabaseAction::best;
};

/// What a verb with --cdb takes; read_database_options() reads them.
inline constexpr std::array remote_database_options = {
    text_option("cdb"), integer_option("cdb-timeout", 1, 60'000),
    integer_option("cdb-min-depth", 0, 1000), text_option("cdb-action")};

/// The line of `help` about these options.
extern const std::string_view remote_database_help;

/// The options as given; nothing without --cdb. Error: what is wrong with which.
[[nodiscard]] Result<std::optional<RemoteDatabaseOptions>> read_database_options(
    const Arguments& arguments);

/// Asks a position database for moves over HTTP. Whatever the server does, it costs no more than
/// the timeout. One that does not answer is left alone for a while. For one thread at a time.
class RemoteDatabase {
public:
    explicit RemoteDatabase(const RemoteDatabaseOptions& options)
        : options_(options), client_(options.url.host, options.url.port, max_reply) {}

    /// A legal move of the position, which the database knows to be good; nothing when it knows
    /// none or does not answer. Nor where a search has to go on: where the database names several
    /// candidates, or knows that the game is decided but not in how many moves. Takes at most
    /// `most_seconds`, too.
    [[nodiscard]] std::optional<Move> choose(
        const GameRules& rules, const Position& position,
        double most_seconds = std::numeric_limits<double>::infinity());

    /// Why the last question had no answer, or none that a server of positions gives, such as one
    /// that there are too many questions; told once for each row of failures, else empty.
    [[nodiscard]] std::string take_problem();

private:
    static constexpr std::size_t max_reply = 1 << 16;

    [[nodiscard]] Result<std::string> ask_for_move(const GameRules& rules, const Position& position,
                                                   double seconds);
    [[nodiscard]] Result<std::string> ask(const GameRules& rules, const Position& position,
                                          std::string_view action, double seconds);
    void fail(std::string problem);

    RemoteDatabaseOptions options_;
    HttpClient client_;
    std::optional<Stopwatch> since_silence_;  ///< runs when the server did not answer
    std::string problem_;
    bool is_failing_ = false;
};

}  // namespace defiance
