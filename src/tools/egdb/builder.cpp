#include <tools/egdb/builder.hpp>

#include <algorithm>
#include <new>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/mapped_file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/egdb/build.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/endgames.hpp>

#include DEFIANCE_GAME_HEADER

namespace defiance {
namespace {

constexpr int max_pieces_in_first_file = 5;
/// How often the work goes through the positions: twice to solve a slice, twice to pack one of two.
constexpr std::uint64_t rounds_to_solve = 2;
constexpr std::uint64_t rounds_to_pack = 2;

std::uint64_t work_to_solve(const Material& m) {
    return SliceIndex(m).size() * (m == m.swapped() ? 1 : 2) * rounds_to_solve;
}

std::uint64_t work_on(const Material& m) {
    return work_to_solve(m) + SliceIndex(m).size() * rounds_to_pack;
}

std::string_view as_text(const std::vector<std::uint8_t>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool has_content(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    const Result<MappedFile> file = MappedFile::open(path);
    return file && std::ranges::equal(file->bytes(), bytes);
}

template <class Rules>
class Builder {
public:
    Builder(const BuildSettings& settings, BuildMonitor& monitor)
        : settings_(settings),
          monitor_(monitor),
          identity_{static_cast<std::uint8_t>(Rules::game_type), rules_fingerprint<Rules>()} {}

    Result<bool> build_all() {
        DEFIANCE_ASSERT(settings_.pieces >= 2 && settings_.pieces <= max_pieces_built);
        std::uint64_t work = 0;
        for (int pieces = 2; pieces <= settings_.pieces; ++pieces)
            for (const Material& material : pairs_of(pieces))
                work += work_on(material);
        monitor_.begin(work);
        for (int pieces = 2; pieces <= settings_.pieces; ++pieces) {
            for (const Material& material : pairs_of(pieces)) {
                if (monitor_.is_stopped()) return false;
                if (auto error = build_pair(material)) return *error;
            }
            if (pieces == settings_.pieces || pieces >= max_pieces_in_first_file)
                if (auto error = join(pieces)) return *error;
        }
        return true;
    }

    Result<bool> build_part() {
        DEFIANCE_ASSERT(settings_.only && settings_.is_part);
        monitor_.begin(work_on(*settings_.only));
        if (auto error = build_pair(*settings_.only)) return *error;
        return true;
    }

    Result<bool> join_all() {
        for (int pieces = 2; pieces <= settings_.pieces; ++pieces)
            if (pieces == settings_.pieces || pieces >= max_pieces_in_first_file)
                if (auto error = join(pieces)) return *error;
        return true;
    }

    Result<bool> build_one() {
        DEFIANCE_ASSERT(settings_.only && settings_.threads >= 1);
        for (int pieces = 2; pieces <= max_pieces_with_all_dtw; ++pieces)
            for (const Material& material : pairs_of(pieces))
                solve_slices<Rules>(material, slices_, {settings_.threads, true, nullptr});
        monitor_.begin(work_on(*settings_.only));
        if (auto error = build_pair(*settings_.only)) return *error;
        return true;
    }

private:
    using Failure = std::optional<Error>;

    [[nodiscard]] std::string part_path(const Material& material) const {
        return defiance::part_path<Rules>(settings_.folder, material);
    }

    /// True when a pair was finished by an earlier call.
    [[nodiscard]] bool is_done(const Material& material) const {
        const Result<MappedFile> file = MappedFile::open(part_path(material));
        if (!file) return false;
        const auto parts = database_file::parts_of(file->bytes(), identity_);
        return parts && std::all_of(parts->begin(), parts->end(), database_file::is_intact);
    }

    /// Slices with few pieces are solved again by each call; larger ones and parts are stored.
    [[nodiscard]] bool is_kept(const Material& material) const {
        return settings_.is_part || material.total() > max_pieces_with_all_dtw;
    }

    /// The largest arrays are those of one pair; what was finished before it is in files.
    Failure build_pair(const Material& material) {
        try {
            return build_in_memory(material);
        } catch (const std::bad_alloc&) {
        } catch (const std::length_error&) {  // more than an address can tell apart
        }
        return Error{"there is not enough memory for " + to_text(material) +
                     "; what was finished before it stays"};
    }

    Failure build_in_memory(const Material& material) {
        if (is_kept(material) && is_done(material) && has_solved(material) &&
            has_solved(material.swapped())) {
            monitor_.skip(work_on(material));
            return std::nullopt;
        }
        const std::uint64_t before = monitor_.done();
        if (take_solved(material))
            monitor_.skip(work_to_solve(material));
        else if (auto error = solve(material))
            return error;
        monitor_.done() = before + work_to_solve(material);
        const std::vector<std::uint8_t> file = pack(material);
        monitor_.done() = before + work_on(material);
        // Written last, because its presence means that the pair is complete.
        return write_file(part_path(material), as_text(file));
    }

    /// Takes both slices of a pair from the files of an earlier call, if it left them.
    [[nodiscard]] bool take_solved(const Material& material) {
        if (!is_kept(material)) return false;
        const std::set pair = {material, material.swapped()};
        for (const Material& m : pair)
            if (!file_exists(solved_file_path<Rules>(settings_.folder, m))) return false;
        if (material.total() > max_pieces_in_first_file)
            slices_.keep([&](const Material& m) { return !is_kept(m); });
        for (const Material& m : pair) {
            auto slice = load(m);
            if (!slice) return false;
            slices_.add(*std::move(slice));
        }
        return true;
    }

    /// Solves a pair and keeps the slices where they are to be kept.
    Failure solve(const Material& material) {
        if (auto error = load_successors(material)) return error;
        solve_slices<Rules>(material, slices_,
                            {settings_.threads, has_dtw_kept<Rules>(material), &monitor_.done()});
        if (is_kept(material))
            for (const Material& m : std::set{material, material.swapped()})
                if (auto error = save_solved(solved_file_path<Rules>(settings_.folder, m),
                                             identity_, *slices_.find(m)))
                    return error;
        return std::nullopt;
    }

    [[nodiscard]] Result<std::unique_ptr<SolvedSlice>> load(const Material& material) const {
        return load_built<Rules>(settings_.folder, identity_, material);
    }

    [[nodiscard]] bool has_solved(const Material& material) const {
        return static_cast<bool>(load(material));
    }

    /// Loads every slice that the moves of a pair lead to and, where memory is short, drops others.
    Failure load_successors(const Material& material) {
        std::set<Material> wanted;
        for (const Material& m : {material, material.swapped()})
            for (const Material& next : successors_of(m))
                wanted.insert({next, next.swapped()});
        if (material.total() > max_pieces_in_first_file)
            slices_.keep([&](const Material& m) { return !is_kept(m) || wanted.contains(m); });
        for (const Material& m : wanted) {
            if (slices_.find(m) != nullptr) continue;
            auto slice = load(m);
            if (!slice) return Error{"first " + to_text(m) + " must be solved: " + slice.error()};
            slices_.add(*std::move(slice));
        }
        return std::nullopt;
    }

    /// The database file of a pair: values, and plies if it has them, of the material that takes
    /// less room.
    [[nodiscard]] std::vector<std::uint8_t> pack(const Material& material) const {
        DEFIANCE_ASSERT(slices_.find(material) != nullptr);
        const auto [slice, values] =
            pack_values<Rules>(*slices_.find(material), *slices_.find(material.swapped()),
                               {settings_.threads, &monitor_.done()});
        const Material& kept = slice->index().material();
        DEFIANCE_ASSERT(kept == material || kept == material.swapped());
        std::vector<DatabasePart> parts = {{kept, Content::values, 0, values}};
        std::vector<std::uint8_t> plies;
        if (slice->has_dtw()) plies = pack_dtw<Rules>(*slice, settings_.threads);
        if (!plies.empty())
            parts.push_back({kept, Content::dtw, 0, plies});
        else if (slice->has_dtw())
            monitor_.note(to_text(kept) + ": more plies than a file can hold, left out");
        return database_file::assemble(identity_, parts);
    }

    /// Makes one file of the values of the pairs, and one of their plies.
    Failure join(int pieces) {
        if (pieces > max_pieces_in_one_file) return std::nullopt;
        DEFIANCE_ASSERT(pieces >= 2);
        std::vector<MappedFile> files;
        std::vector<DatabasePart> values;
        std::vector<DatabasePart> plies;
        const int least = pieces > max_pieces_in_first_file ? pieces : 2;
        for (int n = least; n <= pieces; ++n)
            for (const Material& material : pairs_of(n)) {
                if (!file_exists(part_path(material)))
                    return file_error(part_path(material), "has not been built yet");
                Result<MappedFile> file = MappedFile::open(part_path(material));
                if (!file) return Error{file.error()};
                const auto found = database_file::parts_of(file->bytes(), identity_);
                if (!found) return Error{part_path(material) + ": " + found.error()};
                for (const DatabasePart& part : *found) {
                    // The file that is written gets checksums of its own, which would hide it.
                    if (!database_file::is_intact(part))
                        return file_error(part_path(material),
                                          "is damaged; delete it and build it again");
                    (part.content == Content::values ? values : plies).push_back(part);
                }
                files.push_back(*std::move(file));
            }
        // The values last, because a plan takes their presence for the end of the work.
        Failure failure;
        if (!plies.empty()) failure = write(dtw_file_name<Rules>(pieces), plies);
        if (!failure) failure = write(database_file_name<Rules>(pieces), values);
        return failure;
    }

    Failure write(const std::string& name, const std::vector<DatabasePart>& parts) {
        DEFIANCE_ASSERT(!name.empty() && !parts.empty());
        const std::string path = settings_.folder + name;
        const std::vector<std::uint8_t> bytes = database_file::assemble(identity_, parts);
        // Windows lets no file go that an open CheckerBoard uses; an equal one need not go.
        if (has_content(path, bytes)) {
            monitor_.note("unchanged: " + path);
            return std::nullopt;
        }
        if (auto error = write_file(path, as_text(bytes))) {
            if (file_exists(path))
                error->text += "; if CheckerBoard is using it, close CheckerBoard";
            return error;
        }
        monitor_.note("written: " + path + ", " + std::to_string(bytes.size()) + " bytes");
        return std::nullopt;
    }

    const BuildSettings& settings_;
    BuildMonitor& monitor_;
    database_file::Identity identity_;
    SolvedSlices slices_;
};

}  // namespace

template <class Rules>
std::string part_path(const std::string& folder, const Material& material) {
    const bool is_joined = material.total() <= max_pieces_in_one_file;
    return folder + (is_joined ? "work/" : "") + database_file_name<Rules>(material);
}

template <class Rules>
Result<bool> join_database(const BuildSettings& settings, BuildMonitor& monitor) {
    return Builder<Rules>(settings, monitor).join_all();
}

template <class Rules>
Result<bool> build_database(const BuildSettings& settings, BuildMonitor& monitor) {
    for (const std::string& folder : {settings.folder, settings.folder + "work"})
        if (auto error = create_folder(folder)) return *std::move(error);
    Builder<Rules> builder(settings, monitor);
    if (!settings.only) return builder.build_all();
    return settings.is_part ? builder.build_part() : builder.build_one();
}

template std::string part_path<DEFIANCE_GAME>(const std::string&, const Material&);
template Result<bool> join_database<DEFIANCE_GAME>(const BuildSettings&, BuildMonitor&);

template Result<bool> build_database<DEFIANCE_GAME>(const BuildSettings&, BuildMonitor&);

}  // namespace defiance
