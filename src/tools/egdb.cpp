#include <algorithm>
#include <string>

#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/proof.hpp>
#include <defiance/egdb/solver.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/tools/games.hpp>
#include <defiance/tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::int64_t least_pieces = 2;
constexpr std::int64_t most_pieces = 5;

/// What the positions of a material, or of several, are worth.
struct Tally {
    std::uint64_t counts[3] = {};  // by Value
    int longest = 0;               // plies of the longest win

    void add(const SolvedSlice& slice) {
        for (std::uint64_t number = 0; number < slice.index().size(); ++number) {
            const Value value = slice.value(number);
            ++counts[static_cast<std::size_t>(value)];
            if (value == Value::win && slice.has_plies())
                longest = std::max(longest, slice.plies(number));
        }
    }
    void add(const Tally& other) {
        for (std::size_t i = 0; i < 3; ++i)
            counts[i] += other.counts[i];
        longest = std::max(longest, other.longest);
    }

    /// `times` is 2 where the same positions with colours exchanged count too.
    [[nodiscard]] std::string text(std::uint64_t times) const {
        const auto number = [&](Value value) {
            return std::to_string(times * counts[static_cast<std::size_t>(value)]);
        };
        return "positions " + std::to_string(times * (counts[0] + counts[1] + counts[2])) +
               " win " + number(Value::win) + " loss " + number(Value::loss) + " draw " +
               number(Value::draw) + (longest == 0 ? "" : " longest " + std::to_string(longest));
    }
};

std::string text_of(const Material& m) {
    const auto side = [](int men, int kings) {
        return std::to_string(men) + "m" + std::to_string(kings) + "k";
    };
    return side(m.own_men, m.own_kings) + '-' + side(m.their_men, m.their_kings);
}

/// Tells how far the work is, by the positions done, at most once a second.
class ProgressNotes {
public:
    explicit ProgressNotes(std::uint64_t all) : all_(all) {}

    void done(std::uint64_t positions) {
        done_ += positions;
        const double now = stopwatch_.seconds();
        if (now < next_ || done_ == all_) return;
        next_ = now + 1;
        const double speed = static_cast<double>(done_) / now;
        print_note(fixed(100 * static_cast<double>(done_) / static_cast<double>(all_), 1) + " %, " +
                   fixed(speed / 1e6, 2) + " million positions a second, " +
                   fixed(static_cast<double>(all_ - done_) / speed, 0) + " s left");
    }

private:
    std::uint64_t all_;
    std::uint64_t done_ = 0;
    Stopwatch stopwatch_;
    double next_ = 1;
};

template <class Rules>
ExitCode count(const Arguments& arguments) {
    const int pieces = static_cast<int>(*arguments.integer("pieces"));
    const int threads = static_cast<int>(arguments.integer("threads").value_or(processor_count()));
    const SolverSettings settings = {threads, arguments.has("plies")};
    std::uint64_t all = 0;
    for (int n = 2; n <= pieces; ++n)
        for (const Material& material : materials_of(n))
            all += SliceIndex(material).size();
    ProgressNotes progress(all);
    SolvedSlices slices;
    bool is_proven = true;
    for (int n = 2; n <= pieces; ++n) {
        Tally total;
        for (const Material& material : materials_of(n)) {
            // The swapped material is solved along with the first of the two.
            if (slices.find(material) == nullptr) solve_slices<Rules>(material, slices, settings);
            const SolvedSlice& slice = *slices.find(material);
            Tally tally;
            tally.add(slice);
            total.add(tally);
            print_line(text_of(material) + ' ' + tally.text(1));
            progress.done(slice.index().size());
            if (!arguments.has("prove")) continue;
            const auto unproven = find_unproven<Rules>(slices, material, threads);
            if (!unproven) continue;
            is_proven = false;
            print_note("not proven: " + to_fen<Rules>(*unproven));
        }
        print_line("pieces " + std::to_string(n) + ' ' + total.text(2));
    }
    return is_proven ? exit_done : exit_no;
}

ExitCode run_egdb(const Arguments& arguments) {
    const std::string_view task = arguments.positionals()[0];
    if (task != "count") return fail("egdb: there is no '" + shown(task) + "', only count");
    return with_rules(arguments, [&]<class Rules>() { return count<Rules>(arguments); });
}

constexpr Option options[] = {
    required(integer_option("pieces", least_pieces, most_pieces)),
    integer_option("threads", 1, 256),
    flag_option("plies"),
    flag_option("prove"),
};

}  // namespace

const Verb egdb_verb = {"egdb",
                        "count [--game G] --pieces N [--plies] [--prove] [--threads T]",
                        "solves endings of a few pieces",
                        "Solves all positions of up to N pieces (2 to 5) in which both sides have "
                        "one, and counts how many\n"
                        "are won, lost and drawn for the side to move: a line for each kind of "
                        "position, '1m2k-0m1k' for a\n"
                        "man and two kings to move against a king, then one for all with as many "
                        "pieces, with both colours\n"
                        "to move. Nothing is kept. Draw rules play no part.\n"
                        "--plies also finds how long the longest win takes. --prove checks every "
                        "value by the moves of its\n"
                        "position; exit status 1 when one does not follow. 5 pieces take about a "
                        "minute of one processor.",
                        {options, "count", 1, 1},
                        run_egdb};

}  // namespace defiance
