#include "database.hpp"

#include <algorithm>
#include <utility>

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// A slice of a file. It is opened when it is first asked: that takes a moment, and most are never
/// asked.
template <class Rules>
struct Database<Rules>::Slice {
    enum class State : std::uint8_t { closed, open, damaged };

    std::uint32_t first_key = 0;        // under which the cache of values knows its first block
    std::uint32_t first_plies_key = 0;  // and that of plies
    std::string file;
    const RandomAccessFile* values_source = nullptr;  // null: the bytes are in memory
    const RandomAccessFile* plies_source = nullptr;
    DatabasePart values_part;
    std::optional<DatabasePart> plies_part;
    std::vector<std::uint8_t> values_bytes;  // of a file, once read
    std::vector<std::uint8_t> plies_bytes;
    std::atomic<State> state = State::closed;
    std::optional<PackedSlice> values;
    std::optional<PackedPlies> plies;
};

namespace {

/// The part of the memory that plies may take where there is not enough for all.
constexpr std::uint64_t part_for_plies = 4;

/// Where a cache has what a position is worth.
template <std::size_t PerWord>
struct CacheSlot {
    std::uint32_t key;
    std::size_t word;
    std::size_t shift;

    CacheSlot(std::uint32_t first_key, std::uint64_t number)
        : key(first_key + static_cast<std::uint32_t>(number / positions_per_block)),
          word(static_cast<std::size_t>(number % positions_per_block) / PerWord),
          shift(static_cast<std::size_t>(number % PerWord) * bits) {}

    [[nodiscard]] std::uint8_t bits_of(std::uint32_t found) const {
        return static_cast<std::uint8_t>(found >> shift & ((1U << bits) - 1));
    }

private:
    static constexpr std::size_t bits = 32 / PerWord;
};

template <class Rules>
database_file::Identity identity() {
    return {static_cast<std::uint8_t>(Rules::game_type), rules_fingerprint<Rules>()};
}

/// Has the bytes of the part in memory, read from its file if it has one. Returns what is wrong
/// with them, or an empty text. A mapped file would end the process when its disk goes away.
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
    int most = 0;
    for (const DatabasePart& part : parts) {
        most = std::max(most, part.material.total());
        std::uint16_t& place = places_[place_of(part.material)];
        if (part.content == Content::values && place == 0 && slices_.size() < UINT16_MAX) {
            auto slice = std::make_unique<Slice>();
            slice->file = name;
            slice->values_part = part;
            slice->values_source = source;
            slices_.push_back(std::move(slice));
            place = static_cast<std::uint16_t>(slices_.size());
        }
        if (part.content == Content::plies && place != 0 && !slices_[place - 1U]->plies_part) {
            slices_[place - 1U]->plies_part = part;
            slices_[place - 1U]->plies_source = source;
        }
    }
    pieces_ = std::max(pieces_, most);
    complete_pieces_ = count_complete_pieces();
    make_caches();
    return most;
}

/// Numbers the blocks, and makes room for all of them if the memory allows that. It is not touched
/// before it is used.
template <class Rules>
void Database<Rules>::make_caches() {
    std::uint64_t blocks = 0;
    std::uint64_t with_plies = 0;
    for (const auto& slice : slices_) {
        const std::uint64_t number = blocks_of(SliceIndex(slice->values_part.material));
        slice->first_key = static_cast<std::uint32_t>(1 + blocks);
        blocks += number;
        if (!slice->plies_part) continue;
        slice->first_plies_key = static_cast<std::uint32_t>(1 + with_plies);
        with_plies += number;
    }
    std::uint64_t for_values = ValueCache::bytes_for(blocks);
    std::uint64_t for_plies = PliesCache::bytes_for(with_plies);
    if (for_values + for_plies > cache_bytes_) {
        for_plies = std::min(for_plies, cache_bytes_ / part_for_plies);
        for_values = std::min(for_values, cache_bytes_ - for_plies);
    }
    plies_ = std::make_unique<PliesCache>(for_plies);
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
    if (fault.empty() && slice.plies_part)
        fault = load(*slice.plies_part, slice.plies_source, slice.plies_bytes);
    if (fault.empty()) {
        auto values = PackedSlice::open(material, slice.values_part.bytes);
        if (values)
            slice.values.emplace(*std::move(values));
        else
            fault = values.error();
    }
    if (fault.empty() && slice.plies_part) {
        auto plies = PackedPlies::open(material, slice.plies_part->bytes);
        if (plies)
            slice.plies.emplace(*std::move(plies));
        else
            fault = plies.error();
    }
    if (!fault.empty()) faults_.push_back(slice.file + ": " + fault);
    slice.state.store(fault.empty() ? Slice::State::open : Slice::State::damaged,
                      std::memory_order_release);
}

