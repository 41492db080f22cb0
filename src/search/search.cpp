#include <defiance/search/search.hpp>

#include <memory>

#include <defiance/base/assert.hpp>
#include <defiance/rules/game_rules.hpp>

#include "helpers.hpp"
#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

template <class Rules>
Search<Rules>::Search(TranspositionTable& table)
    : table_(table),
      worker_(std::make_unique<Worker>(table)),
      helpers_(std::make_unique<Helpers>(table)) {}

template <class Rules>
Search<Rules>::~Search() = default;

template <class Rules>
void Search<Rules>::use(const EndgameDatabases* endgames) {
    DEFIANCE_ASSERT(endgames == nullptr || &endgames->rules() == &rules_of<Rules>);
    worker_->use(static_cast<const Endgames<Rules>*>(endgames));
}

template <class Rules>
void Search<Rules>::use(const Network& network) {
    worker_->use(network);
}

template <class Rules>
SearchResult Search<Rules>::run(std::span<const Position> history, const SearchLimits& limits,
                                SearchObserver& observer) {
    DEFIANCE_ASSERT(limits.threads >= 1 && limits.threads <= max_search_threads);
    if (limits.solve != was_solving_ || limits.parameters != last_parameters_) table_.clear();
    was_solving_ = limits.solve;
    last_parameters_ = limits.parameters;
    table_.start_new_search();
    // To start threads takes longer than such a search.
    constexpr int min_depth = 5;
    if (limits.threads == 1 || limits.depth < min_depth || observer.must_stop(0)) {
        SearchLimits alone = limits;
        alone.threads = 1;
        return worker_->run(history, alone, observer);
    }
    struct Stopper {
        Helpers& helpers;
        ~Stopper() { helpers.stop(); }
    } const stopper{*helpers_};
    helpers_->start(limits.threads - 1, history, limits, *worker_);
    return worker_->run(history, limits, observer, 1, &helpers_->nodes());
}

template class Search<DEFIANCE_GAME>;

}  // namespace defiance
