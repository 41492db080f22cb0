#include <set>
#include <string>

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

constexpr int max_pieces_solved = 5;

/// Loads the slices that a build has left of a material, of the swapped one and of all that their
/// moves lead to. Drops the others that it has loaded, because all together take much memory.
template <class Rules>
std::optional<Error> load_with_successors(const Material& material, const std::string& folder,
                                          SolvedSlices& slices) {
    std::set<Material> wanted = {material, material.swapped()};
    for (const Material& m : {material, material.swapped()})
        for (const Material& next : successors_of(m))
            wanted.insert({next, next.swapped()});
    slices.keep(
        [&](const Material& m) { return m.total() <= max_pieces_solved || wanted.contains(m); });
    const database_file::Identity identity = {static_cast<std::uint8_t>(Rules::game_type),
                                              rules_fingerprint<Rules>()};
    for (const Material& m : wanted) {
        if (slices.find(m) != nullptr) continue;
        auto slice = load_solved(solved_file_path<Rules>(folder, m), identity, m);
        if (!slice) return Error{slice.error()};
        slices.add(*std::move(slice));
    }
    return std::nullopt;
}

/// Gets the slices that the files are compared with and proved by: solves those of few pieces
/// again, loads the others.
template <class Rules>
std::optional<Error> get_slices(const Material& material, const std::string& folder,
                                SolvedSlices& slices, int threads) {
    if (material.total() > max_pieces_solved)
        return load_with_successors<Rules>(material, folder, slices);
    if (slices.find(material) == nullptr)
        solve_slices<Rules>(material, slices, {threads, true, nullptr});
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
            if (const auto error = get_slices<Rules>(material, folder, slices, threads))
                return fail("egdb verify: " + error->text);
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
            if (comparison.lacks_plies) print_note("missing: plies of " + to_text(material));
            if (comparison.difference)
                print_note("wrong: " + to_fen(rules_of<Rules>, *comparison.difference));
            is_right = is_right && !comparison.lacks_plies && !comparison.difference;
        }
        print_line("pieces " + std::to_string(n) + " compared " + std::to_string(compared) +
                   (is_right ? " right" : " WRONG"));
    }
    return is_right ? exit_done : exit_no;
}

}  // namespace

ExitCode verify_endgames(const Arguments& arguments) {
    if (const auto error = find_missing_folder(arguments))
        return fail("egdb verify: " + error->text);
    const auto pieces = arguments.integer("pieces");
    if (pieces && *pieces > max_pieces_solved && folder_given(arguments).empty())
        return fail("egdb verify: more than " + std::to_string(max_pieces_solved) +
                    " pieces only with --dir, after egdb build");
    return with_rules(arguments, [&]<class Rules>() { return verify<Rules>(arguments); });
}

}  // namespace defiance
