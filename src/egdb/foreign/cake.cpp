#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/egdb/combinations.hpp>

#include "cake_blocks.hpp"
#include "cake_index.hpp"
#include "readers.hpp"

namespace defiance {
namespace {

using cake::Blocks;
using cake::Index;
using cake::Slice;
using cake::SliceName;

/// The pieces on the board of Cake: the lowest bit is Black's left corner, which is square 4, and
/// each row goes on to the right.
struct Board {
    Bitboard black_men = 0;
    Bitboard black_kings = 0;
    Bitboard white_men = 0;
    Bitboard white_kings = 0;
    Side side = Side::black;
};

constexpr SquareOrder to_cake([](Coordinate c) { return 4 * c.y + c.x / 2; });

Board board_of(const Position& p) {
    const Bitboard kings = to_cake(p.kings);
    const Bitboard black = to_cake(p.black);
    const Bitboard white = to_cake(p.white);
    return {black & ~kings, black & kings, white & ~kings, white & kings, p.side};
}

Board flipped(const Board& b) {
    return {reversed(b.white_men), reversed(b.white_kings), reversed(b.black_men),
            reversed(b.black_kings), opponent(b.side)};
}

SliceName name_of(const Board& b) {
    const auto number = [](Bitboard set) { return static_cast<std::uint8_t>(count(set)); };
    SliceName name{
        {number(b.black_men), number(b.black_kings), number(b.white_men), number(b.white_kings)}};
    if (b.black_men != 0) name.black_row = (31 - std::countl_zero(b.black_men)) / 4;
    if (b.white_men != 0) name.white_row = (31 - lowest(b.white_men)) / 4;
    name.side = b.side;
    return name;
}

SliceName flipped(const SliceName& name) {
    return {name.material.swapped(), name.white_row, name.black_row, opponent(name.side)};
}

/// The files keep a position for one side only, as black: the one with more pieces, else with more
/// kings, else with the man further on, else the one to move.
bool must_be_flipped(const SliceName& name) {
    const Material& m = name.material;
    if (m.own() != m.theirs()) return m.own() < m.theirs();
    if (m.own_kings != m.their_kings) return m.own_kings < m.their_kings;
    if (name.black_row != name.white_row) return name.black_row < name.white_row;
    return name.side == Side::white;
}

/// The number of a position in its slice; black men count fastest, then white men, as if there were
/// no black ones, then black kings and white kings among the squares that the others leave.
std::uint32_t number_of(const Board& b, const SliceName& name) {
    const Material& m = name.material;
    const auto men = [](Bitboard set, int number, int row, std::uint32_t& ways) {
        if (number == 0) return std::uint64_t{0};
        const std::uint32_t behind = binomial(4 * row, number);
        ways = binomial(4 * row + 4, number) - behind;
        return rank_among(set, ~Bitboard{0}) - behind;
    };
    std::uint32_t black_ways = 1;
    std::uint32_t white_ways = 1;
    const std::uint64_t black_men = men(b.black_men, m.own_men, name.black_row, black_ways);
    const std::uint64_t white_men =
        men(reversed(b.white_men), m.their_men, name.white_row, white_ways);
    const Bitboard free = ~(b.black_men | b.white_men);
    const std::uint64_t black_kings = rank_among(b.black_kings, free);
    const std::uint64_t white_kings = rank_among(b.white_kings, free & ~b.black_kings);
    const std::uint64_t king_ways = binomial(32 - m.men(), m.own_kings);
    return static_cast<std::uint32_t>(
        black_men +
        black_ways * (white_men + white_ways * (black_kings + king_ways * white_kings)));
}

class CakeDatabase final : public ForeignDatabase {
public:
    CakeDatabase(std::string folder, int max_pieces)
        : folder_(std::move(folder)), max_pieces_(std::clamp(max_pieces, 2, 8)) {}

    /// Error, naming the file. Without any files there is none, and pieces() is 0.
    [[nodiscard]] std::optional<Error> open(std::uint64_t memory);

    [[nodiscard]] int pieces() const override { return pieces_; }
    [[nodiscard]] const std::string& description() const override { return description_; }
    [[nodiscard]] std::optional<Wld> probe(const Position& position) const override;
    [[nodiscard]] std::optional<int> dtw(const Position&, Wld) const override { return {}; }
    [[nodiscard]] std::optional<int> dtc(const Position&) const override { return {}; }
    [[nodiscard]] bool has_dtw() const override { return false; }

private:
    /// Adds the files that are there, of all names that Cake uses.
    [[nodiscard]] std::optional<Error> add_files();
    [[nodiscard]] std::optional<Error> add_pair(const std::string& name,
                                                const Index::Expected& is_expected);
    [[nodiscard]] std::optional<Error> find_damage() const;

