#include <tools/posdb/page.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include <defiance/base/assert.hpp>

namespace defiance {
namespace {

constexpr std::uint8_t index_html[] = {
#include "index.html.inc"
};
constexpr std::uint8_t page_css[] = {
#include "page.css.inc"
};
constexpr std::uint8_t board_css[] = {
#include "board.css.inc"
};
constexpr std::uint8_t page_js[] = {
#include "page.js.inc"
};
constexpr std::uint8_t board_js[] = {
#include "board.js.inc"
};
constexpr std::uint8_t choice_js[] = {
#include "choice.js.inc"
};
constexpr std::uint8_t database_js[] = {
#include "database.js.inc"
};
constexpr std::uint8_t editor_js[] = {
#include "editor.js.inc"
};
constexpr std::uint8_t games_js[] = {
#include "games.js.inc"
};
constexpr std::uint8_t kept_game_js[] = {
#include "kept_game.js.inc"
};
constexpr std::uint8_t panel_js[] = {
#include "panel.js.inc"
};
constexpr std::uint8_t watch_js[] = {
#include "watch.js.inc"
};
constexpr std::uint8_t words_js[] = {
#include "words.js.inc"
};
constexpr std::uint8_t icon_svg[] = {
#include "icon.svg.inc"
};

struct PageFile {
    std::string_view path;
    std::string_view type;
    std::span<const std::uint8_t> bytes;
};

constexpr std::string_view html_type = "text/html; charset=utf-8";
constexpr std::string_view style_type = "text/css; charset=utf-8";
constexpr std::string_view script_type = "text/javascript; charset=utf-8";

constexpr std::array files = {
    PageFile{"/", html_type, index_html},
    PageFile{"/index.html", html_type, index_html},
    PageFile{"/page.css", style_type, page_css},
    PageFile{"/board.css", style_type, board_css},
    PageFile{"/page.js", script_type, page_js},
    PageFile{"/board.js", script_type, board_js},
    PageFile{"/choice.js", script_type, choice_js},
    PageFile{"/database.js", script_type, database_js},
    PageFile{"/editor.js", script_type, editor_js},
    PageFile{"/games.js", script_type, games_js},
    PageFile{"/kept_game.js", script_type, kept_game_js},
    PageFile{"/panel.js", script_type, panel_js},
    PageFile{"/watch.js", script_type, watch_js},
    PageFile{"/words.js", script_type, words_js},
    PageFile{"/icon.svg", "image/svg+xml", icon_svg},
};

/// What the page may load and do: everything of its own, nothing of others.
constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

auto find_file(std::string_view path) {
    return std::find_if(files.begin(), files.end(),
                        [&](const PageFile& known) { return known.path == path; });
}

}  // namespace

bool is_page_file(std::string_view path) {
    return find_file(path) != files.end();
}

std::optional<HttpResponse> page_file(std::string_view path) {
    const auto file = find_file(path);
    if (file == files.end()) return std::nullopt;
    DEFIANCE_ASSERT(!file->bytes.empty());
    HttpResponse response;
    response.type = file->type;
    response.body.assign(file->bytes.begin(), file->bytes.end());
    response.headers = {
        {"Content-Security-Policy", std::string(content_policy)},
        // By it the service knows its own page where browsers tell nothing else.
        {"Referrer-Policy", "same-origin"},
        // A newer program has a newer page.
        {"Cache-Control", "no-cache"},
    };
    return response;
}

}  // namespace defiance
