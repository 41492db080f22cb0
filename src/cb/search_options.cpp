#include <cstdint>
#include <string>

#include <defiance/base/text.hpp>
#include <defiance/cb/checkerboard_engine.hpp>

#include "reply.hpp"

namespace defiance {

Reply CheckerBoardEngine::set_hash_size(std::string_view text) {
    const auto size = parse_integer(text, 1, max_hash_mebibytes);
    if (!size)
        return refused("hashsize takes a whole number of MB from 1 to " +
                       std::to_string(max_hash_mebibytes));
    const auto answer = engine_.set_hash_mebibytes(static_cast<std::uint32_t>(*size));
    if (!answer) return refused("Message " + answer.error());
    return done("hashsize " + std::to_string(*answer));
}

Reply CheckerBoardEngine::set_search_threads(std::string_view text) {
    const auto threads = parse_integer(text, 1, max_search_threads);
    if (!threads)
        return refused("searchthreads takes a whole number from 1 to " +
                       std::to_string(max_search_threads));
    engine_.set_search_threads(static_cast<int>(*threads));
    return done("searchthreads " + std::to_string(*threads));
}

Reply CheckerBoardEngine::set_claim(std::string_view text) {
    const auto policy = parse_integer(text, 0, max_claim_policy);
    if (!policy)
        return refused(
            "claim takes 0 (never), 1 (wins that are certain, and draws known for 20 moves) or 2 "
            "(all that is proven)");
    engine_.set_claim(static_cast<ClaimPolicy>(*policy));
    return done("claim " + std::to_string(*policy));
}

Reply CheckerBoardEngine::set_depth(std::string_view text) {
    const auto depth = parse_integer(text, 0, max_depth);
    if (!depth) return refused("depth takes a whole number from 0 to " + std::to_string(max_depth));
    engine_.set_depth_limit(static_cast<int>(*depth));
    return done("depth " + std::to_string(*depth));
}

Reply CheckerBoardEngine::set_nodes(std::string_view text) {
    const auto nodes = parse_integer(text, 0, INT64_MAX);
    if (!nodes) return refused("nodes takes a whole number, 0 for no limit");
    engine_.set_node_limit(static_cast<std::uint64_t>(*nodes));
    return done("nodes " + std::to_string(*nodes));
}

Reply CheckerBoardEngine::set_search_parameter(std::string_view text) {
    const std::string_view name = take_word(text);
    if (const auto problem = engine_.set_search_parameter(name, text))
        return refused("parameter: " + problem->text);
    return done("parameter " + std::string(name) + ' ' + std::string(text));
}

}  // namespace defiance
