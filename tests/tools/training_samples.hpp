#pragma once

#include <algorithm>
#include <vector>

#include <defiance/base/bitboard.hpp>
#include <defiance/base/random.hpp>
#include <tools/training/dataset.hpp>

namespace defiance {

/// A record of random pieces, 2 to 24, whose result and score tell who has more of them; a king
/// counts for two men.
inline TrainingRecord material_record(Random& random) {
    TrainingRecord record;
    const int pieces = 2 + random.below(23);
    while (count(record.own | record.theirs) < pieces) {
        const Bitboard square = bit(random.below(32)) & ~(record.own | record.theirs);
        (random.below(2) == 0 ? record.own : record.theirs) |= square;
        if (random.below(4) == 0) record.kings |= square;
    }
    const int more = count(record.own) + count(record.own & record.kings) - count(record.theirs) -
                     count(record.theirs & record.kings);
    record.score = static_cast<std::int16_t>(100 * more);
    record.result = static_cast<std::int8_t>(std::clamp(more, -1, 1));
    return record;
}

/// So many games of ten such records each.
inline Dataset material_data(int games, double holdout_share = 0.1) {
    Dataset data;
    Random random(7);
    for (int i = 0; i < 10 * games; ++i) {
        TrainingRecord record = material_record(random);
        record.flags = i % 10 == 0 ? TrainingRecord::first_of_game : 0;
        (void)data.add(record, i == 0, holdout_share, 1);
    }
    return data;
}

}  // namespace defiance