    std::string folder_;
    int max_pieces_;
    int pieces_ = 0;
    std::string description_;
    std::vector<std::string> names_;  // of the files in blocks_
    Index index_;
    Blocks blocks_;
};

std::optional<Error> CakeDatabase::open(std::uint64_t memory) {
    if (auto error = add_files()) return error;
    if (pieces_ == 0) return std::nullopt;
    if (auto error = blocks_.make_ready(memory)) return error;
    description_ = "Cake, " + std::to_string(pieces_) + " pieces, in " + folder_;
    return find_damage();
}

std::optional<Error> CakeDatabase::add_files() {
    for (int pieces = 2; pieces <= max_pieces_; ++pieces) {
        const std::string name = "db" + std::to_string(pieces);
        if (auto error =
                add_pair(name, [pieces](const Material& m) { return m.total() == pieces; }))
            return error;
    }
    if (max_pieces_ < 8) return std::nullopt;
    for (const Material& material : materials_of(8)) {
        const auto digits = [](int men, int kings) {
            return std::to_string(men) + std::to_string(kings);
        };
        const std::string name = "db8_" + digits(material.own_men, material.own_kings) +
                                 digits(material.their_men, material.their_kings);
        if (auto error = add_pair(name, [&material](const Material& m) { return m == material; }))
            return error;
    }
    return std::nullopt;
}

std::optional<Error> CakeDatabase::add_pair(const std::string& name,
                                            const Index::Expected& is_expected) {
    constexpr std::size_t largest_table = std::size_t{64} << 20;
    const std::string path = with_final_separator(folder_, '/') + name;
    const std::string table = path + ".idx";
    const std::string data = path + ".cpr";
    if (!file_exists(table)) return std::nullopt;
    const Result<std::string> text = read_file(table, largest_table);
    if (!text) return Error{text.error()};
    const auto problem = index_.add(*text, blocks_.number_of_blocks(), [&](auto& material) {
        pieces_ = std::max(pieces_, material.total());
        return is_expected(material);
    });
    if (problem) return file_error(table, problem->text);
    Result<RandomAccessFile> opened = RandomAccessFile::open(data);
    if (!opened) return Error{opened.error()};
    if (!blocks_.add(*std::move(opened), index_.number_of_blocks()))
        return file_error(data, "has not the length that " + name + ".idx tells");
    names_.push_back(data);
    return std::nullopt;
}

std::optional<Error> CakeDatabase::find_damage() const {
    std::optional<Error> error;
    const auto check = [&](const Slice& slice, std::uint32_t i) {
        const cake::Part part = cake::part_of(slice, index_, i);
        if (error || blocks_.is_sound(part)) return;
        error = file_error(names_[blocks_.file_of(part.block)], "is damaged");
    };
    std::vector<const Slice*> last(names_.size());
    index_.for_each([&](const Slice& slice) {
        const std::size_t file = blocks_.file_of(slice.first_block);
        if (last[file] == nullptr || slice.first_start > last[file]->first_start)
            last[file] = &slice;
        for (std::uint32_t i = 0; i < slice.blocks && blocks_.is_held(file); ++i)
            check(slice, i);
    });
    for (const Slice* slice : last)
        if (slice != nullptr) check(*slice, slice->blocks - 1);
    return error;
}

std::optional<Wld> CakeDatabase::probe(const Position& position) const {
    if (position.black == 0 || position.white == 0 || count(position.occupied()) > pieces_)
        return std::nullopt;
    Board board = board_of(position);
    SliceName name = name_of(board);
    DEFIANCE_ASSERT(name.material.total() <= 8);
    if (must_be_flipped(name)) {
        board = flipped(board);
        name = flipped(name);
    }
    const Slice* slice = index_.find(name);
    if (slice == nullptr) return std::nullopt;
    if (slice->blocks == 0) return slice->value;
    const std::uint32_t number = number_of(board, name);
    const auto starts = index_.starts(*slice);
    const auto behind = std::upper_bound(starts.begin(), starts.end(), number);
    const auto i = static_cast<std::uint32_t>(behind - starts.begin()) - 1;
    DEFIANCE_ASSERT(!starts.empty() && i < slice->blocks);
    return blocks_.value(cake::part_of(*slice, index_, i), number - starts[i]);
}

}  // namespace

Result<std::unique_ptr<ForeignDatabase>> open_cake(const std::string& folder, std::uint64_t memory,
                                                   int max_pieces) {
    auto database = std::make_unique<CakeDatabase>(folder, max_pieces);
    if (auto error = database->open(memory)) return *std::move(error);
    if (database->pieces() == 0) return std::unique_ptr<ForeignDatabase>();
    return std::unique_ptr<ForeignDatabase>(std::move(database));
}

}  // namespace defiance
