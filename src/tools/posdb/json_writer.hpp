#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace defiance {

/// A number of JSON. A character is none, and a truth value has words of its own.
template <class Value>
concept JsonNumber =
    std::integral<Value> && !std::same_as<Value, bool> && !std::same_as<Value, char> &&
    !std::same_as<Value, wchar_t> && !std::same_as<Value, char8_t> &&
    !std::same_as<Value, char16_t> && !std::same_as<Value, char32_t>;

/// Writes one JSON object or array. begin and end must be called in pairs, and in an object key()
/// before each value.
class JsonWriter {
public:
    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }

    void key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    template <JsonNumber Number>
    void value(Number number) {
        separate();
        text_ += std::to_string(number);
    }
    /// `true` or `false`. A template, so that no pointer turns into a truth value.
    template <std::same_as<bool> Truth>
    void value(Truth is_true) {
        separate();
        text_ += is_true ? "true" : "false";
    }

    /// A key and its value.
    template <class Value>
    void member(std::string_view name, const Value& content) {
        key(name);
        value(content);
    }

    [[nodiscard]] std::string take();

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void append_quoted(std::string_view text);

    std::string text_;
    bool needs_comma_ = false;
    int depth_ = 0;
};

}  // namespace defiance
