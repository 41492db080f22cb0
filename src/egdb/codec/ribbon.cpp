#include "ribbon.hpp"

namespace defiance {

std::optional<Ribbon::Opened> Ribbon::open(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t entry = 4;
    constexpr std::uint32_t max_shard_bytes = 1 << 20;
    if (bytes.size() < entry) return std::nullopt;
    Ribbon ribbon;
    ribbon.shards_ = load_little_endian<std::uint32_t>(bytes.data());
    if ((bytes.size() - entry) / entry < ribbon.shards_) return std::nullopt;
    ribbon.ends_ = bytes.data() + entry;
    ribbon.data_ = ribbon.ends_ + entry * ribbon.shards_;
    const std::size_t head = entry + entry * ribbon.shards_;
    std::uint32_t end = 0;
    for (std::uint32_t shard = 0; shard < ribbon.shards_; ++shard) {
        const std::uint32_t next = ribbon.end_of(shard);
        if (next < end || next - end < width / 8 || next - end > max_shard_bytes)
            return std::nullopt;
        end = next;
    }
    if (end > bytes.size() - head) return std::nullopt;
    return Opened{ribbon, head + end};
}

}  // namespace defiance
