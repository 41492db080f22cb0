#include "stored_options.hpp"

#include <optional>
#include <span>
#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/encoding.hpp>
#include <defiance/base/text.hpp>
#include <defiance/search/search.hpp>

namespace defiance {
namespace {

bool is_on(const std::optional<std::string>& text, bool otherwise) {
    if (!text || (*text != "0" && *text != "1")) return otherwise;
    return *text == "1";
}

struct StoredValue {
    const char* name;
    std::string value;
};

void save_one(SettingsStore& settings, std::span<const StoredValue> values, std::string_view name) {
    for (const StoredValue& stored : values)
        if (name == stored.name) return settings.save(stored.name, stored.value);
    DEFIANCE_ASSERT(!"every option that is stored has its line");
}

}  // namespace

std::string stored_path(SettingsStore& settings, const char* name) {
    std::string path = settings.load(name).value_or("");
    return ansi_from_utf8(path).size() <= max_option_path ? path : std::string();
}

EndgameOptions stored_endgame_options(SettingsStore& settings) {
    EndgameOptions options;
    const auto number = [&](const char* name, std::int64_t max, std::int64_t otherwise) {
        const auto text = settings.load(name);
        return (text ? parse_integer(*text, 0, max) : std::nullopt).value_or(otherwise);
    };
    options.folder = stored_path(settings, "dbpath");
    options.distance_folder = stored_path(settings, "mtcpath");
    options.mebibytes =
        static_cast<std::uint32_t>(number("dbmbytes", max_database_mebibytes, options.mebibytes));
    options.max_pieces =
        static_cast<int>(number("max_dbpieces", max_database_pieces, options.max_pieces));
    options.is_on = is_on(settings.load("enable_wld"), options.is_on);
    options.use_distances = is_on(settings.load("enable_mtc"), options.use_distances);
    return options;
}

void store_endgame_option(SettingsStore& settings, const EndgameOptions& options,
                          std::string_view name) {
    const StoredValue values[] = {
        {"dbpath", options.folder},
        {"mtcpath", options.distance_folder},
        {"dbmbytes", std::to_string(options.mebibytes)},
        {"max_dbpieces", std::to_string(options.max_pieces)},
        {"enable_wld", options.is_on ? "1" : "0"},
        {"enable_mtc", options.use_distances ? "1" : "0"},
    };
    save_one(settings, values, name);
}

Options stored_options(SettingsStore& settings) {
    Options options;
    const auto number = [&](const char* name, std::int64_t min, std::int64_t max) {
        const auto text = settings.load(name);
        return text ? parse_integer(*text, min, max) : std::nullopt;
    };
    if (const auto size = number("hashsize", 1, max_hash_mebibytes_for(sizeof(void*))))
        options.hash_mebibytes = static_cast<std::uint32_t>(*size);
    if (const auto policy = number("claim", 0, max_claim_policy))
        options.claim = static_cast<ClaimPolicy>(*policy);
    if (const auto use = number("book", 0, max_book_use)) options.book = static_cast<BookUse>(*use);
    if (const auto threads = number("searchthreads", 1, max_search_threads))
        options.search_threads = static_cast<int>(*threads);
    if (const auto name = settings.load("hintpolicy"))
        options.hint_policy = find_hint_policy(*name).value_or(options.hint_policy);
    options.all_scores = is_on(settings.load("allscores"), options.all_scores);
    options.solve = is_on(settings.load("solve"), options.solve);
    return options;
}

void store_option(SettingsStore& settings, const Options& options, std::string_view name) {
    const StoredValue values[] = {
        {"hashsize", std::to_string(options.hash_mebibytes)},
        {"claim", std::to_string(static_cast<int>(options.claim))},
        {"book", std::to_string(static_cast<int>(options.book))},
        {"searchthreads", std::to_string(options.search_threads)},
        {"hintpolicy", std::string(name_of(options.hint_policy))},
        {"allscores", options.all_scores ? "1" : "0"},
        {"solve", options.solve ? "1" : "0"},
    };
    save_one(settings, values, name);
}

}  // namespace defiance
