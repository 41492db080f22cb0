#include <defiance/egdb/database.hpp>

#include <algorithm>
#include <utility>

#include <defiance/egdb/rules_fingerprint.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {

/// A slice of a file. It is opened when it is first asked: that takes a moment, and most are never
/// asked.
template <class Rules>
struct Database<Rules>::Slice {
    enum class State : std::uint8_t { closed, open, damaged };

    std::uint32_t number = 0;  // among all slices, from 1 on
    std::string file;
    DatabasePart values_part;
    std::optional<DatabasePart> plies_part;
    std::atomic<State> state = State::closed;
    std::optional<PackedSlice> values;
    std::optional<PackedPlies> plies;

    /// Under which a cache knows a block: slices have fewer blocks than 22 bits can number.
    [[nodiscard]] std::uint32_t key_of_block(std::uint64_t block) const {
        return number << 22 | static_cast<std::uint32_t>(block);
    }
};

namespace {

/// Memory for plies: what is known of four pieces fits in it, with room to spare.
constexpr std::uint64_t most_bytes_for_plies = std::uint64_t{16} << 20;
constexpr std::size_t most_slices = 1023;

std::uint32_t pack_word(const std::uint8_t* values, int bits, int number) {
    std::uint32_t word = 0;
    for (int i = 0; i < number; ++i)
        word |= static_cast<std::uint32_t>(values[i]) << (i * bits);
    return word;
}

}  // namespace

template <class Rules>
Database<Rules>::Database(std::uint64_t cache_bytes)
    : places_((most_of_a_kind + 1) * (most_of_a_kind + 1) * (most_of_a_kind + 1) *
              (most_of_a_kind + 1)),
      values_(std::make_unique<ValueCache>(cache_bytes -
                                           std::min(cache_bytes / 4, most_bytes_for_plies))),
      plies_(std::make_unique<PliesCache>(std::min(cache_bytes / 4, most_bytes_for_plies))) {}

template <class Rules>
Database<Rules>::~Database() = default;

template <class Rules>
std::size_t Database<Rules>::place_of(const Material& m) {
    constexpr std::size_t radix = most_of_a_kind + 1;
    return ((m.own_men * radix + m.own_kings) * radix + m.their_men) * radix + m.their_kings;
}

template <class Rules>
Result<int> Database<Rules>::add_file(const std::string& path) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file) return Error{file.error()};
    const std::span<const std::uint8_t> bytes = file->bytes();
    const Result<int> added = add_bytes(bytes, path);
    if (added) files_.push_back(*std::move(file));
    return added;
}

template <class Rules>
Result<int> Database<Rules>::add_bytes(std::span<const std::uint8_t> bytes,
                                       const std::string& name) {
    const auto parts = database_file::parts_of(
        bytes, {static_cast<std::uint8_t>(Rules::game_type), rules_fingerprint<Rules>()});
    if (!parts) return Error{name + ": " + parts.error()};
    int most = 0;
    for (const DatabasePart& part : *parts) {
        most = std::max(most, part.material.total());
        std::uint16_t& place = places_[place_of(part.material)];
        if (part.content == Content::values && place == 0 && slices_.size() < most_slices) {
            auto slice = std::make_unique<Slice>();
            slice->file = name;
            slice->values_part = part;
            slices_.push_back(std::move(slice));
            place = static_cast<std::uint16_t>(slices_.size());
            slices_.back()->number = place;
        }
        if (part.content == Content::plies && place != 0 && !slices_[place - 1U]->plies_part)
            slices_[place - 1U]->plies_part = part;
    }
    pieces_ = std::max(pieces_, most);
    complete_pieces_ = count_complete_pieces();
    return most;
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
    std::string fault;
    const Material& material = slice.values_part.material;
    if (!database_file::is_intact(slice.values_part) ||
        (slice.plies_part && !database_file::is_intact(*slice.plies_part)))
        fault = "it is damaged";
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
std::uint8_t Database<Rules>::value_at(const Slice& slice, std::uint64_t number) const {
    const std::uint32_t key = slice.key_of_block(number / positions_per_block);
    const auto place = static_cast<std::size_t>(number % positions_per_block);
    const auto bits_at = [&](std::uint32_t word) {
        return static_cast<std::uint8_t>(word >> (place % values_per_word * 2) & 3);
    };
    if (const auto word = values_->find(key, place / values_per_word)) return bits_at(*word);
    BlockValues values{};
    slice.values->template unpack<Rules>(number / positions_per_block, values);
    ValueCache::Block block;
    for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = pack_word(&values[i * values_per_word], 2, values_per_word);
    values_->store(key, block);
    return bits_at(block[place / values_per_word]);
}

template <class Rules>
std::uint8_t Database<Rules>::plies_at(const Slice& slice, std::uint64_t number) const {
    const std::uint32_t key = slice.key_of_block(number / positions_per_block);
    const auto place = static_cast<std::size_t>(number % positions_per_block);
    const auto bits_at = [&](std::uint32_t word) {
        return static_cast<std::uint8_t>(word >> (place % plies_per_word * 8) & 255);
    };
    if (const auto word = plies_->find(key, place / plies_per_word)) return bits_at(*word);
    BlockValues values{};
    slice.values->template unpack<Rules>(number / positions_per_block, values);
    BlockPlies plies;
    plies.fill(drawn_plies);
    slice.plies->template unpack<Rules>(number / positions_per_block, values, plies);
    PliesCache::Block block;
    for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = pack_word(&plies[i * plies_per_word], 8, plies_per_word);
    plies_->store(key, block);
    return bits_at(block[place / plies_per_word]);
}

template <class Rules>
std::optional<Verdict> Database<Rules>::probe(const Position& position) const {
    if (count(position.occupied()) > pieces_ || position.black == 0 || position.white == 0)
        return std::nullopt;
    const Position p = seen_by_mover(position);
    const Slice* slice = slice_for(material_of(p));
    if (slice == nullptr || !is_quiet<Rules>(p)) return std::nullopt;
    const std::uint64_t number = slice->values->index().rank(p);
    if (slice->plies) {
        const std::uint8_t plies = plies_at(*slice, number);
        if (plies == drawn_plies) return Verdict{Value::draw, {}};
        return Verdict{plies % 2 == 1 ? Value::win : Value::loss, plies};
    }
    const std::uint8_t value = value_at(*slice, number);
    return value > 2 ? std::nullopt : std::optional(Verdict{static_cast<Value>(value), {}});
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
