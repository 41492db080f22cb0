#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <defiance/base/random_access_file.hpp>
#include <defiance/base/result.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/probe.hpp>

#include "block_cache.hpp"
#include "egdb/codec/dtw_codec.hpp"
#include "egdb/codec/slice_codec.hpp"

namespace defiance {

/// Endgame databases of our own format, from files or from memory. Files are added first, by one
/// thread; then any number of threads may probe.
template <class Rules>
class Database {
public:
    /// The cache of unpacked blocks takes about so many bytes, or less if all blocks fit in less.
    explicit Database(std::uint64_t cache_bytes);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// Adds the slices of a file that are not there yet. Returns the most pieces of a slice in it;
    /// the error names the file.
    Result<int> add_file(const std::string& path);
    /// The same for bytes in memory, which must outlive this.
    Result<int> add_bytes(std::span<const std::uint8_t> bytes, const std::string& name);

    /// The most pieces of a position that may be known; 0 when none is.
    [[nodiscard]] int pieces() const { return pieces_; }
    /// The most pieces up to which every position is known, by itself or through its successors.
    [[nodiscard]] int complete_pieces() const { return complete_pieces_; }

    /// What the position is worth. Nothing when it is not kept: a side can capture, it is the other
    /// side's move that is kept, there are too many pieces, the file is damaged or the budget
    /// spent.
    [[nodiscard]] std::optional<EgdbResult> probe(const Position& position,
                                                  const ProbeOptions& options = {}) const;

    /// True when it is this material that is kept, rather than the swapped one.
    [[nodiscard]] bool keeps(const Material& material) const {
        return places_[place_of(material)] != 0;
    }

    /// What could not be read or was found damaged at its first probe: lines for the user, each
    /// with the file.
    [[nodiscard]] std::vector<std::string> faults() const;

    /// Checks every byte of what was added, which may take seconds; the first fault found.
    [[nodiscard]] std::optional<std::string> find_damage() const;

private:
    struct Slice;

    int add_parts(const std::vector<DatabasePart>& parts, const std::string& name,
                  const RandomAccessFile* source);
    [[nodiscard]] static std::size_t place_of(const Material& m);
    [[nodiscard]] const Slice* slice_for(const Material& material) const;
    void open(Slice& slice) const;
    [[nodiscard]] std::optional<std::uint8_t> value_at(const Slice& slice, std::uint64_t number,
                                                       UnpackBudget* budget) const;
    [[nodiscard]] std::optional<std::uint8_t> dtw_at(const Slice& slice, std::uint64_t number,
                                                     UnpackBudget* budget) const;
    void make_caches();

    static constexpr std::size_t max_of_a_kind = SliceIndex::max_pieces;
    static constexpr std::size_t values_per_word = 16;
    static constexpr std::size_t dtw_per_word = 4;
    using ValueCache = BlockCache<positions_per_block / values_per_word>;
    using DtwCache = BlockCache<positions_per_block / dtw_per_word>;

    [[nodiscard]] int count_complete_pieces() const;

    std::uint64_t cache_bytes_;
    int pieces_ = 0;
    int complete_pieces_ = 0;
    std::vector<std::unique_ptr<const RandomAccessFile>> files_;
    std::vector<std::unique_ptr<Slice>> slices_;
    std::vector<std::uint16_t> places_;  // number of the slice of a material plus 1; 0: none
    std::unique_ptr<ValueCache> values_;
    std::unique_ptr<DtwCache> dtw_;
    mutable std::mutex mutex_;  // guards the opening of slices and the faults
    mutable std::vector<std::string> faults_;
};

}  // namespace defiance
