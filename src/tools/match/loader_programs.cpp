#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/random_access_file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/match/loader_programs.hpp>

namespace defiance {
namespace {

std::string existing(const std::vector<std::string>& candidates) {
    for (const std::string& path : candidates)
        if (file_exists(path)) return path;
    return {};
}

/// `defiance.exe` of another width: beside this program under a name of its own, or where a build
/// puts it.
std::string find_windows_program(const std::string& folder, const std::string& width) {
    return existing(
        {folder + "defiance" + width + ".exe", folder + "../../win" + width + "/bin/defiance.exe"});
}

/// The value of the first of these variables of the environment that is set and not empty.
std::string_view first_set(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const char* value = std::getenv(name); value != nullptr && *value != 0) return value;
    return {};
}

std::uint32_t little_endian(const std::string& bytes, std::size_t at, std::size_t count) {
    DEFIANCE_ASSERT(count <= 4 && at + count <= bytes.size());
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value |= std::uint32_t{static_cast<std::uint8_t>(bytes[at + i])} << (8 * i);
    return value;
}

}  // namespace

bool is_utf8_locale(std::string_view name) {
    // What follows a dot is the encoding; an @ ends it.
    std::string_view encoding = name.substr(std::min(name.find('.'), name.size()));
    encoding = encoding.substr(0, encoding.find('@'));
    return equal_ignoring_case(encoding, ".UTF-8") || equal_ignoring_case(encoding, ".utf8");
}

std::vector<std::string> wine_command() {
    std::vector<std::string> words = {"env", "WINEDEBUG=-all"};
    // Else Wine finds no file whose path has other letters than those of ASCII.
    if (!is_utf8_locale(first_set({"LC_ALL", "LC_CTYPE", "LANG"})))
        words.emplace_back("LC_ALL=C.UTF-8");
    words.emplace_back("wine");
    return words;
}

LoaderPrograms find_loader_programs() {
    const std::string own = module_path();
    const std::string folder = folder_of(own);
    const bool is_windows = kind_of_engine_file(own) != EngineFile::elf;
    LoaderPrograms programs;
    programs.own = {own};
    const auto add = [&](std::vector<std::string>& words, EngineFile kind,
                         const std::string& width) {
        if (kind_of_engine_file(own) == kind) {
            words = {own};
            return;
        }
        const std::string path = find_windows_program(folder, width);
        if (path.empty()) return;
        if (!is_windows) words = wine_command();
        words.push_back(path);
    };
    add(programs.win32, EngineFile::win32, "32");
    add(programs.win64, EngineFile::win64, "64");
    return programs;
}

Result<LoaderPrograms> read_loader_programs(const Arguments& arguments) {
    LoaderPrograms programs = find_loader_programs();
    for (const std::string_view option : {"host32", "host64"}) {
        const auto text = arguments.text(option);
        if (!text) continue;
        const auto words = split_command(*text);
        if (!words || words->empty())
            return Error{"--" + std::string(option) + ": a command is needed"};
        (option == "host32" ? programs.win32 : programs.win64) = *words;
    }
    return programs;
}

EngineFile kind_of_engine_file(const std::string& path) {
    const Result<RandomAccessFile> file = RandomAccessFile::open(path);
    if (!file) return EngineFile::absent;
    // The header of a Windows file begins where the number at 0x3C says, with its signature and the
    // kind of processor (Microsoft, PE Format).
    constexpr std::size_t header_at = 0x3C;
    std::string bytes(4096, '\0');
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), bytes.size()));
    if (!file->read_at(0, {reinterpret_cast<std::uint8_t*>(bytes.data()), size}))
        return EngineFile::absent;
    if (bytes.compare(0, 4,
                      "\x7F"
                      "ELF") == 0)
        return EngineFile::elf;
    if (bytes.compare(0, 2, "MZ") != 0) return EngineFile::other;
    const std::uint32_t at = little_endian(bytes, header_at, 4);
    if (at > bytes.size() - 6 || bytes.compare(at, 4, std::string("PE\0\0", 4)) != 0)
        return EngineFile::other;
    switch (little_endian(bytes, at + 4, 2)) {
        case 0x014C:
            return EngineFile::win32;
        case 0x8664:
            return EngineFile::win64;
        default:
            return EngineFile::other;
    }
}

Result<std::vector<std::string>> loader_command(const LoaderPrograms& programs,
                                                const std::string& path) {
    std::vector<std::string> words;
    switch (kind_of_engine_file(path)) {
        case EngineFile::absent:
            return Error{"the file '" + shown(path, 200) + "' cannot be opened"};
        case EngineFile::win32:
            words = programs.win32;
            break;
        case EngineFile::win64:
            words = programs.win64;
            break;
        default:
            words = programs.own;  // its error message tells what is wrong with the file
    }
    if (words.empty())
        return Error{
            "'" + shown(path, 200) +
            "' needs a defiance.exe of its own width, which is not there; see --host32 and "
            "--host64"};
    words.insert(words.end(), {"host", path});
    DEFIANCE_ASSERT(words.size() >= 3);
    return words;
}

std::string usual_folder(const std::string& file) {
    std::string folder = folder_of(file);
    DEFIANCE_ASSERT(folder.size() <= file.size());
    if (!folder.empty()) folder.pop_back();
    if (!is_same_name(std::string_view(folder).substr(folder_of(folder).size()), "engines"))
        return {};
    return folder_of(folder);
}

}  // namespace defiance
