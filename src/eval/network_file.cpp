#include <algorithm>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/little_endian.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/eval/network.hpp>

namespace defiance {
namespace {

using Parameters = NetworkParameters;

// To be raised when the inputs change, or networks of both kinds could not be told apart.
constexpr unsigned format_version = 2;
constexpr std::uint8_t kind_of_activation = 2;  // 2: products of pairs; others are out of use
constexpr std::size_t game_bytes = Parameters::max_game_bytes + 1;
constexpr std::size_t head_bytes = network_magic.size() + 2 + 1 + 1 + 2 + 2 + game_bytes + 1;
constexpr std::size_t checksum_bytes = 4;

/// Takes numbers from the front of bytes whose size was checked.
class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::uint32_t number(std::size_t size) {
        return static_cast<std::uint32_t>(little_endian_at(take(size), 0, size));
    }
    std::string text(std::size_t size) {
        const auto from = take(size);
        return std::string(from.begin(), from.end());
    }
    std::vector<std::int16_t> numbers(std::size_t count) {
        std::vector<std::int16_t> values(count);
        for (std::int16_t& value : values)
            value = static_cast<std::int16_t>(number(2));
        return values;
    }
    std::vector<std::int32_t> long_numbers(std::size_t count) {
        std::vector<std::int32_t> values(count);
        for (std::int32_t& value : values)
            value = static_cast<std::int32_t>(number(4));
        return values;
    }

private:
    std::span<const std::uint8_t> take(std::size_t size) {
        DEFIANCE_ASSERT(size <= bytes_.size());
        const auto taken = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return taken;
    }
    std::span<const std::uint8_t> bytes_;
};

template <class Numbers>
bool are_within(const Numbers& numbers, int limit) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [limit](int number) { return number >= -limit && number <= limit; });
}

/// The numbers of each kind, from the shape of a network.
struct Sizes {
    explicit Sizes(const Parameters& p)
        : hidden(static_cast<std::size_t>(p.hidden)),
          buckets(static_cast<std::size_t>(p.buckets)),
          products(static_cast<std::size_t>(p.products())),
          second(buckets * static_cast<std::size_t>(p.second)),
          bytes(2 * (Parameters::inputs * hidden + hidden + buckets * products) + 4 * buckets +
                second * (2 * products + 4 + 2)) {}
    std::size_t hidden;
    std::size_t buckets;
    std::size_t products;
    std::size_t second;  // of all buckets
    std::size_t bytes;
};

bool has_known_shape(const Parameters& p) {
    return p.hidden >= Parameters::hidden_step && p.hidden <= Parameters::max_hidden &&
           p.hidden % Parameters::hidden_step == 0 && p.buckets >= 1 &&
           p.buckets <= Parameters::max_buckets && p.second >= 0 &&
           p.second <= Parameters::max_second;
}

bool has_numbers_in_range(const Parameters& p) {
    return are_within(p.input_weights, Parameters::max_input_weight) &&
           are_within(p.hidden_biases, Parameters::max_hidden_bias) &&
           are_within(p.output_weights, Parameters::max_output_weight) &&
           are_within(p.output_biases, Parameters::max_output_bias) &&
           are_within(p.second_weights, Parameters::max_output_weight) &&
           are_within(p.second_biases, Parameters::max_second_bias) &&
           are_within(p.second_outputs, Parameters::max_output_weight);
}

}  // namespace

