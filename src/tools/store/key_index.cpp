#include <tools/store/key_index.hpp>

#include <random>
#include <utility>

#include <defiance/base/assert.hpp>
#include <tools/store/game_position.hpp>

namespace defiance {
namespace {

constexpr std::size_t first_slots = 16;

std::size_t part_number(std::uint64_t hash) {
    return static_cast<std::size_t>(hash >> 58);
}

}  // namespace

KeyIndex::KeyIndex() {
    std::random_device device;
    seed_ = static_cast<std::uint64_t>(device()) << 32 | device();
}

std::uint64_t KeyIndex::hash(const PositionKey& key) const {
    return hash_of(key, seed_);
}

std::size_t KeyIndex::slot_of(const Part& part, const PositionKey& key, std::uint64_t hash) {
    DEFIANCE_ASSERT(part.used < part.slots.size());
    const std::size_t size = part.slots.size();
    auto at = static_cast<std::size_t>((hash & 0xFFFFFFFF) * size >> 32);
    while (part.slots[at].size != 0 && part.slots[at].key != key)
        at = at + 1 == size ? 0 : at + 1;
    return at;
}

std::optional<RecordPlace> KeyIndex::find(const PositionKey& key) const {
    const std::uint64_t code = hash(key);
    const Part& part = parts_[part_number(code)];
    if (part.slots.empty()) return std::nullopt;
    const Slot& slot = part.slots[slot_of(part, key, code)];
    if (slot.size == 0) return std::nullopt;
    return RecordPlace{static_cast<std::uint64_t>(slot.offset_high) << 32 | slot.offset_low,
                       slot.size};
}

void KeyIndex::grow(Part& part) const {
    Part larger;
    larger.slots.resize(part.slots.empty() ? first_slots : part.slots.size() / 5 * 7 + 7);
    for (const Slot& slot : part.slots) {
        if (slot.size == 0) continue;
        larger.slots[slot_of(larger, slot.key, hash(slot.key))] = slot;
        ++larger.used;
    }
    DEFIANCE_ASSERT(larger.used == part.used);
    part = std::move(larger);
}

bool KeyIndex::set(const PositionKey& key, const RecordPlace& place) {
    DEFIANCE_ASSERT(place.size != 0 && place.offset >> 48 == 0);
    const std::uint64_t code = hash(key);
    Part& part = parts_[part_number(code)];
    if ((part.used + 1) * 4 > part.slots.size() * 3) grow(part);
    Slot& slot = part.slots[slot_of(part, key, code)];
    const bool is_new = slot.size == 0;
    slot = {key, static_cast<std::uint32_t>(place.offset),
            static_cast<std::uint16_t>(place.offset >> 32), place.size};
    part.used += is_new ? 1 : 0;
    size_ += is_new ? 1 : 0;
    return is_new;
}

std::vector<PositionKey> KeyIndex::keys_of_part(std::size_t part) const {
    DEFIANCE_ASSERT(part < parts);
    std::vector<PositionKey> keys;
    keys.reserve(parts_[part].used);
    for (const Slot& slot : parts_[part].slots)
        if (slot.size != 0) keys.push_back(slot.key);
    return keys;
}

}  // namespace defiance
