#include <tools/posdb/json_writer.hpp>

#include <utility>

#include <defiance/base/assert.hpp>

namespace defiance {

void JsonWriter::key(std::string_view name) {
    separate();
    append_quoted(name);
    text_ += ':';
    needs_comma_ = false;
}

void JsonWriter::value(std::string_view text) {
    separate();
    append_quoted(text);
}

std::string JsonWriter::take() {
    DEFIANCE_ASSERT(depth_ == 0);
    needs_comma_ = false;
    return std::exchange(text_, {});
}

void JsonWriter::open(char bracket) {
    separate();
    text_ += bracket;
    needs_comma_ = false;
    ++depth_;
}

void JsonWriter::close(char bracket) {
    DEFIANCE_ASSERT(depth_ > 0);
    text_ += bracket;
    needs_comma_ = true;
    --depth_;
}

void JsonWriter::separate() {
    if (needs_comma_) text_ += ',';
    needs_comma_ = true;
}

void JsonWriter::append_quoted(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    text_ += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            text_ += '\\';
            text_ += c;
        } else if (byte < 0x20 || byte >= 0x7F) {
            // As Latin-1, which is valid whatever the bytes are.
            text_ += "\\u00";
            text_ += digits[byte >> 4];
            text_ += digits[byte & 15];
        } else {
            text_ += c;
        }
    }
    text_ += '"';
}

}  // namespace defiance
