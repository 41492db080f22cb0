#include <defiance/egdb/database_file.hpp>

#include <defiance/rules/generator.hpp>
#include <defiance/rules/position.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

/// Pseudo-random positions, the same in every build.
class Sampler {
public:
    Position next() {
        for (;;) {
            const Bitboard some = random() & random();
            const Bitboard few = some & random() & random();
            const Bitboard others = random() & random() & random() & random() & ~few;
            const Position p = {few, others, (few | others) & random(), Side::black};
            if (few != 0 && others != 0 && !find_fault(p)) return p;
        }
    }

private:
    Bitboard random() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<Bitboard>(state_ >> 32);
    }
    std::uint64_t state_ = 20;
};

}  // namespace

template <class Rules>
std::uint32_t rules_fingerprint() {
    constexpr int positions = 400;
    Sampler sampler;
    std::uint64_t sum = Rules::game_type;
    for (int i = 0; i < positions; ++i) {
        const Position p = sampler.next();
        // A sum, so that the order of the moves does not matter.
        std::uint64_t moves = 0;
        MoveList list;
        generate_moves<Rules>(p, list);
        for (const Move& move : list)
            moves += key_of(after<Rules>(p, move));
        sum = (sum ^ moves) * 0x9E3779B97F4A7C15U;
        sum ^= sum >> 29;
    }
    return static_cast<std::uint32_t>(sum >> 32);
}

template std::uint32_t rules_fingerprint<DEFIANCE_GAME>();

}  // namespace defiance
