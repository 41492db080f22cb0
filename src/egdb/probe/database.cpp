#include "database.hpp"

#include <algorithm>
#include <utility>

#include <defiance/base/assert.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// A slice of a file. It is opened at the first probe: that takes a moment, and most slices are
/// never probed.
template <class Rules>
struct Database<Rules>::Slice {
    enum class State : std::uint8_t { closed, open, damaged };

    std::uint32_t first_key = 0;      // of its first block in the cache of values
    std::uint32_t first_dtw_key = 0;  // and in that of plies
    std::string file;
    const RandomAccessFile* values_source = nullptr;  // null: the bytes are in memory
    const RandomAccessFile* dtw_source = nullptr;
    DatabasePart values_part;
    std::optional<DatabasePart> dtw_part;
    std::vector<std::uint8_t> values_bytes;  // of a file, once read
    std::vector<std::uint8_t> dtw_bytes;
    std::atomic<State> state = State::closed;
    std::optional<PackedSlice> values;
    std::optional<PackedDtw> dtw;
};

namespace {

/// Where there is not memory for all blocks, plies get this fraction of it: one quarter.
constexpr std::uint64_t share_for_dtw = 4;

/// The place of a position in a cache.
template <std::size_t PerWord>
struct CacheSlot {
    std::uint32_t key;
    std::size_t word;
    std::size_t shift;

    CacheSlot(std::uint32_t first_key, std::uint64_t number)
        : key(first_key + static_cast<std::uint32_t>(number / positions_per_block)),
          word(static_cast<std::size_t>(number % positions_per_block) / PerWord),
          shift(static_cast<std::size_t>(number % PerWord) * bits) {}

    [[nodiscard]] std::uint8_t extract(std::uint32_t found) const {
        return static_cast<std::uint8_t>(found >> shift & ((1U << bits) - 1));
    }

private:
    static constexpr std::size_t bits = 32 / PerWord;
};

template <class Rules>
database_file::Identity identity() {
    return {static_cast<std::uint8_t>(Rules::game_type), rules_fingerprint<Rules>()};
}

/// Loads the bytes of the part, from its file if it has one. Returns what is wrong with them, or an
/// empty text. They are read, not mapped: a mapped file ends the process when its disk goes away.
std::string load(DatabasePart& part, const RandomAccessFile* source,
                 std::vector<std::uint8_t>& memory) {
    if (source != nullptr) {
        auto read = source->read_part(part.place, part.size);
        if (!read) return read.error();
        memory = *std::move(read);
        part.bytes = memory;
    }
    return database_file::is_intact(part) ? "" : "it is damaged";
}

std::uint32_t pack_word(const std::uint8_t* values, int bits, int number) {
    std::uint32_t word = 0;
    for (int i = 0; i < number; ++i)
        word |= static_cast<std::uint32_t>(values[i]) << (i * bits);
    return word;
}

}  // namespace

template <class Rules>
Database<Rules>::Database(std::uint64_t cache_bytes)
    : cache_bytes_(cache_bytes),
      places_((max_of_a_kind + 1) * (max_of_a_kind + 1) * (max_of_a_kind + 1) *
              (max_of_a_kind + 1)) {
    make_caches();
}

template <class Rules>
Database<Rules>::~Database() = default;

template <class Rules>
std::size_t Database<Rules>::place_of(const Material& m) {
    DEFIANCE_ASSERT(m.total() <= SliceIndex::max_pieces);
    constexpr std::size_t radix = max_of_a_kind + 1;
    return ((m.own_men * radix + m.own_kings) * radix + m.their_men) * radix + m.their_kings;
}

template <class Rules>
Result<int> Database<Rules>::add_file(const std::string& path) {
    Result<RandomAccessFile> opened = RandomAccessFile::open(path);
    if (!opened) return Error{opened.error()};
    auto file = std::make_unique<const RandomAccessFile>(*std::move(opened));
    const auto beginning =
        file->read_part(0, std::min<std::uint64_t>(file->size(), database_file::max_head_bytes));
    if (!beginning) return Error{path + ": " + beginning.error()};
    const auto parts = database_file::list_parts(*beginning, file->size(), identity<Rules>());
    if (!parts) return Error{path + ": " + parts.error()};
    files_.push_back(std::move(file));
    return add_parts(*parts, path, files_.back().get());
}

