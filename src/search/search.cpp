#include <defiance/search/search.hpp>

#include <memory>

#include <defiance/base/assert.hpp>
#include <defiance/rules/game_rules.hpp>

#include "worker.hpp"

#include DEFIANCE_GAME_HEADER

namespace defiance {

template <class Rules>
Search<Rules>::Search(TranspositionTable& table)
    : table_(table), worker_(std::make_unique<Worker>(table)) {}

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
    table_.start_new_search();
    return worker_->run(history, limits, observer);
}

template class Search<DEFIANCE_GAME>;

}  // namespace defiance
