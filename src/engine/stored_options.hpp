#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include <defiance/base/settings.hpp>
#include <defiance/base/text.hpp>
#include <defiance/engine/endgame_keeper.hpp>
#include <defiance/engine/options.hpp>
#include <defiance/search/search.hpp>

// The options as they are stored: a table with a row for each member of Options, and one for
// EndgameOptions. What is missing or out of bounds has its default.
namespace defiance {

/// A row of the table: how a member of `Group` is stored.
template <class Group>
struct StoredOption {
    std::string_view name;
    std::string (*text_of)(const Group& options);
    /// Takes the value that the text tells; none when it is out of bounds or no value at all.
    void (*take)(Group& options, const std::string& text);
};

/// Whether a path is no longer than any that can be set.
[[nodiscard]] bool is_option_path(const std::string& path);

namespace detail {

template <class Member>
struct MemberParts;
template <class G, class V>
struct MemberParts<V G::*> {
    using Group = G;
    using Value = V;
};

template <auto member>
using GroupOf = typename MemberParts<decltype(member)>::Group;

/// A number from `min` to `max`, or an enumeration by its numbers.
template <auto member, std::int64_t min, std::int64_t max>
[[nodiscard]] constexpr StoredOption<GroupOf<member>> stored_number(std::string_view name) {
    using Group = GroupOf<member>;
    using Value = typename MemberParts<decltype(member)>::Value;
    return {name,
            [](const Group& options) {
                return std::to_string(static_cast<std::int64_t>(options.*member));
            },
            [](Group& options, const std::string& text) {
                if (const auto value = parse_integer(text, min, max))
                    options.*member = static_cast<Value>(*value);
            }};
}

/// 0 or 1.
template <auto member>
[[nodiscard]] constexpr StoredOption<GroupOf<member>> stored_switch(std::string_view name) {
    using Group = GroupOf<member>;
    return {name, [](const Group& options) { return std::string(options.*member ? "1" : "0"); },
            [](Group& options, const std::string& text) {
                if (text == "0" || text == "1") options.*member = text == "1";
            }};
}

template <auto member>
[[nodiscard]] constexpr StoredOption<GroupOf<member>> stored_folder(std::string_view name) {
    using Group = GroupOf<member>;
    return {name, [](const Group& options) { return options.*member; },
            [](Group& options, const std::string& text) {
                if (is_option_path(text)) options.*member = text;
            }};
}

[[nodiscard]] constexpr StoredOption<Options> stored_hint_policy(std::string_view name) {
    return {name, [](const Options& options) { return std::string(name_of(options.hint_policy)); },
            [](Options& options, const std::string& text) {
                if (const auto policy = find_hint_policy(text)) options.hint_policy = *policy;
            }};
}

}  // namespace detail

inline constexpr StoredOption<Options> option_table[] = {
    detail::stored_number<&Options::hash_mebibytes, 1, max_hash_mebibytes_for(sizeof(void*))>(
        "hashsize"),
    detail::stored_switch<&Options::all_scores>("allscores"),
    detail::stored_switch<&Options::solve>("solve"),
    detail::stored_number<&Options::claim, 0, max_claim_policy>("claim"),
    detail::stored_hint_policy("hintpolicy"),
    detail::stored_number<&Options::book, 0, max_book_use>("book"),
    detail::stored_number<&Options::search_threads, 1, max_search_threads>("searchthreads"),
};

inline constexpr StoredOption<EndgameOptions> endgame_option_table[] = {
    detail::stored_folder<&EndgameOptions::folder>("dbpath"),
    detail::stored_folder<&EndgameOptions::distance_folder>("mtcpath"),
    detail::stored_number<&EndgameOptions::mebibytes, 0, max_database_mebibytes>("dbmbytes"),
    detail::stored_number<&EndgameOptions::max_pieces, 0, max_database_pieces>("max_dbpieces"),
    detail::stored_switch<&EndgameOptions::is_on>("enable_wld"),
    detail::stored_switch<&EndgameOptions::use_distances>("enable_mtc"),
};

/// The number of the row with this name; that of all rows when there is none.
template <class Group, std::size_t rows>
[[nodiscard]] constexpr std::size_t row_of(const StoredOption<Group> (&table)[rows],
                                           std::string_view name) {
    std::size_t row = 0;
    while (row < rows && table[row].name != name)
        ++row;
    return row;
}

/// The row with this name; null when there is none.
template <class Group, std::size_t rows>
[[nodiscard]] const StoredOption<Group>* find_option(const StoredOption<Group> (&table)[rows],
                                                     std::string_view name) {
    const std::size_t row = row_of(table, name);
    return row == rows ? nullptr : &table[row];
}

/// The name of a row of option_table. Another one does not compile, so that nothing can be stored
/// under a name that is never read.
class OptionName {
public:
    consteval OptionName(const char* name) : row_(row_of(option_table, name)) {
        if (row_ == std::size(option_table)) throw "no option has this name";
    }

    [[nodiscard]] const StoredOption<Options>& option() const { return option_table[row_]; }

private:
    // No pointer, which sanitizers do not compare before the program runs.
    std::size_t row_;
};

[[nodiscard]] Options stored_options(SettingsStore& settings);
/// Stores one option alone: another program may have changed the others.
template <class Group>
void store_option(SettingsStore& settings, const Group& options,
                  const StoredOption<Group>& option) {
    settings.save(std::string(option.name), option.text_of(options));
}
inline void store_option(SettingsStore& settings, const Options& options, OptionName name) {
    store_option(settings, options, name.option());
}

[[nodiscard]] EndgameOptions stored_endgame_options(SettingsStore& settings);
/// The same for an option of the databases, by the name of its row.
void store_endgame_option(SettingsStore& settings, const EndgameOptions& options,
                          std::string_view name);

/// A stored path; empty when there is none or it is longer than any that can be set.
[[nodiscard]] std::string stored_path(SettingsStore& settings, const char* name);

}  // namespace defiance