template <class Rules>
const typename Database<Rules>::Slice* Database<Rules>::slice_for(const Material& material) const {
    const std::uint16_t place = places_[place_of(material)];
    if (place == 0) return nullptr;
    Slice& slice = *slices_[place - 1U];
    if (slice.state.load(std::memory_order_acquire) == Slice::State::closed) open(slice);
    return slice.state.load(std::memory_order_acquire) == Slice::State::open ? &slice : nullptr;
}

template <class Rules>
std::optional<std::uint8_t> Database<Rules>::value_at(const Slice& slice, std::uint64_t number,
                                                      UnpackBudget* budget) const {
    const CacheSlot<values_per_word> spot(slice.first_key, number);
    if (const auto word = values_->find(spot.key, spot.word)) return spot.bits_of(*word);
    if (budget != nullptr && !budget->take()) return std::nullopt;
    BlockValues values{};
    slice.values->template unpack<Rules>(number / positions_per_block, values);
    ValueCache::Block block;
    for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = pack_word(&values[i * values_per_word], 2, values_per_word);
    values_->store(spot.key, block);
    return spot.bits_of(block[spot.word]);
}

template <class Rules>
std::optional<std::uint8_t> Database<Rules>::plies_at(const Slice& slice, std::uint64_t number,
                                                      UnpackBudget* budget) const {
    const CacheSlot<plies_per_word> spot(slice.first_plies_key, number);
    if (const auto word = plies_->find(spot.key, spot.word)) return spot.bits_of(*word);
    if (budget != nullptr && !budget->take()) return std::nullopt;
    BlockValues values{};
    slice.values->template unpack<Rules>(number / positions_per_block, values);
    BlockPlies plies;
    plies.fill(drawn_plies);
    slice.plies->template unpack<Rules>(number / positions_per_block, values, plies);
    PliesCache::Block block;
    for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = pack_word(&plies[i * plies_per_word], 8, plies_per_word);
    plies_->store(spot.key, block);
    return spot.bits_of(block[spot.word]);
}

template <class Rules>
std::optional<EgdbResult> Database<Rules>::probe(const Position& position,
                                                 const ProbeOptions& options) const {
    if (count(position.occupied()) > pieces_ || position.black == 0 || position.white == 0)
        return std::nullopt;
    const Position p = seen_by_mover(position);
    const Slice* slice = slice_for(material_of(p));
    if (slice == nullptr) return std::nullopt;
    const std::uint64_t number = slice->values->index().rank(p);
    const bool by_plies = options.dtw && slice->plies;
    // While memory answers there is time to look for captures.
    if (by_plies) {
        const CacheSlot<plies_per_word> spot(slice->first_plies_key, number);
        plies_->prefetch(spot.key, spot.word);
    } else {
        const CacheSlot<values_per_word> spot(slice->first_key, number);
        values_->prefetch(spot.key, spot.word);
    }
    if (!is_quiet<Rules>(p)) return std::nullopt;
    if (by_plies) {
        const auto plies = plies_at(*slice, number, options.budget);
        if (!plies) return std::nullopt;
        if (*plies == drawn_plies) return EgdbResult{Wld::draw, {}};
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
