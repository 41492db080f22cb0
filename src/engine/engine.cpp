#include <defiance/engine/engine.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/hint.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance {
namespace {

/// Table of a second think() that comes while the first has the real one.
constexpr std::uint32_t spare_mebibytes = 4;

bool is_on(const std::optional<std::string>& text, bool otherwise) {
    if (!text || (*text != "0" && *text != "1")) return otherwise;
    return *text == "1";
}

EndgameOptions stored_endgame_options(SettingsStore& settings) {
    EndgameOptions options;
    const auto number = [&](const char* name, std::int64_t most, std::int64_t otherwise) {
        const auto text = settings.load(name);
        return (text ? parse_integer(*text, 0, most) : std::nullopt).value_or(otherwise);
    };
    options.folder = settings.load("dbpath").value_or("");
    options.distance_folder = settings.load("mtcpath").value_or("");
    options.mebibytes =
        static_cast<std::uint32_t>(number("dbmbytes", max_database_mebibytes, options.mebibytes));
    options.max_pieces =
        static_cast<int>(number("max_dbpieces", max_database_pieces, options.max_pieces));
    options.is_on = is_on(settings.load("enable_wld"), options.is_on);
    options.use_distances = is_on(settings.load("enable_mtc"), options.use_distances);
    return options;
}

void store_endgame_options(SettingsStore& settings, const EndgameOptions& options) {
    settings.save("dbpath", options.folder);
    settings.save("mtcpath", options.distance_folder);
    settings.save("dbmbytes", std::to_string(options.mebibytes));
    settings.save("max_dbpieces", std::to_string(options.max_pieces));
    settings.save("enable_wld", options.is_on ? "1" : "0");
    settings.save("enable_mtc", options.use_distances ? "1" : "0");
}

}  // namespace

/// What a think() needs for itself.
struct Engine::Session {
    Session(const GameCore& core, std::unique_ptr<TranspositionTable> t)
        : table(std::move(t)), search(core.make_search(*table)) {}

    void use(std::shared_ptr<const EndgameDatabases> databases) {
        endgames = std::move(databases);
        search->use(endgames.get());
    }

    std::unique_ptr<TranspositionTable> table;
    std::unique_ptr<GameSearch> search;
    std::shared_ptr<const EndgameDatabases> endgames;  // what is in the table depends on them
};

