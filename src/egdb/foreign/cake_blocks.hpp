#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <defiance/base/memory.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/result.hpp>

#include "cake_index.hpp"

namespace defiance::cake {

/// A block of a .cpr file: bytes that stand for four values each or for a run of one value.
class Block {
public:
    /// Takes over the bytes that were read into bytes(), `size` of them.
    void prepare(std::size_t size);

    [[nodiscard]] std::array<std::uint8_t, block_bytes>& bytes() { return bytes_; }

    /// How many values the bytes before this one stand for; `byte` may be block_bytes.
    [[nodiscard]] std::uint32_t values_before(std::size_t byte) const;

    /// The value with this number, counted from the byte on; nothing when there are not so many.
    [[nodiscard]] std::optional<Wld> value(std::size_t from_byte, std::uint32_t number) const;

private:
    /// A look-up walks through at most this many bytes.
    static constexpr std::size_t step = 32;

    std::array<std::uint8_t, block_bytes> bytes_;
    std::array<std::uint32_t, block_bytes / step> values_before_;  // each step-th byte
};

/// A part of a slice that lies in one block.
struct Part {
    std::uint32_t block = 0;     ///< counted over all files
    std::size_t first_byte = 0;  ///< of the part in the block
    std::size_t end_byte = 0;
    std::uint32_t values = 0;  ///< of the slice; the last byte may stand for a few more
    bool is_last = false;      ///< then only it may
};

/// The part of a slice in its block number `i`, counted from 0 in the slice.
[[nodiscard]] Part part_of(const Slice& slice, const Index& index, std::uint32_t i);

/// The .cpr files: small ones in memory, of the others the blocks used last. Filled by one thread,
/// then read by any number.
class Blocks {
public:
    Blocks();
    ~Blocks();

    /// Adds a file of so many blocks, numbered on from those of the files before. False when it has
    /// not the length for them.
    [[nodiscard]] bool add(RandomAccessFile file, std::uint32_t blocks);
    [[nodiscard]] std::uint32_t number_of_blocks() const { return number_of_blocks_; }

    /// Divides the memory and reads the files that are held whole. Takes no more of it than the
    /// files need, and less where the system has less. Error: there is too little. Nothing may be
    /// added afterwards.
    [[nodiscard]] std::optional<Error> make_ready(std::uint64_t memory);

    /// Which file the block is in, counted as they were added.
    [[nodiscard]] std::size_t file_of(std::uint32_t block) const;
    /// True when all of the file is held in memory.
    [[nodiscard]] bool is_held(std::size_t file) const { return file < held_files_; }

    /// True when the bytes of the part stand for as many values as it has.
    [[nodiscard]] bool is_sound(const Part& part) const;

    /// The value of a position of the part; nothing when the part cannot be read or is damaged. Of
    /// files that are held, all parts must have been found sound.
    [[nodiscard]] std::optional<Wld> value(const Part& part, std::uint32_t number) const;

private:
    class Cache;
    struct File {
        RandomAccessFile file;
        std::uint32_t first_block;
    };

    void read(std::uint32_t number, Block& block) const;
    [[nodiscard]] const Block& held(std::uint32_t number) const {
        return static_cast<const Block*>(held_.data())[number];
    }

    std::vector<File> files_;
    std::uint32_t number_of_blocks_ = 0;
    std::size_t held_files_ = 0;
    std::uint32_t held_blocks_ = 0;  // the first of all
    ZeroedMemory held_;
    std::unique_ptr<Cache> cache_;
};

}  // namespace defiance::cake