template <class Rules>
Result<int> Database<Rules>::add_bytes(std::span<const std::uint8_t> bytes,
                                       const std::string& name) {
    const auto parts = database_file::parts_of(bytes, identity<Rules>());
    if (!parts) return Error{name + ": " + parts.error()};
    return add_parts(*parts, name, nullptr);
}

template <class Rules>
int Database<Rules>::add_parts(const std::vector<DatabasePart>& parts, const std::string& name,
                               const RandomAccessFile* source) {
    int max_pieces = 0;
    for (const DatabasePart& part : parts) {
        max_pieces = std::max(max_pieces, part.material.total());
        std::uint16_t& place = places_[place_of(part.material)];
        if (part.content == Content::values && place == 0 && slices_.size() < UINT16_MAX) {
            auto slice = std::make_unique<Slice>();
            slice->file = name;
            slice->values_part = part;
            slice->values_source = source;
            slices_.push_back(std::move(slice));
            place = static_cast<std::uint16_t>(slices_.size());
        }
        if (part.content == Content::dtw && place != 0 && !slices_[place - 1U]->dtw_part) {
            slices_[place - 1U]->dtw_part = part;
            slices_[place - 1U]->dtw_source = source;
        }
    }
    pieces_ = std::max(pieces_, max_pieces);
    complete_pieces_ = count_complete_pieces();
    make_caches();
    return max_pieces;
}

/// Numbers the blocks and reserves cache memory for all of them, as far as it is allowed. The
/// system provides the memory only when it is first used.
template <class Rules>
void Database<Rules>::make_caches() {
    std::uint64_t blocks = 0;
    std::uint64_t with_dtw = 0;
    for (const auto& slice : slices_) {
        const std::uint64_t number = blocks_of(SliceIndex(slice->values_part.material));
        slice->first_key = static_cast<std::uint32_t>(1 + blocks);
        blocks += number;
        if (!slice->dtw_part) continue;
        slice->first_dtw_key = static_cast<std::uint32_t>(1 + with_dtw);
        with_dtw += number;
    }
    std::uint64_t for_values = ValueCache::bytes_for(blocks);
    std::uint64_t for_dtw = DtwCache::bytes_for(with_dtw);
    if (for_values + for_dtw > cache_bytes_) {
        for_dtw = std::min(for_dtw, cache_bytes_ / share_for_dtw);
        for_values = std::min(for_values, cache_bytes_ - for_dtw);
    }
    dtw_ = std::make_unique<DtwCache>(for_dtw);
    values_ = std::make_unique<ValueCache>(for_values);
}

template <class Rules>
int Database<Rules>::count_complete_pieces() const {
    for (int pieces = 2; pieces <= pieces_; ++pieces)
        for (const Material& m : materials_of(pieces))
            if (places_[place_of(m)] == 0 && places_[place_of(m.swapped())] == 0)
                return pieces == 2 ? 0 : pieces - 1;
    return pieces_;
}

template <class Rules>
void Database<Rules>::open(Slice& slice) const {
    const std::lock_guard lock(mutex_);
    if (slice.state.load(std::memory_order_relaxed) != Slice::State::closed) return;
    const Material& material = slice.values_part.material;
    std::string fault = load(slice.values_part, slice.values_source, slice.values_bytes);
    if (fault.empty() && slice.dtw_part)
        fault = load(*slice.dtw_part, slice.dtw_source, slice.dtw_bytes);
    if (fault.empty()) {
        auto values = PackedSlice::open(material, slice.values_part.bytes);
        if (values)
            slice.values.emplace(*std::move(values));
        else
            fault = values.error();
    }
    if (fault.empty() && slice.dtw_part) {
        auto dtw = PackedDtw::open(material, slice.dtw_part->bytes);
        if (dtw)
            slice.dtw.emplace(*std::move(dtw));
        else
            fault = dtw.error();
    }
    if (!fault.empty()) faults_.push_back(slice.file + ": " + fault);
    slice.state.store(fault.empty() ? Slice::State::open : Slice::State::damaged,
                      std::memory_order_release);
}

