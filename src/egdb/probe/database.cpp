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
    int max_pieces = 0;
    Result<Draft> draft = draft_with(file->bytes(), path, max_pieces);
    if (!draft) return Error{draft.error()};
    if (draft->is_used) files_.push_back(*std::move(file));
    take(*std::move(draft), max_pieces);
    return max_pieces;
}

template <class Rules>
Result<int> Database<Rules>::add_bytes(std::span<const std::uint8_t> bytes,
                                       const std::string& name) {
    int max_pieces = 0;
    Result<Draft> draft = draft_with(bytes, name, max_pieces);
    if (!draft) return Error{draft.error()};
    take(*std::move(draft), max_pieces);
    return max_pieces;
}

/// What there will be with these bytes, and the most pieces of a slice in them. Nothing is left of
/// a file that turns out to be damaged.
template <class Rules>
Result<typename Database<Rules>::Draft> Database<Rules>::draft_with(
    std::span<const std::uint8_t> bytes, const std::string& name, int& max_pieces) const {
    const database_file::Identity identity = {static_cast<std::uint8_t>(Rules::game_type),
                                              rules_fingerprint<Rules>()};
    const auto parts = database_file::parts_of(bytes, identity);
    if (!parts) return Error{name + ": " + parts.error()};
    Draft draft = {slices_, places_};
    for (const DatabasePart& part : *parts) {
        max_pieces = std::max(max_pieces, part.material.total());
        if (const auto error = add_part(part, draft))
            return Error{name + ": " + to_text(part.material) + ": " + error->text};
    }
    return draft;
}

template <class Rules>
void Database<Rules>::take(Draft&& draft, int max_pieces) {
    slices_ = std::move(draft.slices);
    places_ = std::move(draft.places);
    pieces_ = std::max(pieces_, max_pieces);
    complete_pieces_ = count_complete_pieces();
}

template <class Rules>
std::optional<Error> Database<Rules>::add_part(const DatabasePart& part, Draft& draft) {
    if (!database_file::is_intact(part)) return Error{"it is damaged"};
    std::uint16_t& place = draft.places[place_of(part.material)];
    if (part.content == Content::values) {
        auto values = PackedSlice::open(part.bytes);
        if (!values) return Error{values.error()};
        if (place != 0 || draft.slices.size() == UINT16_MAX) return std::nullopt;
        draft.slices.push_back({*std::move(values), std::nullopt});
        place = static_cast<std::uint16_t>(draft.slices.size());
        draft.is_used = true;
        return std::nullopt;
    }
    auto dtw = PackedDtw::open(part.bytes);
    if (!dtw) return Error{dtw.error()};
    if (place == 0) return Error{"there are plies, but no values that go with them"};
    Slice& slice = draft.slices[place - 1U];
    if (slice.dtw) return std::nullopt;
    slice.dtw = *std::move(dtw);
    draft.is_used = true;
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
std::optional<EgdbResult> Database<Rules>::probe(const Position& position, bool dtw) const {
    if (count(position.occupied()) > pieces_ || position.black == 0 || position.white == 0)
        return std::nullopt;
    const Position p = with_black_to_move(position);
    const std::uint16_t place = places_[place_of(material_of(p))];
    DEFIANCE_ASSERT(place <= slices_.size());
    if (place == 0 || !is_quiet<Rules>(p)) return std::nullopt;
    const Slice& slice = slices_[place - 1U];
    const Wld value = slice.values.template value<Rules>(p);
    if (value == Wld::draw || !dtw || !slice.dtw) return EgdbResult{value, {}};
    return EgdbResult{value, slice.dtw->plies(p, value)};
}

template class Database<DEFIANCE_GAME>;

}  // namespace defiance
