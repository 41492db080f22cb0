#include <tools/book/book_order.hpp>

#include <string_view>
#include <utility>

#include <defiance/base/file.hpp>
#include <tools/support/games.hpp>
#include <tools/support/openings.hpp>

namespace defiance {
namespace {

std::string default_ballots(const GameRules& rules) {
    return has_three_move_openings(rules) ? "3move" : "11man";
}

/// The word for the openings as books keep it, so that both spellings make the same book.
std::string kept_word(std::string_view ballots) {
    if (ballots == "3-move") return "3move";
    if (ballots == "11-man") return "11man";
    return std::string(ballots);
}

}  // namespace

Result<BookOrder> book_order_given(const Arguments& arguments) {
    for (const std::string_view name : {"dir", "positions", "out"})
        if (!arguments.has(name) || (name != "positions" && arguments.text(name)->empty()))
            return Error{"--" + std::string(name) + " is missing"};
    const Result<const GameCore*> core = game_of(arguments);
    if (!core) return Error{core.error()};
    const GameRules& rules = (*core)->rules;
    BookOrder order;
    order.core = *core;
    order.folder = with_final_separator(*arguments.text("dir"));
    order.out = *arguments.text("out");
    order.ballots = kept_word(arguments.text("ballots").value_or(default_ballots(rules)));
    auto roots = expansion_roots(rules, order.ballots);
    if (!roots) return Error{"--ballots: " + roots.error()};
    order.roots = *std::move(roots);
    order.positions = static_cast<std::uint64_t>(*arguments.integer("positions"));
    return order;
}

std::optional<Error> check_shards(const BookOrder& order, std::uint32_t shards) {
    if (shards > order.roots.size())
        return Error{"there are more shards than places where lines begin, " +
                     std::to_string(order.roots.size())};
    if (shards > order.positions) return Error{"there are more shards than positions"};
    return std::nullopt;
}

}  // namespace defiance
