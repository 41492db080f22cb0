#pragma once

#include <tools/http/message.hpp>

namespace defiance {

/// Who may do something.
enum class Permission {
    nobody,
    local,  ///< programs on this machine
    everybody
};

/// Whether the sender of a request may. Nobody may on behalf of a page from elsewhere, which a
/// browser shows: a browser must tell that the page is one of this server. What a web server on
/// this machine passes on, and says so in a header, is not local.
[[nodiscard]] bool is_allowed(Permission permission, const HttpRequest& http);

}  // namespace defiance
