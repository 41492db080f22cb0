#include <tools/posdb/write_token.hpp>

#include <chrono>
#include <cstdlib>
#include <random>
#include <utility>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <defiance/base/try_patiently.hpp>
#include <tools/posdb/sha256.hpp>

namespace defiance {
namespace {

constexpr std::size_t shortest_secret = 16;

std::string new_secret() {
    std::random_device source;
    std::string bytes;
    for (std::size_t i = 0; i < made_secret_digits / 2; ++i)
        bytes += static_cast<char>(source() & 0xFF);
    return to_hex(bytes);
}

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) {
        if (!text.empty()) text += '|';
        text += part;
    }
    return text;
}

/// The secret in a file. `advice` is for a user whose file has too short a one.
Result<WriteSecret> secret_in(const std::string& path, std::string_view advice) {
    constexpr std::size_t longest_file = 4096;
    Result<std::string> content = Error{};
    // Windows opens no file that another program is just giving its name.
    static_cast<void>(try_patiently([&] {
        content = read_file(path, longest_file);
        return content || !file_exists(path);
    }));
    if (!content) return Error{content.error()};
    const std::string secret(trimmed(*content));
    if (secret.size() < shortest_secret)
        return file_error(path, "has a secret of less than 16 characters; " + std::string(advice));
    return WriteSecret(secret);
}

}  // namespace

WriteSecret::WriteSecret(std::string text) : text_(std::move(text)) {
    DEFIANCE_ASSERT(!text_.empty());
}

Result<WriteSecret> WriteSecret::open(const std::string& path) {
    if (!file_exists(path)) {
        const auto problem = write_private_file(path, new_secret() + '\n');
        // Another program may have been faster.
        if (problem && !file_exists(path)) return *problem;
    }
    return secret_in(path, "when the file is deleted the server makes a new one");
}

Result<WriteSecret> WriteSecret::read(const std::string& path) {
    return secret_in(path, "copy it again from the server");
}

std::string WriteSecret::token(std::initializer_list<std::string_view> parts) const {
    DEFIANCE_ASSERT(!text_.empty());
    return to_hex(hmac_sha256(text_, joined(parts)));
}

bool WriteSecret::accepts(std::string_view token,
                          std::initializer_list<std::string_view> parts) const {
    return !text_.empty() && equal_in_constant_time(token, this->token(parts));
}

std::int64_t seconds_since_1970() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

bool is_recent(std::string_view time, std::int64_t now) {
    constexpr std::int64_t longest = 300;
    const auto then = parse_integer(time, 0, INT64_MAX / 2);
    return then && std::llabs(now - *then) <= longest;
}

}  // namespace defiance
