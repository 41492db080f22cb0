#include <defiance/base/assert.hpp>
#include <defiance/base/mapped_file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/build.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <defiance/rules/fen.hpp>
#include <defiance/rules/game_rules.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/egdb/verifier.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {
namespace {

/// Solves the slices of a material that the files are compared with; with many pieces it loads
/// those that a build has left. Returns the error, if there is one.
template <class Rules>
std::optional<std::string> solve_again(const Material& material, const std::string& folder,
                                       SolvedSlices& slices, int threads) {
    constexpr int max_pieces_solved = 5;
    if (slices.find(material) != nullptr) return std::nullopt;
    if (material.total() <= max_pieces_solved) {
        solve_slices<Rules>(material, slices, {threads, true, nullptr});
        return std::nullopt;
    }
    const database_file::Identity identity = {static_cast<std::uint8_t>(Rules::game_type),
                                              rules_fingerprint<Rules>()};
    for (const Material& m : {material, material.swapped()}) {
        auto slice = load_solved(solved_file_path<Rules>(folder, m), identity, m);
        if (!slice) return slice.error();
        slices.add(*std::move(slice));
    }
    return std::nullopt;
}

template <class Rules>
ExitCode verify(const Arguments& arguments) {
    const std::string folder = folder_given(arguments);
    const int threads = threads_given(arguments);
    DEFIANCE_ASSERT(threads >= 1);
    const int pieces = static_cast<int>(arguments.integer("pieces").value_or(5));
    EndgameSettings settings;
    settings.folder = folder;
    settings.built_in = folder.empty();  // or they would be compared instead of the files
    const Endgames<Rules> endgames(settings);
    for (const std::string& line : endgames.refused())
        print_note("not used: " + line);
    SolvedSlices slices;
    bool is_right = endgames.refused().empty();
    std::uint64_t compared = 0;
    for (int n = 2; n <= pieces; ++n) {
        for (const Material& material : materials_of(n)) {
            if (const auto error = solve_again<Rules>(material, folder, slices, threads))
                return fail("egdb verify: " + *error);
            DEFIANCE_ASSERT(slices.find(material) != nullptr);
            if (!endgames.keeps(material) && !endgames.keeps(material.swapped())) {
                print_note("missing: " + to_text(material));
                is_right = false;
            }
            if (const auto unproven = find_unproven<Rules>(slices, material, threads)) {
                print_note("not proven: " + to_fen(rules_of<Rules>, *unproven));
                is_right = false;
            }
            const Comparison comparison =
                compare_with<Rules>(endgames, *slices.find(material), threads);
            compared += comparison.compared;
            if (!comparison.first_difference) continue;
            print_note("wrong: " + to_fen(rules_of<Rules>, *comparison.first_difference));
            is_right = false;
        }
        print_line("pieces " + std::to_string(n) + " compared " + std::to_string(compared) +
                   (is_right ? " right" : " WRONG"));
    }
    return is_right ? exit_done : exit_no;
}

}  // namespace

ExitCode verify_endgames(const Arguments& arguments) {
    return with_rules(arguments, [&]<class Rules>() { return verify<Rules>(arguments); });
}

}  // namespace defiance
