#include "cake_blocks.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance::cake {
namespace {

constexpr std::size_t literals = 81;  // bytes below stand for four values of three kinds
constexpr std::array<std::uint16_t, 58> run_lengths = {
    5,   6,   7,    8,    9,    10,   11,   12,   13,   14,   15,   16,   17,   18,  19,
    20,  21,  22,   23,   24,   25,   26,   27,   28,   29,   30,   31,   32,   36,  40,
    44,  48,  52,   56,   60,   70,   80,   90,   100,  150,  200,  250,  300,  400, 500,
    650, 800, 1000, 1200, 1400, 1600, 2000, 2400, 3200, 4000, 5000, 7500, 10000};
constexpr std::uint8_t no_byte = 255;  // stands for no value and fills what no file has filled

constexpr std::array<Wld, 3> values = {Wld::win, Wld::loss, Wld::draw};

/// What a byte stands for: how many values, and the first four of them.
struct Meaning {
    std::uint16_t length = 0;
    std::array<Wld, 4> values{};
};

constexpr std::array<Meaning, 256> make_meanings() {
    std::array<Meaning, 256> table{};
    for (std::size_t byte = 0; byte < no_byte; ++byte) {
        Meaning& meaning = table[byte];
        if (byte >= literals) {
            meaning.length = run_lengths[(byte - literals) % run_lengths.size()];
            meaning.values.fill(values[(byte - literals) / run_lengths.size()]);
            continue;
        }
        meaning.length = 4;
        std::size_t rest = byte;
        for (Wld& value : meaning.values) {
            value = values[rest % 3];
            rest /= 3;
        }
    }
    return table;
}
constexpr std::array<Meaning, 256> meanings = make_meanings();

/// True when the bytes of the part stand for as many values as it has.
bool is_sound_in(const Block& block, const Part& part) {
    const std::uint32_t values_read =
        block.values_before(part.end_byte) - block.values_before(part.first_byte);
    return values_read >= part.values &&
           values_read - part.values <= (part.is_last ? max_over_the_end : 0);
}

}  // namespace

void Block::prepare(std::size_t size) {
    DEFIANCE_ASSERT(size <= block_bytes);
    std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(size), bytes_.end(), no_byte);
    std::uint32_t sum = 0;
    for (std::size_t byte = 0; byte < block_bytes; ++byte) {
        if (byte % step == 0) values_before_[byte / step] = sum;
        sum += meanings[bytes_[byte]].length;
    }
}

std::uint32_t Block::values_before(std::size_t byte) const {
    DEFIANCE_ASSERT(byte <= block_bytes);
    std::size_t place = std::min(byte / step, values_before_.size() - 1);
    std::uint32_t sum = values_before_[place];
    for (place *= step; place < byte; ++place)
        sum += meanings[bytes_[place]].length;
    return sum;
}

std::optional<Wld> Block::value(std::size_t from_byte, std::uint32_t number) const {
    DEFIANCE_ASSERT(from_byte < block_bytes);
    number += from_byte == 0 ? 0 : values_before(from_byte);
    const auto behind = std::upper_bound(values_before_.begin(), values_before_.end(), number);
    const auto place = static_cast<std::size_t>(behind - values_before_.begin()) - 1;
    std::uint32_t rest = number - values_before_[place];
    for (std::size_t byte = place * step; byte < place * step + step; ++byte) {
        const Meaning& meaning = meanings[bytes_[byte]];
        if (rest < meaning.length) return meaning.values[std::min<std::uint32_t>(rest, 3)];
        rest -= meaning.length;
    }
    return std::nullopt;
}

Part part_of(const Slice& slice, const Index& index, std::uint32_t i) {
    const std::span<const std::uint32_t> starts = index.starts(slice);
    DEFIANCE_ASSERT(i < slice.blocks && slice.blocks == starts.size());
    Part part;
    part.block = slice.first_block + i;
    part.first_byte = i == 0 ? slice.first_byte : 0;
    part.is_last = i + 1 == slice.blocks;
    part.end_byte = part.is_last ? slice.end_byte : block_bytes;
    const std::uint32_t end = part.is_last ? slice.size : starts[i + 1];
    part.values = end - std::min(end, starts[i]);
    return part;
}

/// A set-associative cache of blocks, with one mutex for many sets.
class Blocks::Cache {
public:
    /// Takes at most so much memory, or min_memory, less where there is less. There may be too
    /// little: see is_ready().
    Cache(const Blocks& blocks, std::uint64_t memory)
        : blocks_(blocks),
          sets_(std::min(std::max(memory, min_memory) / sizeof(Set), sets_for_all(blocks))),
          memory_(sets_ * sizeof(Set)) {
        constexpr std::uint64_t min_sets = min_memory / sizeof(Set);
        while (!memory_ && sets_ > min_sets) {
            sets_ = std::max(sets_ / 2, min_sets);
            memory_ = ZeroedMemory(sets_ * sizeof(Set));
        }
    }

    [[nodiscard]] bool is_ready() const { return static_cast<bool>(memory_); }

