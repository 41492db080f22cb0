#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tools/store/position_store.hpp>

namespace defiance {

/// Where the record of a position lies in a file.
struct RecordPlace {
    std::uint64_t offset = 0;  ///< less than 2^48
    std::uint16_t size = 0;    ///< never 0

    friend bool operator==(const RecordPlace&, const RecordPlace&) = default;
};

/// Finds the record of a position: a hash table with open addressing in parts that grow one at a
/// time. It takes 27 to 38 bytes a position. Several threads may read it, or one may write.
class KeyIndex {
public:
    KeyIndex();

    [[nodiscard]] std::optional<RecordPlace> find(const PositionKey& key) const;

    /// Sets the place of a position. True when it had none.
    bool set(const PositionKey& key, const RecordPlace& place);

    [[nodiscard]] std::size_t size() const { return size_; }

    /// The positions of one part, numbered from 0.
    static constexpr std::size_t parts = 64;
    [[nodiscard]] std::vector<PositionKey> keys_of_part(std::size_t part) const;

private:
    struct Slot {
        PositionKey key;
        std::uint32_t offset_low = 0;
        std::uint16_t offset_high = 0;
        std::uint16_t size = 0;  ///< 0: the slot is empty
    };
    static_assert(sizeof(Slot) == 20);

    struct Part {
        std::vector<Slot> slots;
        std::size_t used = 0;
    };

    [[nodiscard]] std::uint64_t hash(const PositionKey& key) const;
    /// The slot of the key, or the empty one where it would be. The part must have an empty slot.
    [[nodiscard]] static std::size_t slot_of(const Part& part, const PositionKey& key,
                                             std::uint64_t hash);
    void grow(Part& part) const;

    std::array<Part, parts> parts_;
    std::size_t size_ = 0;
    std::uint64_t seed_;  ///< so that nobody can choose positions that all meet in one place
};

}  // namespace defiance