/// The engine's session while one think() has it, or a spare one when another has it already. It
/// goes back by itself, also when something is thrown half-way.
class Engine::Loan {
public:
    explicit Loan(Engine& engine) : engine_(engine) {
        const std::lock_guard lock(engine_.mutex_);
        spare_ = engine_.session_is_out_;
        if (spare_) return;
        engine_.session_is_out_ = true;
        if (engine_.next_table_ != nullptr) engine_.idle_session_.reset();
        session_ = std::move(engine_.idle_session_);
        table_ = std::move(engine_.next_table_);
        wanted_ = engine_.options_.hash_mebibytes;
    }
    ~Loan() {
        if (spare_) return;
        const std::lock_guard lock(engine_.mutex_);
        engine_.idle_session_ = std::move(session_);
        engine_.session_is_out_ = false;
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    [[nodiscard]] GameSearch& search() {
        auto endgames = engine_.endgames_.endgames();
        if (session_ != nullptr && session_->endgames != endgames) {
            wanted_ = session_->table->size_mebibytes();
            session_.reset();
        }
        if (session_ == nullptr) {
            session_ = make_session();
            session_->use(std::move(endgames));
        }
        return *session_->search;
    }

private:
    std::unique_ptr<Session> make_session() {
        // A stored size may be more than this machine has today.
        while (table_ == nullptr) {
            table_ = std::make_unique<TranspositionTable>(wanted_);
            if (table_->size_mebibytes() == 0 && wanted_ > 1) {
                table_.reset();
                wanted_ /= 2;
            }
        }
        return std::make_unique<Session>(engine_.core_, std::move(table_));
    }

    Engine& engine_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<TranspositionTable> table_;  // for the session yet to be made
    std::uint32_t wanted_ = spare_mebibytes;
    bool spare_ = false;
};

Engine::Engine(const GameCore& core, std::string settings_section)
    : core_(core), settings_(std::move(settings_section)), endgames_(core) {
    if (const auto text = settings_.load("hashsize"))
        if (const auto size = parse_integer(*text, 1, max_hash_mebibytes))
            options_.hash_mebibytes = static_cast<std::uint32_t>(*size);
    options_.all_scores = is_on(settings_.load("allscores"), options_.all_scores);
    options_.solve = is_on(settings_.load("solve"), options_.solve);
    endgames_.set(stored_endgame_options(settings_));
}

Engine::~Engine() = default;

Options Engine::options() const {
    const std::lock_guard lock(mutex_);
    return options_;
}

Result<std::uint32_t> Engine::set_hash_mebibytes(std::uint32_t mebibytes) {
    const std::lock_guard lock(mutex_);
    if (mebibytes == options_.hash_mebibytes) return mebibytes;
    const std::uint64_t memory = physical_memory_mebibytes();
    auto table = mebibytes == 0 || (memory != 0 && mebibytes > memory)
                     ? nullptr
                     : std::make_unique<TranspositionTable>(mebibytes);
    if (table == nullptr || table->size_mebibytes() != mebibytes)
        return Error{"Out of memory: cannot allocate " + std::to_string(mebibytes) +
                     " MB for the hash table; it keeps its " +
                     std::to_string(options_.hash_mebibytes) + " MB"};
    next_table_ = std::move(table);
    options_.hash_mebibytes = mebibytes;
    settings_.save("hashsize", std::to_string(mebibytes));
    return mebibytes;
}

void Engine::set_all_scores(bool on) {
    const std::lock_guard lock(mutex_);
    options_.all_scores = on;
    settings_.save("allscores", on ? "1" : "0");
}

void Engine::set_solve(bool on) {
    const std::lock_guard lock(mutex_);
    options_.solve = on;
    settings_.save("solve", on ? "1" : "0");
}

void Engine::set_endgame_options(const EndgameOptions& options) {
    const std::lock_guard lock(mutex_);
    endgames_.set(options);
    store_endgame_options(settings_, options);
}

void Engine::set_depth_limit(int depth) {
    const std::lock_guard lock(mutex_);
    limits_.depth = depth == 0 ? SearchLimits{}.depth : depth;
}

void Engine::set_node_limit(std::uint64_t nodes) {
    const std::lock_guard lock(mutex_);
    limits_.nodes = nodes == 0 ? SearchLimits{}.nodes : nodes;
}

void Engine::set_history(std::optional<Game> game) {
    const std::lock_guard lock(mutex_);
    if (game) last_position_ = game->position();
    history_ = std::move(game);
}

EngineResult Engine::think(const Position& position, const TimeControl& control,
                           EngineObserver& host, std::vector<Move> only) {
    [[maybe_unused]] static const bool pinned = (pin_module(), true);
    SearchLimits limits;
    Game game(core_.rules, position);
    {
        const std::lock_guard lock(mutex_);
        limits = limits_;
        limits.solve = options_.solve;
        limits.all_scores = options_.all_scores;
        if (history_ && history_->position() == position) game = std::move(*history_);
        history_.reset();
        last_position_ = position;
    }
    limits.only = std::move(only);
    const bool no_choice = core_.rules.count_moves(position) <= 1;
    if (control.pace == Pace::at_once ||
        (no_choice && (control.pace == Pace::average || control.pace == Pace::increment)))
        limits.depth = 1;
    Loan loan(*this);
    return think_with(loan.search(), game, limits, control, host);
}

std::string Engine::hint() const {
    Position position = core_.rules.start_position();
    {
        const std::lock_guard lock(mutex_);
        if (last_position_) position = *last_position_;
    }
    return hint_for(core_, position);
}

}  // namespace defiance
