#include <tools/match/match_options.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/rules/draws.hpp>
#include <defiance/search/score.hpp>
#include <tools/match/make_player.hpp>
#include <tools/match/match_openings.hpp>
#include <tools/match/match_summary.hpp>
#include <tools/support/games.hpp>

namespace defiance {
namespace {

constexpr std::int64_t max_games = 1'000'000;
constexpr std::int64_t longest_time = 1'000'000;
constexpr std::int64_t most_moves_of_clock = 10'000;

constexpr Option options[] = {
    integer_option("games", 1, max_games),
    decimal_option("time", longest_time),
    flag_option("exact"),
    text_option("tc"),
    integer_option("nodes", 1, INT64_MAX),
    integer_option("depth", 1, max_depth),
    integer_option("margin", 0, 1'000'000),
    decimal_option("startup", longest_time),
    decimal_option("move-time", longest_time),
    path_option("openings"),
    text_option("order"),
    integer_option("seed", 0, INT64_MAX),
    flag_option("accept-short"),
    flag_option("tolerate-blank"),
    text_option("strict-output"),
    flag_option("recover"),
    integer_option("mem-limit", 1, 1'000'000),
    integer_option("draw-rep", 0, 1000),
    integer_option("draw-quiet", 0, 100'000),
    integer_option("max-plies", 1, 100'000),
    text_option("draw"),
    text_option("resign"),
    flag_option("claims"),
    flag_option("checkerboard"),
    integer_option("concurrency", 1, 256),
    text_option("sprt"),
    text_option("elo-model"),
    path_option("pdn"),
    path_option("resume"),
    text_option("event"),
    path_option("engine-log"),
    path_option("host32"),
    path_option("host64"),
    text_option("format"),
    integer_option("rounds", 1, 1000),
    remote_database_options[0],
    remote_database_options[1],
    remote_database_options[2],
    remote_database_options[3],
};

/// Decimal numbers with commas between.
std::optional<std::vector<double>> numbers_in(std::string_view text) {
    std::vector<double> numbers;
    for (;;) {
        const std::size_t comma = text.find(',');
        std::string_view word = trimmed(text.substr(0, comma));
        const bool is_negative = !word.empty() && word[0] == '-';
        if (is_negative) word.remove_prefix(1);
        const auto number = parse_decimal(word, 1e9);
        if (!number) return std::nullopt;
        numbers.push_back(is_negative ? -*number : *number);
        if (comma == std::string_view::npos) return numbers;
        text.remove_prefix(comma + 1);
    }
}

Error wrong(std::string_view option, std::string_view problem) {
    return Error{"--" + std::string(option) + ": " + std::string(problem)};
}

/// Sets the clock that `[MOVES/]SECONDS[+INCREMENT]` describes; false when the text is none.
bool read_clock(std::string_view text, TimeSettings& time) {
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
        const auto moves = parse_integer(text.substr(0, slash), 1, most_moves_of_clock);
        if (!moves) return false;
        time.moves = static_cast<int>(*moves);
        text.remove_prefix(slash + 1);
    }
    const std::size_t plus = text.find('+');
    const auto base = parse_decimal(text.substr(0, plus), longest_time);
    const auto increment = plus == std::string_view::npos
                               ? std::optional(0.0)
                               : parse_decimal(text.substr(plus + 1), longest_time);
    if (!base || !increment || *base + *increment <= 0) return false;
    time.kind = TimeSettings::Kind::increment;
    time.seconds = *base;
    time.increment = *increment;
    return true;
}

Result<TimeSettings> read_time_settings(const Arguments& arguments) {
    TimeSettings time;
    const int kinds = static_cast<int>(arguments.has("time")) + arguments.has("tc") +
                      (arguments.has("nodes") || arguments.has("depth"));
    if (kinds > 1)
        return Error{"only one of --time, --tc, and --nodes or --depth can rule the time"};
    if (arguments.has("exact") && kinds > 0 && !arguments.has("time"))
        return Error{"--exact goes with --time"};
    time.seconds = arguments.decimal("time").value_or(time.seconds);
    if (time.seconds <= 0) return wrong("time", "more than 0 seconds are needed");
    if (arguments.has("exact")) time.kind = TimeSettings::Kind::exact;
    if (arguments.has("nodes") || arguments.has("depth")) time.kind = TimeSettings::Kind::unlimited;
    if (const auto clock = arguments.text("tc"); clock && !read_clock(*clock, time))
        return wrong("tc",
                     "seconds for the game and for each move are needed, as in 60+0.5, or "
                     "with the moves that they are for, as in 40/60+0.5");
    if (const auto margin = arguments.integer("margin"))
        time.margin = static_cast<double>(*margin) / 1000;
    DEFIANCE_ASSERT(time.seconds >= 0 && time.increment >= 0);
    time.startup = arguments.decimal("startup").value_or(time.startup);
    time.move_limit = arguments.decimal("move-time");
    if (time.move_limit && *time.move_limit <= 0)
        return wrong("move-time", "more than 0 seconds are needed");
    return time;
}

Result<Adjudication> read_adjudication(const Arguments& arguments) {
    Adjudication adjudication;
    const bool is_early = arguments.has("claims");  // CheckerBoard's early game adjudication
    if (is_early) adjudication.claims = BelievedClaims::all;
    if (arguments.has("checkerboard")) {
        adjudication.draw_quiet = checkerboard_plies_to_draw;
        adjudication.max_plies = is_early ? 200 : 300;
        if (!is_early) adjudication.claims = BelievedClaims::draws;
    }
    const auto take = [&](std::string_view option, auto& number) {
        using Number = std::remove_reference_t<decltype(number)>;
        if (const auto value = arguments.integer(option)) number = static_cast<Number>(*value);
    };
    take("draw-rep", adjudication.draw_repetitions);
    take("draw-quiet", adjudication.draw_quiet);
    take("max-plies", adjudication.max_plies);
    for (const std::string_view option : {"draw", "resign"}) {
        const auto text = arguments.text(option);
        if (!text) continue;
        const auto numbers = numbers_in(*text);
        const std::size_t most = option == "draw" ? 3 : 2;
        if (!numbers || numbers->size() < 2 || numbers->size() > most || (*numbers)[0] < 0 ||
            (*numbers)[1] < 1)
            return wrong(option, option == "draw" ? "VALUE,MOVES[,PLIES] is needed, as in 10,8,60"
                                                  : "VALUE,MOVES is needed, as in 400,4");
        ValueAgreement agreement{(*numbers)[0], static_cast<int>((*numbers)[1]), 0};
        if (numbers->size() == 3)
            agreement.after = static_cast<std::size_t>(std::max(0.0, (*numbers)[2]));
        (option == "draw" ? adjudication.draw : adjudication.resign) = agreement;
    }
    return adjudication;
}

Result<OutputPolicy> read_output_policy(const Arguments& arguments) {
    OutputPolicy policy;
    policy.takes_short = arguments.has("accept-short");
    policy.tolerates_blank = arguments.has("tolerate-blank");
    const auto strict = arguments.text("strict-output").value_or("on");
    if (strict != "on" && strict != "off") return wrong("strict-output", "on or off is needed");
    policy.is_strict = strict == "on";
    policy.memory = static_cast<std::uint64_t>(arguments.integer("mem-limit").value_or(0)) << 20;
    // A short time for the first move does not mean that programs are loaded as fast.
    policy.startup = std::max(arguments.decimal("startup").value_or(policy.startup), load_seconds);
    return policy;
}

Result<std::optional<SequentialTest>> read_test(const Arguments& arguments) {
    const auto text = arguments.text("sprt");
    const auto model = arguments.text("elo-model");
    if (model && !text) return wrong("elo-model", "it goes with --sprt");
    if (!text) return std::optional<SequentialTest>();
    const auto numbers = numbers_in(*text);
    if (!numbers || (numbers->size() != 2 && numbers->size() != 4))
        return wrong("sprt", "ELO0,ELO1[,ALPHA,BETA] is needed, as in 0,5,0.05,0.05");
    SequentialTest test;
    test.elo0 = (*numbers)[0];
    test.elo1 = (*numbers)[1];
    if (numbers->size() == 4) {
        test.alpha = (*numbers)[2];
        test.beta = (*numbers)[3];
    }
    const auto is_chance = [](double x) { return x > 0 && x < 0.5; };
    if (test.elo0 >= test.elo1 || !is_chance(test.alpha) || !is_chance(test.beta))
        return wrong("sprt", "ELO0 must lie below ELO1, ALPHA and BETA between 0 and 0.5");
    if (model && *model != "logistic" && *model != "normalized")
        return wrong("elo-model", "logistic or normalized is needed");
    if (model && *model == "normalized") test.kind = EloKind::normalized;
    // Beyond these no outcomes of a match tell such players apart.
    const int largest = test.kind == EloKind::normalized ? 200 : 1000;
    if (std::max(std::abs(test.elo0), std::abs(test.elo1)) > largest)
        return wrong("sprt",
                     std::string(test.kind == EloKind::normalized ? "normalized" : "logistic") +
                         " Elo must lie between -" + std::to_string(largest) + " and " +
                         std::to_string(largest));
    DEFIANCE_ASSERT(test.elo0 < test.elo1);
    return std::optional(test);
}

/// Gives the player a limit of all players, which its own settings come before.
void limit_player(PlayerSpec& player, std::string_view limit, std::int64_t number) {
    DEFIANCE_ASSERT(number > 0 && (limit == "nodes" || limit == "depth"));
    if (player.kind == PlayerSpec::Kind::hub) {
        std::int64_t& own = limit == "depth" ? player.depth : player.nodes;
        if (own == 0) own = number;
    } else if (player.kind != PlayerSpec::Kind::random) {
        player.commands.insert(player.commands.begin(),
                               "set " + std::string(limit) + ' ' + std::to_string(number));
    }
}

Result<std::vector<PlayerSpec>> read_players(const Arguments& arguments) {
    std::vector<PlayerSpec> players;
    for (const std::string_view word : arguments.positionals()) {
        Result<PlayerSpec> player = parse_player(word);
        if (!player) return Error{player.error()};
        for (const std::string_view limit : {"nodes", "depth"}) {
            const auto number = arguments.integer(limit);
            if (!number) continue;
            if (player->kind == PlayerSpec::Kind::middleware)
                return wrong(limit, "a player of the middleware protocol cannot be told; leave --" +
                                        std::string(limit) +
                                        " out, and give it to the others as in self;" +
                                        std::string(limit) + '=' + std::to_string(*number));
            PlayerSpec limited = *player;
            limit_player(limited, limit, *number);
            player = limited;
        }
        players.push_back(*std::move(player));
    }
    return players;
}

/// The game type that the player's engine file says it plays, asked where it will play.
Result<int> game_type_of_file(const PlayerSpec& player, const LoaderPrograms& programs) {
    const auto command = loader_command(programs, full_path(player.target));
    if (!command) return Error{command.error()};
    const auto ignore = [](std::string_view) {};
    Result<EngineProcess> engine =
        EngineProcess::start(*command, folder_of_engine(player), load_seconds, ignore);
    if (!engine) return Error{engine.error()};
    EngineProcess started = *std::move(engine);
    const Result<EngineReply> reply = started.command("get gametype", load_seconds);
    if (!reply) return Error{reply.error()};
    return game_type_in(*reply);
}

/// The game given with --game, else that of the first engine file, else English.
Result<const GameRules*> read_game(const Arguments& arguments,
                                   const std::vector<PlayerSpec>& players,
                                   const LoaderPrograms& programs) {
    const auto file = std::find_if(players.begin(), players.end(), [](const PlayerSpec& player) {
        return player.kind == PlayerSpec::Kind::library;
    });
    if (arguments.has("game") || file == players.end()) {
        const Result<const GameCore*> core = game_of(arguments);
        if (!core) return Error{core.error()};
        return &(*core)->rules;
    }
    const Result<int> type = game_type_of_file(*file, programs);
    if (!type) return Error{type.error()};
    if (const GameCore* core = find_game(*type)) return &core->rules;
    return Error{"'" + shown(file->target, 200) + "' plays game type " + std::to_string(*type) +
                 ", which is not known"};
}

Result<ScheduleSettings> read_schedule(const Arguments& arguments, std::size_t usual_games) {
    ScheduleSettings schedule;
    schedule.players = arguments.positionals().size();
    DEFIANCE_ASSERT(schedule.players >= 2);
    schedule.games = static_cast<std::size_t>(
        arguments.integer("games").value_or(static_cast<std::int64_t>(usual_games)));
    schedule.rounds = static_cast<std::size_t>(arguments.integer("rounds").value_or(0));
    constexpr std::pair<std::string_view, Format> formats[] = {
        {"round-robin", Format::round_robin},
        {"gauntlet", Format::gauntlet},
        {"knockout", Format::knockout},
        {"swiss", Format::swiss},
    };
    const auto word = arguments.text("format").value_or("round-robin");
    const auto found = std::find_if(std::begin(formats), std::end(formats),
                                    [&](const auto& format) { return format.first == word; });
    if (found == std::end(formats))
        return wrong("format", "round-robin, gauntlet, knockout or swiss is needed");
    schedule.format = found->second;
    if (arguments.has("rounds") && schedule.format != Format::swiss)
        return wrong("rounds", "only a Swiss tournament has rounds");
    return schedule;
}

}  // namespace

std::span<const Option> competition_options() {
    return options;
}

Result<CompetitionSettings> read_competition(const Arguments& arguments, std::size_t usual_games) {
    CompetitionSettings settings;
    std::string problem;
    // Stores the value, or keeps the first error.
    const auto take = [&](auto& place, auto result) {
        if (result)
            place = *std::move(result);
        else if (problem.empty())
            problem = result.error();
    };
    take(settings.schedule, read_schedule(arguments, usual_games));
    take(settings.time, read_time_settings(arguments));
    take(settings.adjudication, read_adjudication(arguments));
    take(settings.policy, read_output_policy(arguments));
    take(settings.test, read_test(arguments));
    take(settings.programs, read_loader_programs(arguments));
    take(settings.players, read_players(arguments));
    take(settings.database, read_database_options(arguments));
    if (!problem.empty()) return Error{problem};
    take(settings.rules, read_game(arguments, settings.players, settings.programs));
    if (!problem.empty()) return Error{problem};
    NamedOpenings openings;
    take(openings, read_match_openings(arguments, *settings.rules, settings.players,
                                       openings_in_row(settings.schedule)));
    if (!problem.empty()) return Error{problem};
    settings.openings = std::move(openings.list);
    settings.openings_file = std::move(openings.file);
    settings.recovers = arguments.has("recover");
    settings.concurrency = static_cast<int>(arguments.integer("concurrency").value_or(1));
    settings.pdn_file = arguments.text("pdn").value_or("");
    settings.state_file = arguments.text("resume").value_or("");
    settings.log_file = arguments.text("engine-log").value_or("");
    settings.event = shown(arguments.text("event").value_or(""), 120);
    set_summary(settings, arguments);
    DEFIANCE_ASSERT(settings.rules != nullptr && settings.concurrency >= 1);
    return settings;
}

}  // namespace defiance
