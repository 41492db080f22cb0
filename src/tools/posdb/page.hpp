#pragma once

#include <optional>
#include <string_view>

#include <tools/http/message.hpp>

namespace defiance {

/// A file of the page that a browser shows of the position database: a board to walk on. `/` is the
/// page itself. It asks `cdb` on the same server, so the folder it lies in does not matter.
///
/// The replies have headers that forbid scripts, styles and connections from elsewhere, and other
/// pages from showing this one. Nothing when there is no such file. May be called on any thread.
[[nodiscard]] std::optional<HttpResponse> page_file(std::string_view path);

/// True when page_file() has a file of this path.
[[nodiscard]] bool is_page_file(std::string_view path);

}  // namespace defiance
