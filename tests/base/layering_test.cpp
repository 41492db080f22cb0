#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// A layer and the layers whose headers it may include; its own always.
struct Layer {
    std::string_view name;
    std::vector<std::string_view> below;
};

const std::vector<Layer>& layers() {
    static const std::vector<Layer> table = {
        {"base", {}},
        {"rules", {"base"}},
        {"eval", {"base", "rules"}},
        {"egdb", {"base", "rules"}},
        {"book", {"base", "rules"}},
        {"search", {"base", "rules", "eval", "egdb"}},
        {"engine", {"base", "rules", "eval", "egdb", "book", "search"}},
        {"cb", {"base", "rules", "eval", "egdb", "book", "search", "engine"}},
        {"tools", {"base", "rules", "eval", "egdb", "book", "search", "engine", "cb"}},
    };
    return table;
}

/// The folders of the tools and those whose headers they may include; their own always.
const std::vector<Layer>& tool_folders() {
    static const std::vector<Layer> table = {
        {"support", {}},
        {"http", {}},
        {"store", {"http"}},
        {"posdb", {"support", "http", "store"}},
        {"expansion", {"support", "http", "store", "posdb"}},
        {"maintenance", {"support", "http", "store", "posdb"}},
        {"book", {"support", "http", "store", "posdb", "expansion"}},
        {"match", {"support", "http", "store", "posdb"}},
        {"check", {"support", "match"}},
        {"training", {"support"}},
        {"egdb", {"support"}},
        {"bench", {"support"}},
        {"tuning", {"support", "match", "training"}},
    };
    return table;
}

/// The one header outside the base that may ask which system it is built for: the calling
/// convention of the exports depends on it.
constexpr std::string_view border_header = "defiance/cb/api.hpp";

bool starts_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The folder below include/defiance or src that the file lies in.
std::string_view layer_of(std::string_view file) {
    for (const std::string_view root : {"include/defiance/", "src/"}) {
        if (!starts_with(file, root)) continue;
        const std::string_view rest = file.substr(root.size());
        return rest.substr(0, rest.find('/'));
    }
    return {};
}

const Layer* find_layer(const std::vector<Layer>& table, std::string_view name) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Layer& layer) { return layer.name == name; });
    return found == table.end() ? nullptr : &*found;
}

bool may_include(const Layer& layer, std::string_view target) {
    return target == layer.name ||
           std::find(layer.below.begin(), layer.below.end(), target) != layer.below.end();
}

/// The folder of the tools that src/`path` or <`path`> lies in; empty for one that lies in none.
std::string_view tool_folder_of(std::string_view path) {
    constexpr std::string_view root = "tools/";
    if (!starts_with(path, root)) return {};
    const std::string_view rest = path.substr(root.size());
    const std::size_t end = rest.find('/');
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

/// Why this file of the tools may not include <header>, or an empty text. The verbs, which lie in
/// no folder, may include all.
std::string problem_between_tools(std::string_view file, std::string_view header) {
    const std::string_view folder = tool_folder_of(file.substr(4));
    if (folder.empty()) return {};
    const Layer* const layer = find_layer(tool_folders(), folder);
    if (layer == nullptr) return "the folder is not in the table of the tools";
    const std::string_view target = tool_folder_of(header);
    return target.empty() || may_include(*layer, target)
               ? std::string()
               : "tools/" + std::string(folder) + " includes " + std::string(header);
}

/// The word after the # of a preprocessor line and what follows it; both empty for other lines.
struct Directive {
    std::string_view name;
    std::string_view rest;
};

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

Directive directive_of(std::string_view line) {
    line = without_blanks(line);
    if (!starts_with(line, "#")) return {};
    line = without_blanks(line.substr(1));
    const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    return {line.substr(0, end),
            end == std::string_view::npos ? std::string_view{} : without_blanks(line.substr(end))};
}

bool asks_for_the_system(std::string_view condition) {
    constexpr std::array<std::string_view, 14> words = {
        "_WIN",  "_MSC_",  "__MINGW", "__CYGWIN", "__linux", "__unix", "__APPLE",
        "_M_IX", "_M_X64", "_M_AMD",  "_M_ARM",   "__x86",   "__i386", "__GNUC"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return contains(condition, word); });
}

/// Why the layer may not include <header>, or an empty text.
std::string problem_of_header(const Layer& layer, std::string_view header) {
    if (starts_with(header, "defiance/")) {
        const std::string_view rest = header.substr(9);
        const std::string_view target = rest.substr(0, rest.find('/'));
        if (may_include(layer, target)) return {};
        return std::string(layer.name) + " includes " + std::string(header);
    }
    // The headers of the tools stand beside their sources.
    if (starts_with(header, "tools/"))
        return layer.name == "tools" ? std::string()
                                     : std::string(layer.name) + " includes " + std::string(header);
    // The headers of the C++ library have neither folder nor extension.
    if (layer.name != "base" && header.find_first_of("./") != std::string_view::npos)
        return std::string(layer.name) + " includes the system's " + std::string(header);
    return {};
}