    std::optional<Wld> value(const Part& part, std::uint32_t number) {
        const std::uint64_t set_number = part.block % sets_;
        Lock& lock = locks_[static_cast<std::size_t>(set_number % locks_.size())];
        const std::lock_guard<std::mutex> guard(lock.mutex);
        Set& set = static_cast<Set*>(memory_.data())[set_number];
        const Block& block = loaded(set, part.block, ++lock.time);
        // Each part for itself: the block may have been read for another one, which is sound.
        if (!is_sound_in(block, part)) return std::nullopt;
        return block.value(part.first_byte, number);
    }

private:
    static constexpr std::uint64_t min_memory = 64 * 1024;
    static constexpr std::size_t ways = 4;

    /// All zero when nothing is in it.
    struct Set {
        std::array<std::uint32_t, ways> number;  // of the block, plus 1
        std::array<std::uint32_t, ways> last_used;
        std::array<Block, ways> block;
    };
    struct Lock {
        std::mutex mutex;
        std::uint32_t time = 0;
        // Padding, so that two locks do not share a cache line. alignas would need functions of the
        // run-time library that older Windows lacks.
        std::array<std::uint8_t, 64> padding{};
    };

    /// Enough for every block that is not held; they follow each other, so no set gets more.
    static std::uint64_t sets_for_all(const Blocks& blocks) {
        DEFIANCE_ASSERT(blocks.held_blocks_ < blocks.number_of_blocks_);
        return (blocks.number_of_blocks_ - blocks.held_blocks_ - 1) / ways + 1;
    }

    const Block& loaded(Set& set, std::uint32_t number, std::uint32_t now) {
        std::size_t oldest = 0;
        for (std::size_t i = 0; i < set.number.size(); ++i) {
            if (set.number[i] == number + 1) {
                set.last_used[i] = now;
                return set.block[i];
            }
            if (now - set.last_used[i] > now - set.last_used[oldest]) oldest = i;
        }
        Block& block = set.block[oldest];
        blocks_.read(number, block);
        set.number[oldest] = number + 1;
        set.last_used[oldest] = now;
        return block;
    }

    const Blocks& blocks_;
    std::uint64_t sets_;
    ZeroedMemory memory_;
    std::array<Lock, 256> locks_;
};

Blocks::Blocks() = default;
Blocks::~Blocks() = default;

bool Blocks::add(RandomAccessFile file, std::uint32_t blocks) {
    const std::uint64_t most = std::uint64_t{blocks} * block_bytes;
    if (file.size() > most || file.size() + block_bytes < most) return false;
    files_.push_back({std::move(file), number_of_blocks_});
    number_of_blocks_ += blocks;
    return true;
}

std::optional<Error> Blocks::make_ready(std::uint64_t memory) {
    const auto too_little_memory = [] {
        return Error{"there is too little memory for endgame databases"};
    };
    constexpr std::uint64_t max_held = std::uint64_t{64} << 20;
    // The rest of a 32-bit program needs some of its addresses, too.
    if constexpr (sizeof(void*) == 4) memory = std::min(memory, std::uint64_t{1} << 30);
    for (; held_files_ < files_.size(); ++held_files_) {
        const std::uint32_t end = held_files_ + 1 < files_.size()
                                      ? files_[held_files_ + 1].first_block
                                      : number_of_blocks_;
        const std::uint64_t bytes = std::uint64_t{end - held_blocks_} * sizeof(Block);
        if (bytes > max_held || bytes > memory / 2) break;
        memory -= bytes;
        held_blocks_ = end;
    }
    held_ = ZeroedMemory(held_blocks_ * std::uint64_t{sizeof(Block)});
    if (held_blocks_ > 0 && !held_) return too_little_memory();
    for (std::uint32_t number = 0; number < held_blocks_; ++number)
        read(number, static_cast<Block*>(held_.data())[number]);
    if (held_files_ == files_.size()) return std::nullopt;
    cache_ = std::make_unique<Cache>(*this, memory);
    if (!cache_->is_ready()) return too_little_memory();
    return std::nullopt;
}

std::size_t Blocks::file_of(std::uint32_t block) const {
    DEFIANCE_ASSERT(block < number_of_blocks_);
    const auto behind = std::upper_bound(
        files_.begin(), files_.end(), block,
        [](std::uint32_t number, const File& file) { return number < file.first_block; });
    return static_cast<std::size_t>(behind - files_.begin()) - 1;
}

void Blocks::read(std::uint32_t number, Block& block) const {
    const File& file = files_[file_of(number)];
    const std::uint64_t offset = std::uint64_t{number - file.first_block} * block_bytes;
    const std::uint64_t rest = file.file.size() - std::min(file.file.size(), offset);
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(rest, block_bytes));
    const bool is_read = file.file.read_at(offset, std::span(block.bytes()).first(size));
    block.prepare(is_read ? size : 0);
}

bool Blocks::is_sound(const Part& part) const {
    if (part.block < held_blocks_) return is_sound_in(held(part.block), part);
    Block block;
    read(part.block, block);
    return is_sound_in(block, part);
}

std::optional<Wld> Blocks::value(const Part& part, std::uint32_t number) const {
    // What is held was checked when the database was opened, and has not changed since.
    if (part.block < held_blocks_) return held(part.block).value(part.first_byte, number);
    return cache_->value(part, number);
}

}  // namespace defiance::cake
