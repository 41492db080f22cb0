#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <defiance/base/result.hpp>
#include <tools/expansion/drop_out_graph.hpp>
#include <tools/expansion/expansion_roots.hpp>
#include <tools/posdb/position_database.hpp>

namespace defiance {

/// Drop-out expansion by those who take tasks from the queue of a store, whoever they are: puts the
/// cheapest leaves of a DropOutGraph there with the lowest priority, a few at a time, and looks
/// which of them have become known. Several programs may do it for one store. It needs some
/// hundred bytes for each known position. For one thread.
class QueueExpansion {
public:
    struct Settings {
        ExpansionCosts costs;
        std::size_t positions = 1'000'000;  ///< that many known ones are enough
    };
    using StopAsked = std::function<bool()>;

    /// Keeps references; `database` must use `store`. Roots that are never stored do not count.
    QueueExpansion(PositionDatabase& database, PositionStore& store,
                   const std::vector<ExpansionRoot>& roots, const Settings& settings);

    /// Looks at the queue once and fills it up when few tasks wait. The first call reads all that
    /// is known, which takes seconds for a million positions; it returns early when `must_stop`
    /// says true. False when there is nothing left to do. Error: of the store; the next call goes
    /// on.
    [[nodiscard]] Result<bool> step(const StopAsked& must_stop);

    /// Known positions that the roots lead to, as far as it has looked.
    [[nodiscard]] std::size_t known() const { return graph_.size(); }
    /// Tasks that it has put into the queue.
    [[nodiscard]] std::uint64_t queued() const { return queued_; }

private:
    [[nodiscard]] std::optional<Error> load(const StopAsked& must_stop);
    [[nodiscard]] std::optional<Error> learn_scored();
    [[nodiscard]] Result<std::size_t> fill(std::size_t wanted, const StopAsked& must_stop);
    [[nodiscard]] Result<std::size_t> push_cheapest(std::size_t most);
    [[nodiscard]] std::optional<Error> take(const ExpansionLeaf& leaf, const KnownPosition& known);
    void choose();
    [[nodiscard]] std::size_t room() const;
    [[nodiscard]] bool is_over() const;

    PositionDatabase& database_;
    PositionStore& store_;
    const Settings settings_;
    std::vector<ExpansionRoot> roots_;
    DropOutGraph graph_;
    std::vector<ExpansionLeaf> stock_;     // to be queued, the cheapest last
    std::vector<ExpansionLeaf> expected_;  // were queued and are not known yet
    std::size_t target_;                   // so many tasks are to wait
    std::uint64_t queued_ = 0;
    bool is_loaded_ = false;
    bool is_changed_ = true;   // the graph, since leaves were chosen
    bool was_filled_ = false;  // the queue, at the last time
    bool is_full_ = false;     // it took no more at the last time
};

}  // namespace defiance
