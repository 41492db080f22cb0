#include <tools/match/engine_protocol.hpp>

#include <defiance/base/assert.hpp>

namespace defiance::engine_line {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr int no_piece_code = 99;

struct Escape {
    char byte;
    char letter;
};
constexpr Escape escapes[] = {{'\n', 'n'}, {'\r', 'r'}, {'\0', '0'}, {'\\', '\\'}};

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        char letter = 0;
        for (const Escape& escape : escapes)
            if (escape.byte == c) letter = escape.letter;
        if (letter != 0) result += '\\';
        result += letter != 0 ? letter : c;
    }
    return result;
}

std::string unescaped(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '\\' && i + 1 < text.size()) {
            c = text[++i];
            for (const Escape& escape : escapes)
                if (escape.letter == text[i]) c = escape.byte;
        }
        result += c;
    }
    return result;
}

std::string board_text(const CbBoard& board) {
    std::string text;
    for (const auto& column : board.squares)
        for (const int code : column)
            text += code >= 0 && code < 16 ? digits[static_cast<std::size_t>(code)] : 'x';
    DEFIANCE_ASSERT(text.size() == 64);
    return text;
}

std::optional<CbBoard> parse_board(std::string_view text) {
    DEFIANCE_ASSERT(digits.size() == 16);
    if (text.size() != 64) return std::nullopt;
    CbBoard board;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t code = digits.find(text[i]);
        if (code == std::string_view::npos && text[i] != 'x') return std::nullopt;
        board.squares[i / 8][i % 8] = text[i] == 'x' ? no_piece_code : static_cast<int>(code);
    }
    return board;
}

}  // namespace defiance::engine_line
