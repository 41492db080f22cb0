#include <defiance/tools/match/built_in_engine.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include <defiance/base/text.hpp>
#include <defiance/base/version.hpp>
#include <defiance/cb/claim.hpp>
#include <defiance/engine/engine.hpp>
#include <defiance/engine/history.hpp>
#include <defiance/rules/generator.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

constexpr std::uint32_t default_mebibytes = 64;

/// Shows the depth, value and speed in the caller's status line and obeys its playnow flag.
class Caller : public EngineObserver {
public:
    explicit Caller(const MoveRequest& request) : request_(request) {}

    bool interrupted() override {
        return request_.play_now != nullptr &&
               std::atomic_ref<int>(*request_.play_now).load(std::memory_order_relaxed) != 0;
    }

    /// Only the last line is wanted.
    void show(const SearchInfo&) override {}

    void finish(const SearchInfo& thinking) {
        if (request_.status == nullptr) return;
        const double speed =
            static_cast<double>(thinking.nodes) / std::max(thinking.seconds, 1e-6) / 1000;
        const std::string text =
            "depth " + std::to_string(thinking.depth) + "  value=" + with_sign(thinking.score) +
            "  time " + fixed(thinking.seconds, 2) + "s  nodes " + std::to_string(thinking.nodes) +
            "  speed " + fixed(speed, 0) + " kN/s";
        *std::copy(text.begin(), text.end(), request_.status) = 0;
    }

private:
    const MoveRequest& request_;
};

/// The opposite of what a referee does to make a request.
TimeControl time_of(const MoveRequest& request) {
    constexpr double units[] = {0, 0.001, 0.01, 0.1};
    const double unit = units[static_cast<unsigned>(request.info) >> 2 & 3U];
    const auto more = static_cast<std::uint32_t>(request.more_info);
    if (unit > 0)
        return {Pace::increment, request.seconds, (more >> 16) * unit, (more & 0xFFFFU) * unit};
    constexpr int exact_bit = 2;
    return {(request.info & exact_bit) != 0 ? Pace::exact : Pace::average, request.seconds, 0, 0};
}

template <class Rules>
class BuiltInEngine : public EngineCalls {
public:
    EngineReply command(std::string_view text) const override {
        const std::lock_guard lock(mutex_);
        const std::string_view verb = take_word(text);
        const std::string_view what = take_word(text);
        if (verb == "name" && what.empty())
            return done("Defiance " + std::string(short_version) + ' ' + std::string(Rules::name));
        if (verb == "get" && what == "gametype") return done(std::to_string(Rules::game_type));
        if (verb == "get" && what == "protocolversion") return done("2");
        if (verb == "set") return set(what, text);
        return refused("?");
    }

    int get_move(CbBoard& board, int color, const MoveRequest& request) const override {
        const std::lock_guard lock(thinking_);
        const std::optional<Game<Rules>> game = take_game();
        if (!game || !(to_cb_board(game->position()) == board) ||
            color_to_move(game->position()) != color || count_moves<Rules>(game->position()) == 0 ||
            !has_table())
            return cb_unknown;
        Caller caller(request);
        SearchLimits limits = limits_;
        if (count_moves<Rules>(game->position()) == 1) limits.depth = 1;
        const EngineResult thought = think_with(*search_, *game, limits, time_of(request), caller);
        caller.finish(thought.last);
        board = to_cb_board(after<Rules>(game->position(), *thought.move));
        return code_of(thought.claim);
    }

    bool has_is_legal() const override { return false; }
    int is_legal(CbBoard, int, int, int, CBmove*) const override { return 0; }

private:
    static EngineReply done(std::string text) { return {1, std::move(text), {}, false}; }
    static EngineReply refused(std::string text) { return {0, std::move(text), {}, false}; }

    EngineReply set(std::string_view what, std::string_view value) const {
        if (what == "gamehist") {
            Result<Game<Rules>> game = parse_history<Rules>(value);
            if (!game) return refused("gamehist: " + game.error());
            game_ = *game;
            return done({});
        }
        if (what == "enable_wld") {
            if (value != "0" && value != "1") return refused("0 or 1 is needed");
            EndgameOptions options = endgames_.options();
            options.is_on = value == "1";
            endgames_.set(options);
            return done({});
        }
        if (what == "hashsize") return set_number(value, max_hash_mebibytes, mebibytes_);
        if (what == "depth") return set_number(value, max_depth, limits_.depth);
        if (what == "nodes") return set_number(value, INT64_MAX, limits_.nodes);
        return refused("?");
    }

    template <class Number>
    static EngineReply set_number(std::string_view text, std::int64_t most, Number& number) {
        const auto value = parse_integer(text, 1, most);
        if (!value)
            return refused("a whole number from 1 to " + std::to_string(most) + " is needed");
        number = static_cast<Number>(*value);
        return done({});
    }

    std::optional<Game<Rules>> take_game() const {
        const std::lock_guard lock(mutex_);
        return std::exchange(game_, std::nullopt);
    }

    /// Makes the table when it is first needed and when its size or what it rests on has changed.
    bool has_table() const {
        const std::lock_guard lock(mutex_);
        auto databases = endgames_.endgames();
        if (table_ == nullptr || table_->size_mebibytes() != mebibytes_ ||
            databases != databases_) {
            databases_ = std::move(databases);
            search_.reset();
            table_ = std::make_unique<TranspositionTable>(mebibytes_);
            search_ = std::make_unique<Search<Rules>>(*table_);
            search_->use(databases_.get());
        }
        return table_->size_mebibytes() != 0;
    }

    // What the API calls changes the engine; that the functions are const says nothing about it.
    mutable std::mutex mutex_;  // guards what follows, but table and search while a move is sought
    mutable std::mutex thinking_;  // held for the time of a move
    mutable std::optional<Game<Rules>> game_;
    mutable std::uint32_t mebibytes_ = default_mebibytes;
    mutable SearchLimits limits_;
    mutable EndgameKeeper<Rules> endgames_;
    mutable std::shared_ptr<const Endgames<Rules>> databases_;
    mutable std::unique_ptr<TranspositionTable> table_;
    mutable std::unique_ptr<Search<Rules>> search_;
};

}  // namespace

template <class Rules>
std::unique_ptr<EngineCalls> make_built_in_engine() {
    return std::make_unique<BuiltInEngine<Rules>>();
}

template std::unique_ptr<EngineCalls> make_built_in_engine<DEFIANCE_GAME>();

}  // namespace defiance
