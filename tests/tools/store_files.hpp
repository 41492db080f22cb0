#pragma once

#include "store_contract.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <tools/store/embedded_store.hpp>

namespace defiance {

/// A store in a folder, and what it warned of when it was opened.
struct OpenedStore {
    std::unique_ptr<EmbeddedStore> store;
    std::vector<std::string> warnings;

    EmbeddedStore* operator->() const { return store.get(); }
};

inline OpenedStore open_in(const std::string& folder) {
    OpenedStore opened;
    opened.store = value_of(EmbeddedStore::open(
        folder, [&](const std::string& line) { opened.warnings.push_back(line); }));
    return opened;
}

inline std::string stored_bytes(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void set_content(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

/// A store with some positions and what is in its file of the English game.
inline std::string filled_file(const std::string& folder, std::uint32_t positions) {
    {
        const OpenedStore store = open_in(folder);
        for (std::uint32_t i = 0; i < positions; ++i)
            REQUIRE(value_of(store->update(StoreGame::english, key_of(i), 0,
                                           "value of " + std::to_string(i))) ==
                    UpdateOutcome::stored);
    }
    return stored_bytes(EmbeddedStore::path_in(folder, StoreGame::english));
}

}  // namespace defiance
