#include <algorithm>
#include <cstdint>
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
        auto slice = load_built<Rules>(folder, identity, m);
        if (!slice) return Error{slice.error()};
        slices.add(*std::move(slice));
    }
    return std::nullopt;
}

/// Gets the slices that the files are compared with and proved by: solves those of few pieces
/// again, loads the others.
template <class Rules>
std::optional<Error> get_slices(const Material& material, const std::string& folder,
                                SolvedSlices& slices, const SolverSettings& settings) {
    if (material.total() > max_pieces_solved)
        return load_with_successors<Rules>(material, folder, slices);
    // The swapped material is solved along with the first of the two.
    if (slices.find(material) == nullptr) solve_slices<Rules>(material, slices, settings);
    return std::nullopt;
}

/// All positions of up to so many pieces, as solve_slices() counts them.
std::uint64_t positions_of(int pieces) {
    std::uint64_t all = 0;
    for (int n = 2; n <= pieces; ++n)
        for (const Material& material : materials_of(n))
            all += SliceIndex(material).size();
    return all;
}

/// Compares the databases with the slice of a material and tells what is wrong.
template <class Rules>
class EndgameVerifier {
public:
    EndgameVerifier(const Endgames<Rules>& endgames, const SolvedSlices& slices, int threads)
        : endgames_(endgames), slices_(slices), threads_(threads) {
        for (const std::string& line : endgames.refused())
            tell("not used: " + line);
    }

    void verify(const Material& material) {
        DEFIANCE_ASSERT(slices_.find(material) != nullptr);
        if (!endgames_.keeps(material) && !endgames_.keeps(material.swapped()))
            tell("missing: " + to_text(material));
        if (const auto unproven = find_unproven<Rules>(slices_, material, threads_))
            tell("not proven: " + to_fen(rules_of<Rules>, *unproven));
        const Comparison comparison =
            compare_with<Rules>(endgames_, *slices_.find(material), threads_);
        compared_ += comparison.compared;
        if (comparison.lacks_plies) tell("missing: plies of " + to_text(material));
        if (comparison.difference)
            tell("wrong: " + to_fen(rules_of<Rules>, *comparison.difference));
    }

    [[nodiscard]] bool is_right() const { return is_right_; }
    [[nodiscard]] std::uint64_t compared() const { return compared_; }

private:
    void tell(const std::string& fault) {
        print_note(fault);
        is_right_ = false;
    }

    const Endgames<Rules>& endgames_;
    const SolvedSlices& slices_;
    const int threads_;
    bool is_right_ = true;
    std::uint64_t compared_ = 0;
};

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
    ProgressNotes progress;
    progress.begin(positions_of(std::min(pieces, max_pieces_solved)) + positions_of(pieces));
    SolvedSlices slices;
    EndgameVerifier<Rules> verifier(endgames, slices, threads);
    for (int n = 2; n <= pieces; ++n) {
        for (const Material& material : materials_of(n)) {
            if (progress.is_stopped()) {
                print_note("stopped");
                return exit_no;
            }
            if (const auto error =
                    get_slices<Rules>(material, folder, slices, {threads, true, &progress.done()}))
                return fail("egdb verify: " + error->text);
            verifier.verify(material);
            progress.done() += SliceIndex(material).size();
        }
        print_line("pieces " + std::to_string(n) + " compared " +
                   std::to_string(verifier.compared()) +
                   (verifier.is_right() ? " right" : " WRONG"));
    }
    return verifier.is_right() ? exit_done : exit_no;
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
