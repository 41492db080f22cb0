#include <defiance/search/parameters.hpp>

#include <string>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {

const SearchParameter* find_search_parameter(std::string_view name) {
    for (const SearchParameter& parameter : search_parameters)
        if (parameter.name == name) return &parameter;
    return nullptr;
}

Error unknown_search_parameter(std::string_view name) {
    std::string text = "there is no search parameter '" + shown(name) + "', only";
    for (const SearchParameter& parameter : search_parameters)
        text += (&parameter == search_parameters.data() ? " " : ", ") + std::string(parameter.name);
    return Error{text};
}

std::optional<Error> set_search_parameter(SearchParameters& parameters, std::string_view name,
                                          std::string_view value) {
    const SearchParameter* parameter = find_search_parameter(name);
    if (parameter == nullptr) return unknown_search_parameter(name);
    DEFIANCE_ASSERT(parameter->min <= parameter->max);
    const auto number = parse_integer(value, parameter->min, parameter->max);
    if (!number)
        return Error{std::string(name) + " takes a whole number from " +
                     std::to_string(parameter->min) + " to " + std::to_string(parameter->max) +
                     ", not '" + shown(value) + "'"};
    parameters.*parameter->member = static_cast<int>(*number);
    return std::nullopt;
}

}  // namespace defiance