template <class Rules>
const typename Database<Rules>::Slice* Database<Rules>::slice_for(const Material& material) const {
    const std::uint16_t place = places_[place_of(material)];
    DEFIANCE_ASSERT(place <= slices_.size());
    if (place == 0) return nullptr;
    Slice& slice = *slices_[place - 1U];
    if (slice.state.load(std::memory_order_acquire) == Slice::State::closed) open(slice);
    return slice.state.load(std::memory_order_acquire) == Slice::State::open ? &slice : nullptr;
}

template <class Rules>
std::optional<std::uint8_t> Database<Rules>::value_at(const Slice& slice, std::uint64_t number,
                                                      UnpackBudget* budget) const {
    const CacheSlot<values_per_word> slot(slice.first_key, number);
    if (const auto word = values_->find(slot.key, slot.word)) return slot.extract(*word);
    if (budget != nullptr && !budget->take()) return std::nullopt;
    BlockValues values{};
    slice.values->template unpack<Rules>(number / positions_per_block, values);
    ValueCache::Block block;
    for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = pack_word(&values[i * values_per_word], 2, values_per_word);
    DEFIANCE_ASSERT(slot.word < block.size());
    values_->store(slot.key, block);
    return slot.extract(block[slot.word]);
}

template <class Rules>
std::optional<std::uint8_t> Database<Rules>::dtw_at(const Slice& slice, std::uint64_t number,
                                                    UnpackBudget* budget) const {
    const CacheSlot<dtw_per_word> slot(slice.first_dtw_key, number);
    if (const auto word = dtw_->find(slot.key, slot.word)) return slot.extract(*word);
    if (budget != nullptr && !budget->take()) return std::nullopt;
    BlockValues values{};
    slice.values->template unpack<Rules>(number / positions_per_block, values);
    BlockDtw plies;
    plies.fill(drawn_dtw);
    slice.dtw->template unpack<Rules>(number / positions_per_block, values, plies);
    DtwCache::Block block;
    for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = pack_word(&plies[i * dtw_per_word], 8, dtw_per_word);
    DEFIANCE_ASSERT(slot.word < block.size());
    dtw_->store(slot.key, block);
    return slot.extract(block[slot.word]);
}

template <class Rules>
std::optional<EgdbResult> Database<Rules>::probe(const Position& position,
                                                 const ProbeOptions& options) const {
    if (count(position.occupied()) > pieces_ || position.black == 0 || position.white == 0)
        return std::nullopt;
    const Position p = with_black_to_move(position);
    const Slice* slice = slice_for(material_of(p));
    if (slice == nullptr) return std::nullopt;
    const std::uint64_t number = slice->values->index().rank(p);
    DEFIANCE_ASSERT(number < slice->values->index().size());
    const bool by_dtw = options.dtw && slice->dtw;
    // The memory is fetched while captures are looked for.
    if (by_dtw) {
        const CacheSlot<dtw_per_word> slot(slice->first_dtw_key, number);
        dtw_->prefetch(slot.key, slot.word);
    } else {
        const CacheSlot<values_per_word> slot(slice->first_key, number);
        values_->prefetch(slot.key, slot.word);
    }
    if (!is_quiet<Rules>(p)) return std::nullopt;
    if (by_dtw) {
        const auto plies = dtw_at(*slice, number, options.budget);
        if (!plies) return std::nullopt;
        if (*plies == drawn_dtw) return EgdbResult{Wld::draw, {}};
        return EgdbResult{*plies % 2 == 1 ? Wld::win : Wld::loss, *plies};
    }
    const auto value = value_at(*slice, number, options.budget);
    if (!value || *value > 2) return std::nullopt;
    return EgdbResult{static_cast<Wld>(*value), {}};
}

template <class Rules>
std::vector<std::string> Database<Rules>::faults() const {
    const std::lock_guard lock(mutex_);
    return faults_;
}

template <class Rules>
std::optional<std::string> Database<Rules>::find_damage() const {
    for (const auto& slice : slices_)
        if (slice_for(slice->values_part.material) == nullptr) return faults().back();
    return std::nullopt;
}

template class Database<DEFIANCE_GAME>;

}  // namespace defiance