std::string problem_of_include(const Layer& layer, std::string_view target) {
    const std::string_view inner = target.substr(std::min<std::size_t>(1, target.size()));
    if (starts_with(target, "<")) return problem_of_header(layer, inner.substr(0, inner.find('>')));
    if (starts_with(target, "\"")) {
        const std::string_view file = inner.substr(0, inner.find('"'));
        // A private header lies beside the file, or in another folder of the layer:
        // egdb/codec/x.hpp.
        const std::string_view folder = file.substr(0, file.rfind('/'));
        const bool is_beside = !contains(file, "/");
        const bool is_in_layer =
            starts_with(folder, std::string(layer.name) + "/") && !contains(folder, "..");
        return is_beside || is_in_layer ? std::string()
                                        : "an include of another layer's " + std::string(file);
    }
    // The build names the header of the game that templates are instantiated for.
    const bool is_game = starts_with(target, "DEFIANCE_GAME_HEADER");
    return is_game && may_include(layer, "rules") ? std::string() : "an include without a name";
}

/// What the line of this file does against the layers, or an empty text.
std::string find_violation(std::string_view file, std::string_view line) {
    const Layer* layer = find_layer(layers(), layer_of(file));
    if (layer == nullptr) return "the file lies in no layer";
    const Directive directive = directive_of(line);
    if (directive.name == "include") {
        const std::string problem = problem_of_include(*layer, directive.rest);
        if (!problem.empty() || layer->name != "tools" || !starts_with(directive.rest, "<"))
            return problem;
        return problem_between_tools(file, directive.rest.substr(1, directive.rest.find('>') - 1));
    }
    const bool is_condition =
        starts_with(directive.name, "if") || starts_with(directive.name, "elif");
    const bool may_ask = layer->name == "base" || file == "include/" + std::string(border_header);
    if (is_condition && !may_ask && asks_for_the_system(directive.rest))
        return std::string(layer->name) + " asks for the system";
    if (layer->name != "base" && contains(line, "std::shared_mutex"))
        return "std::shared_mutex does not always lock on Windows: use SharedMutex of base";
    return {};
}

std::vector<std::string> violations_below(const std::filesystem::path& root,
                                          const std::string& folder, int& lines) {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".hpp" && extension != ".cpp" && extension != ".inc") continue;
        const std::string file = entry.path().lexically_relative(root).generic_string();
        std::ifstream stream(entry.path());
        int number = 0;
        for (std::string line; std::getline(stream, line);) {
            ++number;
            const std::string problem = find_violation(file, line);
            if (problem.empty()) continue;
            found.push_back(file + ":" + std::to_string(number) + ": " + problem);
        }
        lines += number;
    }
    return found;
}

}  // namespace

TEST_CASE("no file includes or asks what its layer may not", "[layers]") {
    const std::filesystem::path root = DEFIANCE_SOURCE_DIR;
    for (const char* folder : {"include", "src"}) {
        int lines = 0;
        const std::vector<std::string> violations = violations_below(root, folder, lines);
        for (const std::string& violation : violations)
            UNSCOPED_INFO(violation);
        CHECK(violations.empty());
        CHECK(lines > 500);
    }
}

