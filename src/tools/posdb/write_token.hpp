#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <defiance/base/result.hpp>

namespace defiance {

/// The secret that those share who may write scores.
///
/// A request to write has a token: the HMAC-SHA256, with the secret as key, of its parts with '|'
/// between, as hexadecimal digits. The secret itself never travels.
class WriteSecret {
public:
    /// Without one nobody may write.
    WriteSecret() = default;
    /// `text` must not be empty.
    explicit WriteSecret(std::string text);

    /// For a server: reads the secret from its file, or creates the file with a new one that only
    /// the user can read (see write_private_file()). Error: neither can be done, or what it has
    /// is shorter than 16 characters.
    static Result<WriteSecret> open(const std::string& path);
    /// For a worker: reads the secret from a copy of the file. Error: it cannot be read, or what it
    /// has is shorter than 16 characters.
    static Result<WriteSecret> read(const std::string& path);

    [[nodiscard]] std::string token(std::initializer_list<std::string_view> parts) const;
    [[nodiscard]] bool accepts(std::string_view token,
                               std::initializer_list<std::string_view> parts) const;

private:
    std::string text_;
};

/// The characters of a secret that WriteSecret::open() has made: hexadecimal digits.
inline constexpr std::size_t made_secret_digits = 64;

/// The file with the secret in the folder of a database.
inline constexpr std::string_view secret_file_name = "secret.txt";

/// Where a server tells programs on its machine which file has its secret.
inline constexpr std::string_view secret_path_page = "/secret-file";

/// Seconds since 1970, and whether a request that was signed then is recent: at most 300 s away.
[[nodiscard]] std::int64_t seconds_since_1970();
[[nodiscard]] bool is_recent(std::string_view time, std::int64_t now);

}  // namespace defiance
