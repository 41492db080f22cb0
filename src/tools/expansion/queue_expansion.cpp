#include <tools/expansion/queue_expansion.hpp>

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/expansion/known_walk.hpp>
#include <tools/posdb/scoring_task.hpp>

namespace defiance {
namespace {

constexpr std::size_t least_target = 8;
constexpr std::size_t most_target = 256;

std::vector<Position> positions_of(std::span<const ExpansionLeaf> leaves) {
    std::vector<Position> positions;
    positions.reserve(leaves.size());
    for (const ExpansionLeaf& leaf : leaves)
        positions.push_back(leaf.position);
    return positions;
}

}  // namespace

QueueExpansion::QueueExpansion(PositionDatabase& database, PositionStore& store,
                               const std::vector<ExpansionRoot>& roots, const Settings& settings)
    : database_(database),
      store_(store),
      settings_(settings),
      graph_(database.rules(), settings.costs, database.endgame_pieces()),
      target_(least_target) {
    for (const ExpansionRoot& root : roots) {
        if (database.is_trivial(root.position)) continue;
        roots_.push_back(root);
        graph_.add_root(root.position, root.plies);
    }
}

Result<bool> QueueExpansion::step(const StopAsked& must_stop) {
    if (!is_loaded_) {
        if (auto error = load(must_stop)) return *std::move(error);
        if (must_stop()) return true;
        is_loaded_ = true;
    }
    const auto queue = store_.queue_size();
    if (!queue) return Error{queue.error()};
    if (queue->waiting > target_ / 2) return true;
    if (auto error = learn_scored()) return *std::move(error);
    // A queue that ran empty was too short for those who take from it.
    if (queue->waiting == 0 && was_filled_) target_ = std::min(2 * target_, most_target);
    const std::size_t wanted = target_ - static_cast<std::size_t>(queue->waiting);
    const auto pushed = fill(wanted, must_stop);
    if (!pushed) return Error{pushed.error()};
    was_filled_ = *pushed == wanted;
    return !is_over();
}

std::optional<Error> QueueExpansion::load(const StopAsked& must_stop) {
    return walk_known(database_, roots_, [&](const Position& position, const KnownPosition& known) {
        graph_.add(position, known.moves);
        return graph_.size() < settings_.positions && !must_stop();
    });
}

/// Takes what has become known of the queued positions into the graph.
std::optional<Error> QueueExpansion::learn_scored() {
    const auto known = database_.find_many(positions_of(expected_));
    if (!known) return Error{known.error()};
    DEFIANCE_ASSERT(known->size() == expected_.size());
    for (std::size_t i = expected_.size(); i-- > 0;) {
        if (!is_complete((*known)[i], database_.rules(), expected_[i].position)) continue;
        if (auto error = take(expected_[i], *(*known)[i])) return error;
        std::swap(expected_[i], expected_.back());
        expected_.pop_back();
    }
    return std::nullopt;
}

std::optional<Error> QueueExpansion::take(const ExpansionLeaf& leaf, const KnownPosition& known) {
    graph_.add(leaf.position, known.moves);
    is_changed_ = true;
    return link_parents(database_, graph_, leaf);
}

/// How many positions may be queued at most.
std::size_t QueueExpansion::room() const {
    const std::size_t taken = graph_.size() + expected_.size();
    return settings_.positions - std::min(taken, settings_.positions);
}

bool QueueExpansion::is_over() const {
    return graph_.size() >= settings_.positions ||
           (expected_.empty() && stock_.empty() && !is_changed_);
}

/// Puts so many positions into the queue, fewer when there are no more at the moment. Returns their
/// number.
Result<std::size_t> QueueExpansion::fill(std::size_t wanted, const StopAsked& must_stop) {
    std::size_t pushed = 0;
    is_full_ = false;
    while (pushed < wanted && room() > 0 && !is_full_ && !must_stop()) {
        if (stock_.empty()) choose();
        if (stock_.empty()) break;
        const auto more = push_cheapest(std::min({wanted - pushed, room(), stock_.size()}));
        if (!more) return Error{more.error()};
        pushed += *more;
    }
    return pushed;
}

/// Chooses the leaves to be queued next.
void QueueExpansion::choose() {
    DEFIANCE_ASSERT(stock_.empty());
    if (!std::exchange(is_changed_, false)) return;
    std::unordered_set<Position, PositionHash> expected;
    for (const ExpansionLeaf& leaf : expected_)
        expected.insert(leaf.position);
    stock_ = graph_.cheapest(std::min(graph_.batch_size(), room()) + expected.size());
    std::erase_if(stock_,
                  [&](const ExpansionLeaf& leaf) { return expected.contains(leaf.position); });
    std::reverse(stock_.begin(), stock_.end());
}

/// Puts the cheapest leaves of the stock into the queue, those that somebody else has made known
/// into the graph. Returns how many went into the queue.
Result<std::size_t> QueueExpansion::push_cheapest(std::size_t most) {
    DEFIANCE_ASSERT(most > 0 && most <= stock_.size());
    const std::span<const ExpansionLeaf> cheapest = std::span(stock_).last(most);
    const auto known = database_.find_many(positions_of(cheapest));
    if (!known) return Error{known.error()};
    std::size_t pushed = 0;
    for (std::size_t i = most; i-- > 0; stock_.pop_back()) {
        const ExpansionLeaf& leaf = stock_.back();
        if (is_complete((*known)[i], database_.rules(), leaf.position)) {
            if (auto error = take(leaf, *(*known)[i])) return *std::move(error);
            continue;
        }
        DEFIANCE_ASSERT(!graph_.knows(leaf.position));
        TaskNote note = {leaf.ply, {}};
        if (leaf.parent) note.parent = key_of_board(*leaf.parent);
        const auto outcome = push_position(store_, database_.game(), key_of_board(leaf.position),
                                           note, expansion_priority);
        if (!outcome) return Error{outcome.error()};
        is_full_ = *outcome == PushOutcome::full;
        if (is_full_) break;
        if (*outcome == PushOutcome::queued) ++queued_;
        expected_.push_back(leaf);
        ++pushed;
    }
    return pushed;
}

}  // namespace defiance
