#include <defiance/engine/hint_mailbox.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr std::array<std::string_view, 3> policy_names = {"trust", "verify", "ignore"};
static_assert(static_cast<std::size_t>(HintPolicy::ignore) + 1 == policy_names.size());

/// What a search is told of the hints.
SearchHints for_search(const Hints& hints, HintPolicy policy, bool is_analysis) {
    SearchHints result;
    result.search_moves = hints.search_moves;
    if (policy == HintPolicy::ignore) return result;
    if (!is_analysis) result.move = hints.endgame_move ? hints.endgame_move : hints.book_move;
    result.is_trusted = result.move && policy == HintPolicy::trust;
    if (!hints.line) return result;
    result.line = hints.line->moves;
    result.depth = hints.line->depth;
    if (std::abs(hints.line->score) <= evaluation_limit) result.score = hints.line->score;
    return result;
}

}  // namespace

std::string_view name_of(HintPolicy policy) {
    const auto number = static_cast<std::size_t>(policy);
    DEFIANCE_ASSERT(number < policy_names.size());
    return policy_names[number];
}

std::optional<HintPolicy> find_hint_policy(std::string_view name) {
    for (std::size_t i = 0; i < policy_names.size(); ++i)
        if (policy_names[i] == name) return static_cast<HintPolicy>(i);
    return std::nullopt;
}

void HintMailbox::change(const Position& position, const std::function<void(Hints&)>& change) {
    const std::lock_guard lock(mutex_);
    bool is_in_use = false;
    for (HintsInUse* const used : in_use_) {
        if (used->pending.position != position) continue;
        change(used->pending.hints);
        ++used->changes;
        is_in_use = true;
    }
    if (!is_in_use) {
        if (!waiting_ || waiting_->position != position) waiting_ = PendingHints{position, {}};
        change(waiting_->hints);
    }
    changes_.fetch_add(1, std::memory_order_release);
}

void HintMailbox::clear() {
    const std::lock_guard lock(mutex_);
    waiting_.reset();
    for (HintsInUse* const used : in_use_) {
        used->pending.hints = {};
        ++used->changes;
    }
    changes_.fetch_add(1, std::memory_order_release);
}

std::optional<PendingHints> HintMailbox::pending() const {
    const std::lock_guard lock(mutex_);
    if (waiting_ && !waiting_->hints.is_empty()) return waiting_;
    for (const HintsInUse* const used : in_use_)
        if (!used->pending.hints.is_empty()) return used->pending;
    return std::nullopt;
}

HintReader::HintReader(HintMailbox& mailbox, const Position& position, HintPolicy policy,
                       bool is_analysis)
    : mailbox_(mailbox), policy_(policy), is_analysis_(is_analysis), shared_{{position, {}}} {
    const std::lock_guard lock(mailbox_.mutex_);
    auto waiting = std::exchange(mailbox_.waiting_, std::nullopt);
    if (waiting && waiting->position == position) {
        shared_.pending = *std::move(waiting);
        read();
    }
    // Last: nothing that follows fails and leaves the mailbox with an object that was never made.
    mailbox_.in_use_.push_back(&shared_);
    seen_ = mailbox_.changes_.load(std::memory_order_relaxed);
}

HintReader::~HintReader() {
    const std::lock_guard lock(mailbox_.mutex_);
    std::erase(mailbox_.in_use_, &shared_);
}

/// Takes what has come. The mailbox is locked.
void HintReader::read() {
    hints_ = shared_.pending.hints;
    read_changes_ = shared_.changes;
    shown_ = for_search(hints_, policy_, is_analysis_);
    is_new_ = true;
}

bool HintReader::has_news() {
    if (mailbox_.changes_.load(std::memory_order_acquire) != seen_) {
        const std::lock_guard lock(mailbox_.mutex_);
        if (shared_.changes != read_changes_) read();
        seen_ = mailbox_.changes_.load(std::memory_order_relaxed);
    }
    return is_new_;
}

const SearchHints* HintReader::news() {
    if (!has_news()) return nullptr;
    is_new_ = false;
    return &shown_;
}

bool HintReader::leaves_one_of(const std::vector<Move>& moves) const {
    const auto is_left = [&](const Move& move) { return permits(moves, move); };
    const auto left =
        std::count_if(shown_.search_moves.begin(), shown_.search_moves.end(), is_left);
    return left == 1 || (left == 0 && moves.size() == 1);
}

std::optional<HintSource> HintReader::source_of(const Move& move) const {
    if (!shown_.move || *shown_.move != move) return std::nullopt;
    return hints_.endgame_move ? HintSource::endgames : HintSource::book;
}

}  // namespace defiance
