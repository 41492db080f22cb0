#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/build.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {

void WldCounts::add(const SolvedSlice& slice) {
    has_all_dtw_ = has_all_dtw_ && slice.has_dtw();
    for (std::uint64_t number = 0; number < slice.index().size(); ++number) {
        const Wld value = slice.value(number);
        DEFIANCE_ASSERT(static_cast<std::size_t>(value) < std::size(counts_));
        ++counts_[static_cast<std::size_t>(value)];
        if (value == Wld::win && slice.has_dtw()) longest_ = std::max(longest_, slice.dtw(number));
    }
}

void WldCounts::add(const WldCounts& other) {
    for (std::size_t i = 0; i < 3; ++i)
        counts_[i] += other.counts_[i];
    longest_ = std::max(longest_, other.longest_);
    has_all_dtw_ = has_all_dtw_ && other.has_all_dtw_;
}

std::string WldCounts::text(std::uint64_t times) const {
    DEFIANCE_ASSERT(times == 1 || times == 2);
    const auto number = [&](Wld value) {
        return std::to_string(times * counts_[static_cast<std::size_t>(value)]);
    };
    return "positions " + std::to_string(times * (counts_[0] + counts_[1] + counts_[2])) + " win " +
           number(Wld::win) + " loss " + number(Wld::loss) + " draw " + number(Wld::draw) +
           (has_all_dtw_ && longest_ != 0 ? " longest " + std::to_string(longest_) : "");
}

namespace {

constexpr std::int64_t max_pieces_in_memory = 5;

/// Solves all materials, one after the other, and prints the counts of each.
template <class Rules>
ExitCode count_in_memory(const Arguments& arguments) {
    const int pieces = static_cast<int>(*arguments.integer("pieces"));
    ProgressNotes progress;
    const bool with_dtw = arguments.has("plies");
    const SolverSettings settings = {threads_given(arguments), with_dtw, &progress.done()};
    std::uint64_t all = 0;
    for (int n = 2; n <= pieces; ++n)
        for (const Material& material : materials_of(n))
            all += SliceIndex(material).size();
    progress.begin(all * (with_dtw ? 1 : 2));
    DEFIANCE_ASSERT(all != 0 && settings.threads >= 1);
    SolvedSlices slices;
    bool is_proven = true;
    for (int n = 2; n <= pieces; ++n) {
        WldCounts total;
        for (const Material& material : materials_of(n)) {
            if (progress.is_stopped()) return exit_no;
            // The swapped material is solved along with the first of the two.
            if (slices.find(material) == nullptr) solve_slices<Rules>(material, slices, settings);
            DEFIANCE_ASSERT(slices.find(material) != nullptr);
            WldCounts counts;
            counts.add(*slices.find(material));
            total.add(counts);
            print_line(to_text(material) + ' ' + counts.text(1));
            if (!arguments.has("prove")) continue;
            const auto unproven = find_unproven<Rules>(slices, material, settings.threads);
            if (!unproven) continue;
            is_proven = false;
            print_note("not proven: " + to_fen(rules_of<Rules>, *unproven));
        }
        print_line("pieces " + std::to_string(n) + ' ' + total.text(2));
    }
    return is_proven ? exit_done : exit_no;
}

/// Prints the counts of the slices that a build has left in its folder.
template <class Rules>
ExitCode count_files(const Arguments& arguments) {
    const int pieces = static_cast<int>(*arguments.integer("pieces"));
    const std::string folder = folder_given(arguments);
    const database_file::Identity identity = {static_cast<std::uint8_t>(Rules::game_type),
                                              rules_fingerprint<Rules>()};
    WldCounts total;
    for (const Material& material : materials_of(pieces)) {
        const auto slice =
            load_solved(solved_file_path<Rules>(folder, material), identity, material);
        if (!slice)
            return fail("egdb count: " + slice.error() +
                        (pieces <= max_pieces_with_all_dtw
                             ? "; a build keeps so few pieces as parts only, leave --dir out"
                             : ""));
        WldCounts counts;
        counts.add(**slice);
        total.add(counts);
        print_line(to_text(material) + ' ' + counts.text(1));
    }
    print_line("pieces " + std::to_string(pieces) + ' ' + total.text(2));
    return exit_done;
}

}  // namespace

ExitCode count_endgames(const Arguments& arguments) {
    const auto pieces = arguments.integer("pieces");
    if (!pieces) return fail("egdb count: --pieces is missing");
    const bool from_files = arguments.has("dir");
    for (const char* option : {"plies", "threads"})
        if (from_files && arguments.has(option))
            return fail("egdb count: --" + std::string(option) +
                        " goes without --dir, which solves nothing");
    if (from_files && arguments.has("prove"))
        return fail("egdb count: --prove goes without --dir; 'egdb verify' proves files");
    if (const auto error = find_missing_folder(arguments))
        return fail("egdb count: " + error->text);
    if (!from_files && *pieces > max_pieces_in_memory)
        return fail("egdb count: more than " + std::to_string(max_pieces_in_memory) +
                    " pieces only with --dir, after egdb build");
    return with_rules(arguments, [&]<class Rules>() {
        return from_files ? count_files<Rules>(arguments) : count_in_memory<Rules>(arguments);
    });
}

}  // namespace defiance
