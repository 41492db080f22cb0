#include <defiance/engine/engine.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/hint.hpp>
#include <defiance/rules/english.hpp>
#include <defiance/rules/generator.hpp>

namespace defiance {
namespace {

/// Table of a second think() that comes while the first has the real one.
constexpr std::uint32_t spare_mebibytes = 4;

bool is_on(const std::optional<std::string>& text, bool otherwise) {
    if (!text || (*text != "0" && *text != "1")) return otherwise;
    return *text == "1";
}

}  // namespace

/// What a think() needs for itself: handed out to one at a time.
template <class Rules>
struct Engine<Rules>::Session {
    Session(std::unique_ptr<TranspositionTable> t, bool is_spare)
        : table(std::move(t)), search(std::make_unique<Search<Rules>>(*table)), spare(is_spare) {}

    std::unique_ptr<TranspositionTable> table;
    std::unique_ptr<Search<Rules>> search;
    bool spare;  // made because the real one was out; thrown away afterwards
};

template <class Rules>
Engine<Rules>::Engine(std::string settings_section) : settings_(std::move(settings_section)) {
    if (const auto text = settings_.load("hashsize"))
        if (const auto size = parse_integer(*text, 1, most_hash_mebibytes))
            options_.hash_mebibytes = static_cast<std::uint32_t>(*size);
    options_.all_scores = is_on(settings_.load("allscores"), options_.all_scores);
    options_.solve = is_on(settings_.load("solve"), options_.solve);
}

template <class Rules>
Engine<Rules>::~Engine() = default;

template <class Rules>
Options Engine<Rules>::options() const {
    const std::lock_guard lock(mutex_);
    return options_;
}

template <class Rules>
Result<std::uint32_t> Engine<Rules>::set_hash_mebibytes(std::uint32_t mebibytes) {
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

template <class Rules>
void Engine<Rules>::set_all_scores(bool on) {
    const std::lock_guard lock(mutex_);
    options_.all_scores = on;
    settings_.save("allscores", on ? "1" : "0");
}

template <class Rules>
void Engine<Rules>::set_solve(bool on) {
    const std::lock_guard lock(mutex_);
    options_.solve = on;
    settings_.save("solve", on ? "1" : "0");
}

template <class Rules>
void Engine<Rules>::set_history(std::optional<Game<Rules>> game) {
    const std::lock_guard lock(mutex_);
    if (game) last_position_ = game->position();
    history_ = std::move(game);
}

template <class Rules>
std::unique_ptr<typename Engine<Rules>::Session> Engine<Rules>::take_session() {
    std::unique_ptr<TranspositionTable> table;
    std::uint32_t wanted = spare_mebibytes;
    bool spare = true;
    {
        const std::lock_guard lock(mutex_);
        if (!session_is_out_) {
            session_is_out_ = true;
            spare = false;
            if (idle_session_ != nullptr && next_table_ == nullptr) return std::move(idle_session_);
            idle_session_.reset();
            table = std::move(next_table_);
            wanted = options_.hash_mebibytes;
        }
    }
    // A stored size may be more than this machine has today.
    while (table == nullptr) {
        table = std::make_unique<TranspositionTable>(wanted);
        if (table->size_mebibytes() == 0 && wanted > 1) {
            table.reset();
            wanted /= 2;
        }
    }
    return std::make_unique<Session>(std::move(table), spare);
}

template <class Rules>
void Engine<Rules>::return_session(std::unique_ptr<Session> session) {
    if (session->spare) return;
    const std::lock_guard lock(mutex_);
    idle_session_ = std::move(session);
    session_is_out_ = false;
}

template <class Rules>
Thought Engine<Rules>::think(const Position& position, const TimeControl& control,
                             ThinkingHost& host) {
    [[maybe_unused]] static const bool pinned = (pin_module(), true);
    SearchLimits limits;
    Game<Rules> game(position);
    {
        const std::lock_guard lock(mutex_);
        limits.solve = options_.solve;
        limits.all_scores = options_.all_scores;
        if (history_ && history_->position() == position) game = std::move(*history_);
        history_.reset();
        last_position_ = position;
    }
    const bool no_choice = count_moves<Rules>(position) <= 1;
    if (control.pace == Pace::at_once ||
        (no_choice && (control.pace == Pace::average || control.pace == Pace::increment)))
        limits.depth = 1;
    std::unique_ptr<Session> session = take_session();
    Thought thought = think_with(*session->search, game, limits, control, host);
    return_session(std::move(session));
    return thought;
}

template <class Rules>
std::string Engine<Rules>::hint() const {
    Position position = start_position(Rules::first_side);
    {
        const std::lock_guard lock(mutex_);
        if (last_position_) position = *last_position_;
    }
    return hint_for<Rules>(position);
}

template class Engine<English>;

}  // namespace defiance