TEST_CASE("an include against the layers is found", "[layers]") {
    const auto refused = [](std::string_view file, std::string_view line) {
        return !find_violation(file, line).empty();
    };
    CHECK(refused("include/defiance/rules/a.hpp", "#include <defiance/search/search.hpp>"));
    CHECK(refused("src/rules/a.cpp", "  #  include <defiance/eval/evaluate.hpp>"));
    CHECK(refused("src/eval/a.cpp", "#include <defiance/egdb/tables.hpp>"));
    CHECK(refused("src/base/a.cpp", "#include <defiance/rules/board.hpp>"));
    CHECK(refused("src/egdb/a.cpp", "#include <defiance/book/book.hpp>"));
    CHECK(refused("src/book/a.cpp", "#include <defiance/eval/evaluate.hpp>"));
    CHECK(refused("src/search/a.cpp", "#include <defiance/book/book.hpp>"));
    CHECK(refused("src/engine/a.cpp", "#include <defiance/cb/api.hpp>"));
    CHECK(refused("src/cb/a.cpp", "#include <tools/verbs.hpp>"));
    CHECK(refused("src/base/a.cpp", "#include <tools/verbs.hpp>"));
    CHECK(refused("src/tools/support/a.cpp", "#include <tools/match/referee.hpp>"));
    CHECK(refused("src/tools/training/a.hpp", "#include <tools/match/referee.hpp>"));
    CHECK(refused("src/tools/nowhere/a.hpp", "#include <tools/support/games.hpp>"));
    CHECK(refused("src/base/a.cpp", "#include <defiance/nowhere/board.hpp>"));
    CHECK(refused("src/rules/a.cpp", "#include \"../search/worker.hpp\""));
    CHECK(refused("src/search/a.cpp", "#include \"egdb/codec/position_features.hpp\""));
    CHECK(refused("src/egdb/probe/a.cpp", "#include \"egdb/../search/worker.hpp\""));
    CHECK(refused("src/egdb/probe/a.cpp", "#include \"codec/position_features.hpp\""));
    CHECK(refused("src/rules/a.cpp", "#include ANY_HEADER"));
    for (const char* header : {"windows.h", "unistd.h", "sys/stat.h", "dlfcn.h", "cpuid.h",
                               "intrin.h", "immintrin.h", "io.h"})
        CHECK(refused("src/cb/a.cpp", "#include <" + std::string(header) + ">"));
    CHECK(refused("src/main.cpp", "int main() {}"));
    CHECK(refused("src/nowhere/a.cpp", ""));
}

TEST_CASE("a question about the system outside the base is found", "[layers]") {
    for (const char* line : {"#ifdef _WIN32", "#if defined(_MSC_VER)", "# ifndef __GNUC__",
                             "#elif defined(__linux__)", "#if X && defined(__x86_64__)"}) {
        CHECK_FALSE(find_violation("src/engine/a.cpp", line).empty());
        CHECK_FALSE(find_violation("include/defiance/cb/status.hpp", line).empty());
        CHECK(find_violation("src/base/a.cpp", line).empty());
        CHECK(find_violation("include/defiance/cb/api.hpp", line).empty());
    }
}

TEST_CASE("a mutex that does not always lock is found", "[layers]") {
    CHECK_FALSE(find_violation("src/tools/store/a.hpp", "    std::shared_mutex mutex_;").empty());
    CHECK(find_violation("src/tools/store/a.hpp", "    SharedMutex mutex_;").empty());
    CHECK(find_violation("include/defiance/base/a.hpp", "std::shared_mutex;").empty());
}

TEST_CASE("what the layers allow is let through", "[layers]") {
    const auto allowed = [](std::string_view file, std::string_view line) {
        return find_violation(file, line).empty();
    };
    CHECK(allowed("src/rules/a.cpp", "#include <defiance/base/bitboard.hpp>"));
    CHECK(allowed("src/rules/a.cpp", "#include <defiance/rules/board.hpp>"));
    CHECK(allowed("src/search/a.cpp", "#include <defiance/egdb/tables.hpp>"));
    CHECK(allowed("src/search/a.cpp", "#include \"worker.hpp\""));
    CHECK(allowed("src/egdb/probe/a.cpp", "#include \"egdb/codec/position_features.hpp\""));
    CHECK(allowed("src/engine/a.cpp", "#include <defiance/book/book.hpp>"));
    CHECK(allowed("src/tools/a.cpp", "#include <defiance/cb/api.hpp>"));
    CHECK(allowed("src/tools/a.cpp", "#include <tools/verbs.hpp>"));
    CHECK(allowed("src/tools/a.cpp", "#include <tools/match/referee.hpp>"));
    CHECK(allowed("src/tools/tuning/a.cpp", "#include <tools/match/referee.hpp>"));
    CHECK(allowed("src/tools/tuning/a.cpp", "#include <tools/tuning/spsa.hpp>"));
    CHECK(allowed("src/tools/tuning/a.cpp", "#include <defiance/cb/api.hpp>"));
    CHECK(allowed("src/cb/a.cpp", "#include DEFIANCE_GAME_HEADER"));
    CHECK(allowed("src/rules/a.cpp", "#include DEFIANCE_GAME_HEADER"));
    CHECK_FALSE(allowed("src/base/a.cpp", "#include DEFIANCE_GAME_HEADER"));
    CHECK_FALSE(allowed("src/cb/a.cpp", "#include SOME_HEADER"));
    CHECK(allowed("src/cb/a.cpp", "#include <cstdint>"));
    CHECK(allowed("src/base/a.cpp", "#include <windows.h>"));
    CHECK(allowed("src/rules/a.cpp", "#ifdef NDEBUG"));
    CHECK(allowed("src/rules/a.cpp", "// #include <windows.h> would be wrong here"));
    CHECK(allowed("src/rules/a.cpp", "const char* text = \"_WIN32\";"));
}
