#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <defiance/base/file_bytes.hpp>
#include <defiance/base/result.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/probe.hpp>
#include <defiance/egdb/slice_index.hpp>

#include "egdb/codec/dtw_codec.hpp"
#include "egdb/codec/slice_codec.hpp"

namespace defiance {

/// Endgame databases of our own format, from files or from memory. Positions are looked up in the
/// bytes as they are. Files are added first, by one thread; then any number of threads may probe.
template <class Rules>
class Database {
public:
    Database() : places_(material_places) {}

    /// Adds the slices of a file that are not there yet; all of its bytes are checked. Returns the
    /// most pieces of a slice in it. The error names the file, of which nothing is then used.
    Result<int> add_file(const std::string& path);
    /// The same for bytes in memory, which must outlive this.
    Result<int> add_bytes(std::span<const std::uint8_t> bytes, const std::string& name);

    /// The most pieces of a position that may be known; 0 when none is.
    [[nodiscard]] int pieces() const { return pieces_; }
    /// The most pieces up to which every position is known, by itself or through its successors.
    [[nodiscard]] int complete_pieces() const { return complete_pieces_; }

    /// What the position is worth; with `dtw` the distance too, where it is kept. Nothing when it
    /// is not kept: a side can capture, it is the other side's move that is kept, or there are too
    /// many pieces.
    [[nodiscard]] std::optional<EgdbResult> probe(const Position& position, bool dtw = true) const;

    /// True when it is this material that is kept, rather than the swapped one.
    [[nodiscard]] bool keeps(const Material& material) const {
        return places_[place_of(material)] != 0;
    }

private:
    struct Slice {
        PackedSlice values;
        std::optional<PackedDtw> dtw;
    };

    /// The slices while files are added to them.
    struct Draft {
        std::vector<Slice> slices;
        std::vector<std::uint16_t> places;
        bool is_used = false;  // something was taken from the file
    };
    [[nodiscard]] static std::optional<Error> add_part(const DatabasePart& part, Draft& draft);
    [[nodiscard]] Result<Draft> draft_with(std::span<const std::uint8_t> bytes,
                                           const std::string& name, int& max_pieces) const;
    void take(Draft&& draft, int max_pieces);
    [[nodiscard]] int count_complete_pieces() const;

    int pieces_ = 0;
    int complete_pieces_ = 0;
    std::vector<FileBytes> files_;
    std::vector<Slice> slices_;
    std::vector<std::uint16_t> places_;  // number of the slice of a material plus 1; 0: none
};

}  // namespace defiance
