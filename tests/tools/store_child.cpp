// store_child PLACE FIRST: opens a store, stores positions and queues tasks from number FIRST on
// until it is killed, and prints each number when both are done.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <defiance/base/console.hpp>
#include <tools/store/position_store.hpp>

using namespace defiance;

int main(int count, char** words) {
    if (count != 3) return 2;
    use_plain_streams();
    const auto opened = open_store(words[1], [](const std::string&) {});
    if (!opened) {
        std::fprintf(stderr, "%s\n", opened.error().c_str());
        return 1;
    }
    PositionStore& store = **opened;
    for (auto i = static_cast<std::uint32_t>(std::atoi(words[2]));; ++i) {
        const PositionKey key{i * 2654435761U, ~i, i % 7};  // as key_of() in the tests
        const auto queued = store.push({StoreGame::english, key, 0, {}});
        const auto stored = store.update(StoreGame::english, key, 0, std::to_string(i));
        if (!queued || !stored || *stored != UpdateOutcome::stored) return 1;
        if (!send_line(std::to_string(i))) return 0;
    }
}
