#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/rules/move_text.hpp>
#include <defiance/search/search.hpp>

namespace defiance {

/// Gives hints when so many nodes have been searched.
class HintingObserver : public SearchObserver {
public:
    explicit HintingObserver(SearchHints hints, std::uint64_t from = 0)
        : hints_(std::move(hints)), from_(from) {}
    bool must_stop(std::uint64_t nodes) override {
        nodes_ = nodes;
        return false;
    }
    const SearchHints* new_hints() override {
        if (is_given_ || nodes_ < from_) return nullptr;
        is_given_ = true;
        return &hints_;
    }
    void report(const SearchReport& report) override {
        moves.assign(report.moves.begin(), report.moves.end());
    }

    std::vector<RootMove> moves;  // of the last report

private:
    SearchHints hints_;
    std::uint64_t from_;
    std::uint64_t nodes_ = 0;
    bool is_given_ = false;
};

inline Position hinted_position(const char* fen) {
    const auto position = parse_fen(rules_of<English>, fen);
    REQUIRE(position);
    return *position;
}

inline Move hinted_move(const Position& p, std::string_view text) {
    const Result<Move> move = parse_move(rules_of<English>, p, text);
    REQUIRE(move);
    return *move;
}

}  // namespace defiance
