#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <defiance/rules/english.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <defiance/search/parameters.hpp>
#include <defiance/search/search.hpp>
#include <search/reductions.hpp>

using namespace defiance;
using Catch::Matchers::Contains;

namespace {

/// Positions in which every parameter has something to say, many pieces and few.
const std::vector<Position>& parameter_positions() {
    static const std::vector<Position> positions = [] {
        std::vector<Position> list;
        for (const char* fen :
             {"B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
              "W:WK10,K14,21,30:B13,K19,K23,28", "B:WK5,K21,K32:BK1,K10,18,K28"})
            list.push_back(*parse_fen(rules_of<English>, fen));
        return list;
    }();
    return positions;
}

/// The nodes of searches to this depth, and their scores: what tells one search from another.
std::vector<std::int64_t> traces_of(Search<English>& searcher, TranspositionTable& table,
                                    const SearchParameters& parameters) {
    SearchObserver observer;
    SearchLimits limits;
    limits.depth = 14;
    limits.parameters = parameters;
    std::vector<std::int64_t> traces;
    for (const Position& p : parameter_positions()) {
        table.clear();
        const SearchResult result = searcher.run({&p, 1}, limits, observer);
        traces.push_back(static_cast<std::int64_t>(result.nodes));
        traces.push_back(result.score);
    }
    return traces;
}

std::vector<std::int64_t> traces_of(const SearchParameters& parameters) {
    TranspositionTable table(4);
    Search<English> searcher(table);
    return traces_of(searcher, table, parameters);
}

}  // namespace

TEST_CASE("every search parameter changes the search, and taking it back restores it",
          "[search][parameters]") {
    TranspositionTable table(4);
    Search<English> searcher(table);
    const std::vector<std::int64_t> usual = traces_of({});
    CHECK(traces_of(searcher, table, {}) == usual);
    for (const SearchParameter& parameter : search_parameters) {
        INFO(parameter.name);
        SearchParameters low;
        SearchParameters high;
        low.*parameter.member = parameter.min;
        high.*parameter.member = parameter.max;
        const std::vector<std::int64_t> with_low = traces_of(searcher, table, low);
        const std::vector<std::int64_t> with_high = traces_of(searcher, table, high);
        CHECK(with_low != with_high);
        // One of the bounds may be the default, or like it in these positions.
        CHECK((with_low != usual || with_high != usual));
        CHECK(traces_of(low) == with_low);
        CHECK(traces_of(searcher, table, {}) == usual);
    }
}

TEST_CASE("search parameters are set by name within their bounds", "[search][parameters]") {
    std::set<std::string> names;
    for (const SearchParameter& parameter : search_parameters) {
        INFO(parameter.name);
        CHECK(names.insert(std::string(parameter.name)).second);
        CHECK(find_search_parameter(parameter.name) == &parameter);
        for (const int value : {parameter.min, parameter.max}) {
            SearchParameters parameters;
            CHECK_FALSE(set_search_parameter(parameters, parameter.name, std::to_string(value)));
            SearchParameters expected;
            expected.*parameter.member = value;
            CHECK(parameters == expected);
        }
        for (const std::string& value :
             {std::to_string(parameter.min - 1), std::to_string(parameter.max + 1), std::string(),
              std::string("x"), std::string("4.5"), std::string("99999999999999999999")}) {
            SearchParameters parameters;
            const auto problem = set_search_parameter(parameters, parameter.name, value);
            REQUIRE(problem);
            CHECK_THAT(problem->text, Contains(std::string(parameter.name) + " takes a whole "));
            CHECK(parameters == SearchParameters{});
        }
    }
    SearchParameters parameters;
    const auto problem = set_search_parameter(parameters, "margin", "3");
    REQUIRE(problem);
    CHECK_THAT(problem->text, Contains("there is no search parameter 'margin', only "));
    for (const std::string& name : names)
        CHECK_THAT(problem->text, Contains(name));
    CHECK(find_search_parameter("") == nullptr);
}

TEST_CASE("reductions are rounded from the logarithms of depth and number",
          "[search][parameters]") {
    for (const int divisor : {80, 137, 200, 600}) {
        for (const int offset : {-100, -30, 0, 55, 100}) {
            SearchParameters parameters;
            parameters.reduction_divisor = divisor;
            parameters.reduction_offset = offset;
            const ReductionTable table(parameters);
            int wrong = 0;
            for (int depth = 1; depth < 64; ++depth)
                for (int number = 1; number < 64; ++number) {
                    const double exact =
                        std::log(depth) * std::log(number) * 100 / divisor + offset / 100.0;
                    const int expected = std::max(0, static_cast<int>(std::floor(exact + 0.5)));
                    if (table.plies(depth, number) != expected) ++wrong;
                }
            CAPTURE(divisor, offset);
            CHECK(wrong == 0);
        }
    }
    const ReductionTable usual;
    CHECK(usual.plies(1, 63) == 0);
    CHECK(usual.plies(10, 10) == 3);
    CHECK(usual.plies(200, 100) == usual.plies(63, 63));
}
