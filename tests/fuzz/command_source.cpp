#include "command_source.hpp"

#include <iterator>
#include <string_view>

namespace defiance::fuzz {
namespace {

constexpr std::string_view commands[] = {
    "name",
    "about",
    "get protocolversion",
    "get gametype",
    "get cpus",
    "get hashsize",
    "get allscores",
    "get solve",
    "get book",
    "get bookfile",
    "set book 1",
    "set bookfile no such file",
    "set bookfile",
    "set bookseed 7",
    "get evalfile",
    "set evalfile no such file",
    "set evalfile",
    "set gametype 21",
    "set claim 0",
    "set claim 1",
    "set claim 2",
    "get dbpath",
    "set dbpath no such folder",
    "set dbpath",
    "set mtcpath x/y",
    "set dbmbytes 0",
    "set dbmbytes 16",
    "set max_dbpieces 3",
    "set max_dbpieces 24",
    "set enable_wld 0",
    "set enable_wld 1",
    "set enable_mtc 0",
    "set check_wld_dir no such folder",
    "set check_mtc_dir no such folder",
    "set hashsize 8",
    "set hashsize 1",
    "set hashsize 0",
    "set allscores 1",
    "set allscores 0",
    "set solve 1",
    "set solve 0",
    "set book 3",
    "set searchthreads 2",
    "get depth",
    "get nodes",
    "set depth 3",
    "set depth 0",
    "set nodes 1000",
    "set nodes 0",
    "set parameter razoring_depth 12",
    "set parameter reduction_divisor 80",
    "set parameter iid_depth 4",
    "set parameter iid_depth 3",
    "set dbpath D:\\egdb 8pc",
    "set dbpath \"D:\\egdb 8pc\"",
    "get movelist B:W1:B",
    "get movelist B:W21-32:B1-12",
    "get movelist W:WK7:B10,11,18,19,2",
    "get movelist B:W30:BK1,K3,K9,K11,K12,K17,K19,K20,K22,K24,K28,K32",
    "staticevaluation W:W27,28,K32:B1,2",
    "staticevaluation B:W21-32:B1-12.",
    "set gamehist B:WK32:BK1 1-5 32-28 5-1 28-32 1-5 32-28 5-1 28-32",
    "set gamehist B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12 11-15 23-19",
    "set gamehist B:W14,K22:B9,1 9x18x25",
    "bookmove 11-15",
    "set egtbmove 9x18x25 fen B:W14,K22:B9,1",
    "hint score 12 depth 20 pv 11-15 23-19 8-11",
    "hint clear",
    "searchmoves 11-15 9-14 fen B:W21-32:B1-12",
    "get hints",
    "set hintpolicy trust",
    "get analysis",
    "set analysis 1",
    "set analysis 0",
};
/// Commands that take their time: one in many.
constexpr std::string_view slow_commands[] = {"help", "hint"};

char random_character(Random& random) {
    constexpr std::string_view likely = "BWKbwk:,.-x 0123456789\t";
    if (random.below(4) != 0)
        return likely[random.below(static_cast<std::uint32_t>(likely.size()))];
    return static_cast<char>(1 + random.below(255));
}

std::string random_squares(Random& random) {
    std::string text;
    for (std::uint32_t i = random.below(14); i > 0; --i) {
        if (random.below(3) == 0) text += 'K';
        text += std::to_string(random.below(30) == 0 ? static_cast<std::uint32_t>(random.next())
                                                     : 1 + random.below(33));
        if (random.below(12) == 0) text += '-' + std::to_string(random.below(40));
        if (i > 1) text += ',';
    }
    return text;
}

std::string random_fen(Random& random) {
    std::string text = random.below(2) == 0 ? "B:" : "W:";
    const bool white_first = random.below(2) == 0;
    text += (white_first ? "W" : "B") + random_squares(random);
    return text + (white_first ? ":B" : ":W") + random_squares(random);
}

std::string random_moves(Random& random) {
    std::string text;
    for (std::uint32_t i = random.below(6); i > 0; --i)
        text += ' ' + std::to_string(1 + random.below(32)) + (random.below(3) == 0 ? 'x' : '-') +
                std::to_string(1 + random.below(32));
    return text;
}

/// Changes, adds or removes some characters, or doubles or cuts the text.
void damage(std::string& text, Random& random) {
    for (std::uint32_t i = 1 + random.below(4); i > 0 && !text.empty(); --i) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
        switch (random.below(6)) {
            case 0:
                text.erase(at, 1 + random.below(4));
                break;
            case 1:
                text.insert(at, 1, random_character(random));
                break;
            case 2:
                text.resize(at);
                break;
            case 3:
                if (text.size() < 5000) text += text.substr(at);
                break;
            default:
                text[at] = random_character(random);
        }
    }
}

std::string random_bytes(Random& random) {
    std::string text;
    const std::uint32_t length = random.below(200) == 0 ? 20000 : random.below(100);
    for (std::uint32_t i = 0; i < length; ++i)
        text += static_cast<char>(1 + random.below(255));
    return text;
}

std::string known_command(Random& random) {
    if (random.below(50000) == 0) return std::string(slow_commands[random.below(2)]);
    switch (random.below(5)) {
        case 0:
            return "get movelist " + random_fen(random);
        case 1:
            return "staticevaluation " + random_fen(random);
        case 2:
            return "set gamehist " + random_fen(random) + random_moves(random);
        default:
            return std::string(commands[random.below(std::size(commands))]);
    }
}

}  // namespace

std::string random_command(Random& random) {
    if (random.below(10) == 0) return random_bytes(random);
    std::string text = known_command(random);
    if (random.below(3) != 0) damage(text, random);
    return text;
}

}  // namespace defiance::fuzz
