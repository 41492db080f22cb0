#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/mapped_file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <defiance/egdb/database_file.hpp>
#include <defiance/egdb/endgames.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {
namespace {

void describe(const std::vector<DatabasePart>& parts, const std::string& name, std::size_t bytes) {
    std::uint64_t positions = 0;
    for (const DatabasePart& part : parts) {
        DEFIANCE_ASSERT(part.bytes.size() <= bytes);
        const std::uint64_t size = SliceIndex(part.material).size();
        const bool has_values = part.content == Content::values;
        if (has_values) positions += size;
        print_line(to_text(part.material) + (has_values ? " values" : " plies") + " positions " +
                   std::to_string(size) + " bytes " + std::to_string(part.bytes.size()));
    }
    print_line("file " + name + " slices " + std::to_string(parts.size()) + " positions " +
               std::to_string(positions) + " bytes " + std::to_string(bytes));
}

template <class Rules>
ExitCode describe_all(const Arguments& arguments) {
    const database_file::Identity identity = {static_cast<std::uint8_t>(Rules::game_type),
                                              rules_fingerprint<Rules>()};
    bool is_sound = true;
    const auto show = [&](std::span<const std::uint8_t> bytes, const std::string& name) {
        const auto parts = database_file::parts_of(bytes, identity);
        if (!parts) {
            print_note(name + ": " + parts.error());
            is_sound = false;
            return;
        }
        describe(*parts, name, bytes.size());
        for (const DatabasePart& part : *parts) {
            if (database_file::is_intact(part)) continue;
            print_note(name + ": " + to_text(part.material) + ": it is damaged");
            is_sound = false;
        }
    };
    const std::string folder = folder_given(arguments);
    if (folder.empty()) {
        for (const auto bytes : embedded_databases<Rules>())
            show(bytes, "(built in)");
    } else {
        bool is_empty = true;
        for (const std::string& name : database_file_names<Rules>()) {
            if (!file_exists(folder + name)) continue;
            is_empty = false;
            const Result<MappedFile> file = MappedFile::open(folder + name);
            if (!file) return fail("egdb info: " + file.error());
            show(file->bytes(), folder + name);
        }
        if (is_empty) {
            print_note("there is no database of this game in '" + shown(folder, 200) + "'");
            is_sound = false;
        }
    }
    return is_sound ? exit_done : exit_no;
}

}  // namespace

ExitCode describe_endgames(const Arguments& arguments) {
    if (const auto error = find_missing_folder(arguments)) return fail("egdb info: " + error->text);
    return with_rules(arguments, [&]<class Rules>() { return describe_all<Rules>(arguments); });
}

}  // namespace defiance
