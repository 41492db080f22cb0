#include "database.hpp"

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {

template <class Rules>
Result<int> Database<Rules>::add_file(const std::string& path) {
    Result<FileBytes> file = FileBytes::open(path);
    if (!file) return Error{file.error()};
    const Result<int> added = add_bytes(file->bytes(), path);
    if (added) files_.push_back(*std::move(file));
    return added;
}

template <class Rules>
Result<int> Database<Rules>::add_bytes(std::span<const std::uint8_t> bytes,
                                       const std::string& name) {
    const database_file::Identity identity = {static_cast<std::uint8_t>(Rules::game_type),
                                              rules_fingerprint<Rules>()};
    const auto parts = database_file::parts_of(bytes, identity);
    if (!parts) return Error{name + ": " + parts.error()};
    // Added to copies, so that nothing is left of a file that turns out to be damaged.
    auto slices = slices_;
    auto taken_places = places_;
    int max_pieces = 0;
    for (const DatabasePart& part : *parts) {
        max_pieces = std::max(max_pieces, part.material.total());
        if (const auto error = add_part(part)) {
            slices_ = std::move(slices);
            places_ = std::move(taken_places);
            return Error{name + ": " + to_text(part.material) + ": " + error->text};
        }
    }
    pieces_ = std::max(pieces_, max_pieces);
    complete_pieces_ = count_complete_pieces();
    return max_pieces;
}

template <class Rules>
std::optional<Error> Database<Rules>::add_part(const DatabasePart& part) {
    if (!database_file::is_intact(part)) return Error{"it is damaged"};
    std::uint16_t& place = places_[place_of(part.material)];
    if (part.content == Content::values) {
        auto values = PackedSlice::open(part.bytes);
        if (!values) return Error{values.error()};
        if (place != 0 || slices_.size() == UINT16_MAX) return std::nullopt;
        slices_.push_back({*std::move(values), std::nullopt});
        place = static_cast<std::uint16_t>(slices_.size());
        return std::nullopt;
    }
    auto dtw = PackedDtw::open(part.bytes);
    if (!dtw) return Error{dtw.error()};
    if (place == 0) return Error{"there are plies, but no values that go with them"};
    if (!slices_[place - 1U].dtw) slices_[place - 1U].dtw = *std::move(dtw);
    return std::nullopt;
}

template <class Rules>
int Database<Rules>::count_complete_pieces() const {
    for (int pieces = 2; pieces <= pieces_; ++pieces)
        for (const Material& m : materials_of(pieces))
            if (!keeps(m) && !keeps(m.swapped())) return pieces == 2 ? 0 : pieces - 1;
    return pieces_;
}

template <class Rules>
std::optional<EgdbResult> Database<Rules>::probe(const Position& position) const {
    if (count(position.occupied()) > pieces_ || position.black == 0 || position.white == 0)
        return std::nullopt;
    const Position p = with_black_to_move(position);
    const std::uint16_t place = places_[place_of(material_of(p))];
    DEFIANCE_ASSERT(place <= slices_.size());
    if (place == 0 || !is_quiet<Rules>(p)) return std::nullopt;
    const Slice& slice = slices_[place - 1U];
    const Wld value = slice.values.template value<Rules>(p);
    if (value == Wld::draw || !slice.dtw) return EgdbResult{value, {}};
    return EgdbResult{value, slice.dtw->plies(p, value)};
}

template class Database<DEFIANCE_GAME>;

}  // namespace defiance
