#include <tools/book/expansion.hpp>

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/parallel_for.hpp>
#include <tools/book/batch_file.hpp>
#include <tools/book/support_count.hpp>
#include <tools/expansion/known_walk.hpp>

namespace defiance {
namespace {

/// A run of expand_book().
class Expansion {
public:
    Expansion(PositionDatabase& database, GroupedStore& store,
              const std::vector<ExpansionRoot>& roots, const ExpansionSettings& settings,
              std::vector<std::unique_ptr<MoveScorer>> scorers,
              const std::function<bool()>& must_stop, const ExpansionMonitor& monitor)
        : database_(database),
          store_(store),
          settings_(settings),
          graph_(database.rules(), settings.costs, database.endgame_pieces()),
          scorers_(std::move(scorers)),
          must_stop_(must_stop),
          monitor_(monitor) {
        for (const ExpansionRoot& root : roots)
            graph_.add_root(root.position, root.plies);
    }

    Result<bool> run(const std::vector<ExpansionRoot>& roots) {
        // From a part of what is known it would go on with other positions.
        const Result<bool> is_loaded = load(roots);
        if (!is_loaded || !*is_loaded) return is_loaded;
        if (!monitor_(graph_.size())) return false;
        auto unfinished = read_batch(database_.rules(), settings_.batch_file);
        if (!unfinished) return Error{unfinished.error()};
        std::vector<ExpansionLeaf> batch = *std::move(unfinished);
        for (;;) {
            if (!batch.empty()) {
                const Result<bool> done = search(batch);
                if (!done || !*done) return done;
            }
            if (graph_.size() >= settings_.positions) return true;
            batch =
                graph_.cheapest(std::min(graph_.batch_size(), settings_.positions - graph_.size()));
            if (batch.empty()) return true;
            // After a power failure the batch file is all that tells which positions to go on with.
            if (auto error = store_.commit()) return *std::move(error);
            if (auto error = write_batch(database_.rules(), settings_.batch_file, batch))
                return *std::move(error);
        }
    }

private:
    /// Takes all that is known into the graph; false when it was stopped.
    Result<bool> load(const std::vector<ExpansionRoot>& roots) {
        bool is_stopped = false;
        const auto take = [&](const Position& position, const KnownPosition& known) {
            graph_.add(position, known.moves);
            is_stopped = must_stop_();
            return !is_stopped;
        };
        if (auto error = walk_known(database_, roots, take)) return *std::move(error);
        return !is_stopped;
    }

    /// Makes all positions of the batch known; false when it was stopped.
    Result<bool> search(const std::vector<ExpansionLeaf>& batch) {
        const std::size_t threads = scorers_.size();
        // Short parts, so that little is lost when it is cut off.
        const std::size_t part = 8 * threads;
        for (std::size_t begin = 0; begin < batch.size(); begin += part) {
            const std::size_t size = std::min(part, batch.size() - begin);
            std::vector<std::optional<std::vector<KnownMove>>> scores(size);
            parallel_for(size, 1, static_cast<int>(threads), [&](auto index, auto, int thread) {
                const auto i = static_cast<std::size_t>(index);
                const Position& position = batch[begin + i].position;
                if (graph_.knows(position)) return;
                scores[i] = scorers_[static_cast<std::size_t>(thread)]->score(position, must_stop_);
            });
            for (std::size_t i = 0; i < size; ++i) {
                const ExpansionLeaf& leaf = batch[begin + i];
                if (!scores[i] && !graph_.knows(leaf.position)) return false;
                if (auto error = add(leaf, scores[i])) return *std::move(error);
            }
            if (!monitor_(graph_.size())) return false;
        }
        return true;
    }

    /// Makes a position known, with all that follows from it or nothing when the program is ended
    /// meanwhile: other values would lead to another book.
    std::optional<Error> add(const ExpansionLeaf& leaf,
                             const std::optional<std::vector<KnownMove>>& scores) {
        if (scores) graph_.add(leaf.position, *scores);
        for (bool is_first_time = true;; is_first_time = false) {
            if (auto error = add_to_database(leaf, scores)) return error;
            // A part of the group before is stored, and hides that the rest is missing.
            if (!is_first_time)
                if (auto error = database_.finish(leaf.position)) return error;
            const Result<bool> is_alone = store_.end_group();
            if (!is_alone) return Error{is_alone.error()};
            if (*is_alone) return std::nullopt;
        }
    }

    /// Adds a position to the database and tells it all known moves that lead there.
    std::optional<Error> add_to_database(const ExpansionLeaf& leaf,
                                         const std::optional<std::vector<KnownMove>>& scores) {
        if (scores) {
            if (auto error = database_.add(leaf.position, *scores, leaf.ply, leaf.parent))
                return error;
        }
        return link_parents(database_, graph_, leaf);
    }

    PositionDatabase& database_;
    GroupedStore& store_;
    const ExpansionSettings& settings_;
    DropOutGraph graph_;
    std::vector<std::unique_ptr<MoveScorer>> scorers_;
    const std::function<bool()>& must_stop_;
    const ExpansionMonitor& monitor_;
};

}  // namespace

Result<bool> expand_book(PositionDatabase& database, GroupedStore& store, const GameCore& core,
                         const EndgameDatabases* endgames, const std::vector<ExpansionRoot>& roots,
                         const ExpansionSettings& settings, const std::function<bool()>& must_stop,
                         const ExpansionMonitor& monitor) {
    DEFIANCE_ASSERT(settings.threads > 0 && !roots.empty());
    std::vector<std::unique_ptr<MoveScorer>> scorers;
    for (int i = 0; i < settings.threads; ++i) {
        auto scorer = MoveScorer::make(core, endgames, settings.effort);
        if (!scorer) return Error{scorer.error()};
        scorers.push_back(*std::move(scorer));
    }
    Expansion expansion(database, store, roots, settings, std::move(scorers), must_stop, monitor);
    const Result<bool> done = expansion.run(roots);
    if (auto error = store.commit()) return *std::move(error);
    if (done && *done) remove_file(settings.batch_file);
    return done;
}

Result<std::vector<BookPosition>> collect_book(PositionDatabase& database,
                                               const std::vector<ExpansionRoot>& roots) {
    constexpr DatabaseScore man = 100;
    const GameRules& rules = database.rules();
    std::vector<BookPosition> positions;
    const auto collect = [&](const Position& position, const KnownPosition& known) {
        const std::vector<CanonicalMove> legal = canonical_moves(rules, position);
        BookPosition entry{position, {}};
        const DatabaseScore best = known.best();
        for (const KnownMove& m : known.moves) {
            if (m.score <= best - man) continue;
            DEFIANCE_ASSERT(m.index < legal.size());
            entry.moves.push_back({legal[m.index].move, m.score, m.depth, 0});
        }
        positions.push_back(std::move(entry));
        return true;
    };
    if (auto error = walk_known(database, roots, collect)) return *std::move(error);
    count_support(rules, positions);
    return positions;
}

}  // namespace defiance
