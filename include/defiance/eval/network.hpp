#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <defiance/base/aligned_array.hpp>
#include <defiance/base/assert.hpp>
#include <defiance/base/result.hpp>
#include <defiance/base/row_kernels.hpp>
#include <defiance/eval/score.hpp>
#include <defiance/rules/position.hpp>

namespace defiance {

/// The numbers of an evaluation network, as they stand in its file. It is an NNUE (Nasu 2018):
/// moves update the hidden layer, the accumulator, instead of computing it anew.
///
/// A network has 128 inputs (the features of the board), one for each kind of piece on each square:
/// own men, own kings, their men, their kings. A hidden layer of `hidden` units is computed twice
/// with the same weights, from the view (the perspective) of the side to move and from that of the
/// opponent. Its units are clipped to 0..1 (clipped ReLU) and multiplied in pairs: the products of
/// a view are those of units i and i + 32 of each group of 64. The output is a weighted sum of the
/// products of both views; its weights are chosen by the number of pieces (output buckets).
///
/// A second layer of `second` units may stand beside that sum: each unit is a weighted sum of the
/// products, clipped to 0..1 and squared, and what they weigh is added to the output. Its weights
/// are chosen by the number of pieces, too.
///
/// Fixed point: weights and biases of the hidden layer are multiples of 1/255, all other weights of
/// 1/64, all other biases of 1/(254 * 64), because a product of two units is rounded to 1/254. An
/// output of 1 is a score of 200.
struct NetworkParameters {
    static constexpr int inputs = 128;
    static constexpr int max_active =
        max_pieces_on_board;  ///< active inputs of a view: one for each piece
    /// The input for a piece in the view of one side: whether the piece is its opponent's, and the
    /// square on a board that is turned so that this side plays black.
    [[nodiscard]] static constexpr int input(bool is_theirs, bool is_king, int square) {
        DEFIANCE_ASSERT(square >= 0 && square < 32);
        return 64 * is_theirs + 32 * is_king + square;
    }
    /// input ^ other_view is the same piece as the opponent sees it: own and other pieces change
    /// places, and square s is 31 - s.
    static constexpr int other_view = 64 | 31;
    static constexpr int hidden_step = pair_group;  ///< `hidden` is a multiple of it
    static constexpr int max_hidden = max_row;
    static constexpr int max_buckets = 24;
    static constexpr int max_second = 32;
    // What stands for 1 in fixed point.
    static constexpr int hidden_scale = 255;   ///< weights, biases and units of the hidden layer
    static constexpr int product_scale = 254;  ///< products, and units of the second layer
    static constexpr int output_scale = 64;    ///< weights of the products and what follows them
    static constexpr int score_scale = 200;    ///< the score, for an output of 1
    /// No weight or bias is larger, so that no sum of a view leaves 16 bits.
    static constexpr int max_input_weight = 1000;
    static constexpr int max_hidden_bias = 8000;
    static_assert(max_active * max_input_weight + max_hidden_bias <= INT16_MAX);
    static constexpr int max_output_weight = 127;
    static constexpr int max_output_bias = 1 << 24;
    static constexpr int max_second_bias = 1 << 24;
    static constexpr std::size_t max_game_bytes = 15;
    static constexpr std::size_t max_description_bytes = 1000;

    std::string game;         ///< as GameRules::name: "English"
    std::string description;  ///< what it was trained on, for people
    int hidden = 0;
    int buckets = 0;
    int second = 0;
    std::vector<std::int16_t> input_weights;  ///< [input][hidden unit]
    std::vector<std::int16_t> hidden_biases;  ///< [hidden unit]
    std::vector<std::int16_t>
        output_weights;  ///< [bucket][product], the view of the side to move first
    std::vector<std::int32_t> output_biases;   ///< [bucket]
    std::vector<std::int16_t> second_weights;  ///< [bucket][second unit][product]
    std::vector<std::int32_t> second_biases;   ///< [bucket][second unit]
    std::vector<std::int16_t>
        second_outputs;  ///< [bucket][second unit]: what it adds to the output

