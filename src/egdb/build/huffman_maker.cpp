#include "huffman_maker.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

/// The lengths of the words, 0 for symbols that do not occur. With one symbol its length is 1.
std::vector<std::uint8_t> lengths_for(std::span<const std::uint64_t> counts) {
    // Trees with so many symbols; the first symbol of each decides between equal ones.
    using Tree = std::pair<std::uint64_t, std::vector<std::uint8_t>>;
    std::priority_queue<Tree, std::vector<Tree>, std::greater<>> trees;
    for (std::size_t symbol = 0; symbol < counts.size(); ++symbol)
        if (counts[symbol] != 0) trees.push({counts[symbol], {static_cast<std::uint8_t>(symbol)}});
    std::vector<std::uint8_t> lengths(counts.size());
    if (trees.size() == 1) lengths[trees.top().second[0]] = 1;
    while (trees.size() > 1) {
        Tree joined = trees.top();
        trees.pop();
        const Tree& other = trees.top();
        joined.first += other.first;
        joined.second.insert(joined.second.end(), other.second.begin(), other.second.end());
        trees.pop();
        for (const std::uint8_t symbol : joined.second)
            ++lengths[symbol];
        trees.push(std::move(joined));
    }
    return lengths;
}

}  // namespace

std::vector<std::uint8_t> make_huffman_code(std::span<const std::uint64_t> counts) {
    DEFIANCE_ASSERT(counts.size() <= HuffmanCode::max_symbols);
    std::vector<std::uint64_t> flattened(counts.begin(), counts.end());
    std::vector<std::uint8_t> lengths = lengths_for(flattened);
    // Very uneven counts make words that are too long. Evened out they make shorter ones.
    while (std::ranges::any_of(lengths, [](auto n) { return n > HuffmanCode::max_length; })) {
        for (std::uint64_t& n : flattened)
            n = (n + 1) / 2;
        lengths = lengths_for(flattened);
    }
    while (!lengths.empty() && lengths.back() == 0)
        lengths.pop_back();
    std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(lengths.size())};
    bytes.insert(bytes.end(), lengths.begin(), lengths.end());
    DEFIANCE_ASSERT(HuffmanCode::open(bytes).has_value());
    return bytes;
}

}  // namespace defiance
