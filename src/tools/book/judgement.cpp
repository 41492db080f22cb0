#include <tools/book/judgement.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/parallel_for.hpp>
#include <defiance/base/random.hpp>
#include <defiance/book/book_choice.hpp>
#include <defiance/engine/engine.hpp>

namespace defiance {
namespace {

constexpr std::uint32_t table_mebibytes = 64;

struct ChosenMove {
    Position position;
    Move move;
};

/// A few of the moves that an engine would play, in an order by chance.
Result<std::vector<ChosenMove>> sample_moves(const OpeningBook& book, std::size_t size,
                                             std::uint64_t seed) {
    Random random(seed);
    std::vector<ChosenMove> chosen;
    const auto error = book.for_each([&](const BookPosition& entry) {
        if (const auto move = choose_book_move(entry.moves, BookUse::best, random))
            chosen.push_back({entry.position, move->move});
        return true;
    });
    if (error) return *error;
    for (std::size_t i = 0; i + 1 < chosen.size() && i < size; ++i)
        std::swap(chosen[i], chosen[i + random.below(chosen.size() - i)]);
    if (chosen.size() > size) chosen.resize(size);
    return chosen;
}

/// Stops a search when it is told to.
class StopObserver : public EngineObserver {
public:
    explicit StopObserver(const std::function<bool()>& must_stop) : must_stop_(must_stop) {}
    bool interrupted() override { return must_stop_(); }

private:
    const std::function<bool()>& must_stop_;
};

/// Searches for one thread.
struct Judge {
    Judge(const GameCore& core, const EndgameDatabases* endgames)
        : rules(core.rules), table(table_mebibytes), search(core.make_search(table)) {
        search->use(endgames);
    }

    EngineResult think(const Position& position, double seconds, std::vector<Move> search_moves,
                       StopObserver& observer) {
        SearchLimits limits;
        limits.search_moves = std::move(search_moves);
        const TimeControl control{.mode = TimeMode::deadline, .seconds = seconds};
        return think_with(*search, Game(rules, position), limits, control, observer);
    }

    JudgedMove judge(const ChosenMove& chosen, double seconds, StopObserver& observer) {
        table.clear();
        const EngineResult best = think(chosen.position, seconds, {}, observer);
        DEFIANCE_ASSERT(best.move);
        JudgedMove judged{chosen.position, chosen.move, *best.move, 0};
        if (*best.move == chosen.move) return judged;
        const EngineResult ours = think(chosen.position, seconds, {chosen.move}, observer);
        judged.loss = std::max(0, in_centimen(best.last.score - ours.last.score));
        return judged;
    }

    const GameRules& rules;
    TranspositionTable table;
    std::unique_ptr<GameSearch> search;
};

}  // namespace

Result<std::optional<std::vector<JudgedMove>>> judge_book(
    const GameCore& core, const OpeningBook& book, const JudgementSettings& settings,
    const std::function<bool()>& must_stop, const std::function<void(std::size_t done)>& monitor) {
    DEFIANCE_ASSERT(settings.threads > 0);
    const auto chosen = sample_moves(book, settings.sample, settings.seed);
    if (!chosen) return Error{chosen.error()};
    const auto endgames = core.open_endgames(EndgameSettings{});
    std::vector<std::unique_ptr<Judge>> judges;
    for (int i = 0; i < settings.threads; ++i) {
        judges.push_back(std::make_unique<Judge>(core, endgames.get()));
        if (!judges.back()->table) return Error{"there is too little memory for a search"};
    }
    std::vector<JudgedMove> judged(chosen->size());
    std::mutex mutex;
    std::size_t done = 0;
    parallel_for(chosen->size(), 1, settings.threads, [&](auto index, auto, int thread) {
        if (must_stop()) return;
        const auto i = static_cast<std::size_t>(index);
        StopObserver observer(must_stop);
        judged[i] = judges[static_cast<std::size_t>(thread)]->judge((*chosen)[i], settings.seconds,
                                                                    observer);
        const std::lock_guard lock(mutex);
        monitor(++done);
    });
    if (must_stop()) return std::optional<std::vector<JudgedMove>>();
    return std::optional(std::move(judged));
}

}  // namespace defiance