std::vector<std::uint8_t> serialize(const NetworkParameters& p) {
    DEFIANCE_ASSERT(has_known_shape(p) && has_numbers_in_range(p));
    DEFIANCE_ASSERT(p.game.size() <= Parameters::max_game_bytes);
    const std::string description = p.description.substr(0, Parameters::max_description_bytes);
    std::vector<std::uint8_t> bytes(network_magic.begin(), network_magic.end());
    append_little_endian(bytes, format_version, 2);
    append_little_endian(bytes, kind_of_activation, 1);
    append_little_endian(bytes, static_cast<std::uint32_t>(p.buckets), 1);
    append_little_endian(bytes, static_cast<std::uint32_t>(p.hidden), 2);
    append_little_endian(bytes, static_cast<std::uint32_t>(description.size()), 2);
    std::string game = p.game;
    game.resize(game_bytes, '\0');
    bytes.insert(bytes.end(), game.begin(), game.end());
    append_little_endian(bytes, static_cast<std::uint32_t>(p.second), 1);
    bytes.insert(bytes.end(), description.begin(), description.end());
    const auto append_short = [&](const std::vector<std::int16_t>& numbers) {
        for (const std::int16_t number : numbers)
            append_little_endian(bytes, static_cast<std::uint16_t>(number), 2);
    };
    const auto append_long = [&](const std::vector<std::int32_t>& numbers) {
        for (const std::int32_t number : numbers)
            append_little_endian(bytes, static_cast<std::uint32_t>(number), 4);
    };
    append_short(p.input_weights);
    append_short(p.hidden_biases);
    append_short(p.output_weights);
    append_long(p.output_biases);
    append_short(p.second_weights);
    append_long(p.second_biases);
    append_short(p.second_outputs);
    append_little_endian(bytes, checksum(bytes), checksum_bytes);
    return bytes;
}

Result<NetworkParameters> parse_network(std::span<const std::uint8_t> bytes,
                                        std::string_view game) {
    if (bytes.size() < head_bytes + checksum_bytes ||
        !std::equal(network_magic.begin(), network_magic.end(), bytes.begin()))
        return Error{"this is no evaluation network"};
    Reader reader(bytes.subspan(network_magic.size()));
    if (reader.number(2) != format_version || reader.number(1) != kind_of_activation)
        return Error{"this evaluation network has a format that this version does not know"};
    NetworkParameters p;
    p.buckets = static_cast<int>(reader.number(1));
    p.hidden = static_cast<int>(reader.number(2));
    const std::size_t description_bytes = reader.number(2);
    p.game = reader.text(game_bytes);
    p.game.erase(std::find(p.game.begin(), p.game.end(), '\0'), p.game.end());
    p.second = static_cast<int>(reader.number(1));
    if (!has_known_shape(p) || description_bytes > Parameters::max_description_bytes)
        return Error{"this evaluation network has a shape that this version does not know"};
    const Sizes sizes(p);
    if (bytes.size() != head_bytes + description_bytes + sizes.bytes + checksum_bytes)
        return Error{"this evaluation network is cut off or damaged"};
    const auto body = bytes.first(bytes.size() - checksum_bytes);
    if (Reader(bytes.last(checksum_bytes)).number(checksum_bytes) != checksum(body))
        return Error{"this evaluation network is damaged"};
    if (!game.empty() && p.game != game)
        return Error{"this evaluation network is for " + shown(p.game) + ", not for " +
                     std::string(game)};
    p.description = reader.text(description_bytes);
    p.input_weights = reader.numbers(Parameters::inputs * sizes.hidden);
    p.hidden_biases = reader.numbers(sizes.hidden);
    p.output_weights = reader.numbers(sizes.buckets * sizes.products);
    p.output_biases = reader.long_numbers(sizes.buckets);
    p.second_weights = reader.numbers(sizes.second * sizes.products);
    p.second_biases = reader.long_numbers(sizes.second);
    p.second_outputs = reader.numbers(sizes.second);
    if (!has_numbers_in_range(p))
        return Error{"this evaluation network has numbers that are too large"};
    return p;
}

Result<NetworkParameters> read_network_file(const std::string& path, std::string_view game) {
    constexpr std::size_t max_file_bytes = std::size_t{1} << 20;
    // A pipe or a device is no network, and would keep the caller waiting.
    const Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return Error{file.error()};
    if (file->size() > max_file_bytes) return file_error(path, "is too large for a network");
    const Result<std::vector<std::uint8_t>> bytes = file->read_part(0, file->size());
    if (!bytes) return Error{path + ": " + bytes.error()};
    Result<NetworkParameters> parameters = parse_network(*bytes, game);
    if (!parameters) return Error{path + ": " + parameters.error()};
    return parameters;
}

}  // namespace defiance