    /// The products of both views together: half as many as units in each.
    [[nodiscard]] int products() const { return hidden; }

    [[nodiscard]] bool operator==(const NetworkParameters&) const = default;
};

/// The bucket of output weights for a position with this many pieces, 1 to 24.
[[nodiscard]] constexpr int bucket_of(int pieces, int buckets) {
    DEFIANCE_ASSERT(pieces >= 1 && pieces <= max_pieces_on_board && buckets >= 1);
    return (pieces - 1) * buckets / max_pieces_on_board;
}

/// What every network file begins with.
inline constexpr std::string_view network_magic = "DEFIEVAL";

/// The bytes of a network file. All numbers have their lowest byte first: network_magic, format
/// version 2 (16 bits), kind of activation, 2: products of pairs (8), buckets (8), hidden units
/// (16), bytes of the description (16), game (16 bytes, filled up with zeros), units of the second
/// layer (8); description, input weights, hidden biases, output weights (16 bits each), output
/// biases (32 bits each); weights (16), biases (32) and outputs (16) of the second layer; CRC-32 of
/// all before. A file does not say what its inputs are: a change of them raises the format version.
[[nodiscard]] std::vector<std::uint8_t> serialize(const NetworkParameters& parameters);

/// Reads a network file of this game, of any if it is empty. Error: it is no such file, damaged, of
/// another game or format version, or has numbers out of range.
[[nodiscard]] Result<NetworkParameters> parse_network(std::span<const std::uint8_t> bytes,
                                                      std::string_view game = {});

/// The same of the file at the path. Error, with the path: it cannot be read, or as above.
[[nodiscard]] Result<NetworkParameters> read_network_file(const std::string& path,
                                                          std::string_view game = {});

/// An evaluation network ready for use. Immutable, so any number of threads may share it. Positions
/// have 1 to 24 pieces.
///
/// All sums are of whole numbers: it gives the same scores on every build and processor.
class Network {
public:
    explicit Network(NetworkParameters parameters, Instructions instructions = best_instructions());

    [[nodiscard]] const NetworkParameters& parameters() const { return parameters_; }
    /// CRC-32 of its file, which tells networks apart.
    [[nodiscard]] std::uint32_t checksum() const { return checksum_; }

    /// The values of an accumulator: the sums of the hidden layer, black's view before white's.
    [[nodiscard]] std::size_t accumulator_size() const {
        return 2 * static_cast<std::size_t>(parameters_.hidden);
    }

    /// Computes the accumulator of a position.
    void refresh(const Position& position, std::int16_t* accumulator) const;

    /// Computes the accumulator of `to` from the one of `from`; the cost is in the pieces that
    /// differ. The two accumulators may be the same.
    void update(const Position& from, const std::int16_t* old, const Position& to,
                std::int16_t* accumulator) const;

    /// The score of the position for the side to move, within +-evaluation_limit, from its
    /// accumulator.
    [[nodiscard]] Score evaluate(const Position& position, const std::int16_t* accumulator) const;

    /// The same, with an accumulator computed for it.
    [[nodiscard]] Score evaluate(const Position& position) const;

private:
    [[nodiscard]] std::int64_t output(const std::int16_t* accumulator, std::size_t bucket,
                                      bool is_swapped) const;

    NetworkParameters parameters_;
    AlignedArray<std::int16_t> input_weights_;
    AlignedArray<std::int16_t> hidden_biases_;
    // As PairLayers wants them, one bucket after the other.
    AlignedArray<std::int16_t> rows_;
    AlignedArray<std::int8_t> byte_rows_;
    std::vector<std::int32_t> unit_biases_;
    std::vector<std::int16_t> unit_outputs_;
    const RowKernels* kernels_;
    std::uint32_t checksum_;
};

}  // namespace defiance
