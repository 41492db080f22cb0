#include <tools/posdb/permission.hpp>

#include <string>
#include <string_view>

namespace defiance {
namespace {

/// Whether the URL, or the beginning of one, is of the server under the name that was asked for.
bool is_of_this_server(std::string_view url, const HttpRequest& http) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (!url.starts_with(scheme)) continue;
        url.remove_prefix(scheme.size());
        return url.starts_with(http.host) &&
               (url.size() == http.host.size() || url[http.host.size()] == '/');
    }
    return false;
}

/// Whether a browser sends the request: all name themselves Mozilla. So do some libraries and
/// shells, but without the system in parentheses or the languages of the user. No page of another
/// server can leave these out.
bool is_of_browser(const HttpRequest& http) {
    const std::string_view agent = http.header("user-agent").value_or("");
    return agent.starts_with("Mozilla/") && agent.find('(') != std::string_view::npos &&
           http.header("accept-language");
}

/// Whether a page of another server has a browser send the request, as far as the browser tells. No
/// page can write the headers. The first is true also behind a web server that passes the request
/// on under another Host, but browsers send it only with encryption or to their own machine. The
/// second comes with what is posted. The third comes with the rest, but another page can have it
/// left out; so a browser that says nothing is not believed.
bool is_from_elsewhere(const HttpRequest& http) {
    if (const auto site = http.header("sec-fetch-site"))
        return *site != "same-origin" && *site != "none";
    if (const auto origin = http.header("origin")) return !is_of_this_server(*origin, http);
    if (const auto page = http.header("referer")) return !is_of_this_server(*page, http);
    return is_of_browser(http);
}

/// Whether a web server on this machine passes the request on for somebody else.
bool is_forwarded(const HttpRequest& http) {
    return http.header("forwarded") || http.header("x-forwarded-for") || http.header("via");
}

}  // namespace

bool is_allowed(Permission permission, const HttpRequest& http) {
    if (is_from_elsewhere(http)) return false;
    return permission == Permission::everybody ||
           (permission == Permission::local && http.from.is_loopback() && !is_forwarded(http));
}

}  // namespace defiance
