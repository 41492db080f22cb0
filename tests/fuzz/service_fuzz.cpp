// service_fuzz [COUNT [SEED]]: gives what comes from the network (requests and replies of HTTP,
// replies of Redis) and the files of a store, changed at random, to what reads them, and requests
// to the position database, also with tokens that they need and with changed bytes in its store. A
// text read whole and in pieces has the same outcome; a file that opens has sound positions and
// tasks only; an answer is one of those there are; a line of a dump means the same when it is
// written again. Each case has a request and a line, one of 56 a file. Exit status 1 at the first
// fault.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "byte_changes.hpp"
#include "fuzzed_files.hpp"
#include "fuzzed_service.hpp"

#include <defiance/base/random.hpp>
#include <tools/http/reply_parser.hpp>
#include <tools/http/request_parser.hpp>
#include <tools/posdb/position_line.hpp>
#include <tools/store/resp_parser.hpp>
#include <tools/support/games.hpp>

namespace {

using namespace defiance;

constexpr std::array<std::string_view, 6> requests = {
    "GET /cdb?action=queryall&board=W:W21,22:B1,2&json=1 HTTP/1.1\r\nHost: localhost:8032\r\n\r\n",
    "POST /cdb%2ephp?a=%41+b HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n\r\na=1&b=%41",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nabcde\r\n0\r\nT: "
    "u\r\n\r\n",
    "HEAD http://localhost/ HTTP/1.0\r\nConnection: keep-alive, x\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
    "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"};
constexpr std::array<std::string_view, 4> http_replies = {
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3\r\nabc\r\n0\r\n\r\n",
    "HTTP/1.0 404 Not Found\r\nX: y\r\n\r\nto the end", "HTTP/1.1 204 No Content\r\n\r\n"};
constexpr std::array<std::string_view, 3> redis_replies = {
    "*4\r\n:1\r\n$5\r\nab\r\nc\r\n*2\r\n+OK\r\n$-1\r\n-ERR x\r\n", "$6\r\n1:abcd\r\n",
    "*2\r\n$1\r\n0\r\n*4\r\n$12\r\nabcdefghijkl\r\n$3\r\n1:x\r\n$12\r\n............\r\n$3\r\n2:"
    "y\r\n"};

constexpr std::array<std::string_view, 5> position_lines = {
    "B:W21-32:B1-12; ply 0; 11-15 4 22 expansion; 9-14 -3 17 search",
    "B:W21,22,24-32:B1-8,10-13; ply 300; from W:W21-32:B1-12; from W:W21-32:B1-12",
    "W:WK1,K2:BK32,7; 1-6 29990 3 final; 2-9 24000 0 egdb; ply 90; 2x11 5 5",
    "B:W6,7,14,15:BK2; 2x11x18x9x2 5 6 egdb; 2x9x18x11x2 5 6 egdb; from W:WK10,7:BK2",
    "b:wa1,kc3:bf6,h8; g7-h6 -30000 255; f6-e5 1 1"};

/// Gives a text to a parser in pieces of so many bytes.
template <class Feed>
void feed_pieces(std::string_view text, std::size_t piece, Feed feed) {
    while (!text.empty() && feed(text.substr(0, piece)))
        text.remove_prefix(std::min(piece, text.size()));
}

/// The requests in bytes, as a server reads them.
struct RequestReader {
    std::vector<HttpRequest> requests;
    int status = 0;  ///< the bytes are refused with it; 0 when they are not

    void read(std::string_view text, std::size_t piece = std::string_view::npos) {
        RequestParser parser;
        feed_pieces(text, piece, [&](std::string_view bytes) {
            parser.feed(bytes);
            RequestParser::State state = parser.parse();
            for (; state == RequestParser::State::ready; state = parser.parse())
                requests.push_back(parser.take());
            if (state == RequestParser::State::refused) status = parser.status();
            return state == RequestParser::State::wants_more;
        });
    }
};

/// What a server makes of the bytes, as a text to compare.
std::string requests_in(std::string_view text, std::size_t piece) {
    RequestReader reader;
    reader.read(text, piece);
    std::string outcome = std::to_string(reader.status) + '\n';
    for (const HttpRequest& request : reader.requests) {
        outcome += request.path + '\n' + request.host + '\n' + request.body + '\n';
        for (const HttpField& field : request.fields)
            outcome += field.name + '=' + field.value + '\n';
        for (const HttpField& header : request.headers)
            outcome += header.name + ':' + header.value + '\n';
    }
    return outcome;
}

std::string http_reply_in(std::string_view text, std::size_t piece) {
    ReplyParser parser(1000);
    ReplyParser::State state = ReplyParser::State::wants_more;
    feed_pieces(text, piece, [&](std::string_view bytes) {
        state = parser.feed(bytes);
        return state == ReplyParser::State::wants_more;
    });
    if (state == ReplyParser::State::wants_more) state = parser.end();
    if (state != ReplyParser::State::ready) return "refused";
    const HttpReply reply = parser.take();
    return std::to_string(reply.status) + ' ' + reply.body;
}

std::string redis_reply_in(std::string_view text, std::size_t piece) {
    RespParser parser;
    RespParser::State state = RespParser::State::wants_more;
    feed_pieces(text, piece, [&](std::string_view bytes) {
        state = parser.feed(bytes);
        return state == RespParser::State::wants_more;
    });
    if (state != RespParser::State::ready) return std::to_string(static_cast<int>(state));
    const RespValue value = parser.take();
    return value.text + ' ' + std::to_string(value.number) + ' ' +
           std::to_string(value.items.size());
}

/// True when the bytes mean the same in any pieces.
template <class Read, std::size_t count>
bool reads_the_same(const std::array<std::string_view, count>& seeds, Read read, Random& random) {
    const std::string text = mutated(
        std::string(seeds[random.below(count)]) + std::string(seeds[random.below(count)]), random);
    if (read(text, text.size() + 1) == read(text, 1 + random.below(std::size_t{40}))) return true;
    std::fprintf(stderr, "read in another way in pieces:\n%s\n", text.c_str());
    return false;
}

/// One reply, because what follows it has no meaning.
template <class Read, std::size_t count>
bool one_reads_the_same(const std::array<std::string_view, count>& seeds, Read read,
                        Random& random) {
    const std::string text = mutated(std::string(seeds[random.below(count)]), random);
    if (read(text, text.size() + 1) == read(text, 1)) return true;
    std::fprintf(stderr, "read in another way in pieces:\n%s\n", text.c_str());
    return false;
}

/// Reads a line of a dump; false when what it means is lost when it is written.
bool line_keeps_its_meaning(Random& random) {
    const GameRules& rules = built_games()[random.below(built_games().size())]->rules;
    const std::string text =
        mutated(std::string(position_lines[random.below(position_lines.size())]), random);
    const auto entry = read_position_line(rules, text);
    if (!entry) return true;
    const auto again = read_position_line(rules, position_line(rules, *entry));
    if (again && again->key == entry->key && again->known == entry->known) return true;
    std::fprintf(stderr, "changes its meaning:\n%s\n", text.c_str());
    return false;
}

/// Where files can be written by the thousand: in memory if that can be.
std::filesystem::path folder_for_files() {
    std::error_code error;
    const std::filesystem::path memory = "/dev/shm";
    return std::filesystem::is_directory(memory, error) ? memory
                                                        : std::filesystem::temp_directory_path();
}

/// A new folder that is removed in the end.
class Folder {
public:
    Folder()
        : path_(folder_for_files() /
                ("defiance_service_fuzz_" +
                 std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()))) {
        std::filesystem::create_directory(path_);
    }
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

struct Counts {
    long requests = 0;  ///< that were sound enough to be answered
    long files = 0;
};

/// One case. False at a fault.
bool is_sound_case(long number, FuzzedService& service, FuzzedFiles& files, Random& random,
                   Counts& counts) {
    const std::string text = random.below(4) == 0
                                 ? mutated(std::string(requests[random.below(requests.size())]) +
                                               std::string(requests[random.below(requests.size())]),
                                           random)
                                 : FuzzedService::any_request(random);
    RequestReader reader;
    reader.read(random.below(8) == 0 ? mutated(text, random) : text);
    for (HttpRequest& request : reader.requests) {
        ++counts.requests;
        if (service.answer(std::move(request), random)) continue;
        std::fprintf(stderr, "to:\n%s\n", text.c_str());
        return false;
    }
    if (!line_keeps_its_meaning(random)) return false;
    switch (number % 8) {
        case 0:
        case 4:
            return reads_the_same(requests, requests_in, random);
        case 1:
        case 5:
            return one_reads_the_same(http_replies, http_reply_in, random);
        case 2:
        case 6:
            return one_reads_the_same(redis_replies, redis_reply_in, random);
        case 3:
            return service.answer_damaged(random);
        default:
            break;
    }
    if (number % 56 != 7) return true;
    ++counts.files;
    return files.open_mutated(random);
}

}  // namespace

int main(int count, char** words) {
    const long cases = count > 1 ? std::atol(words[1]) : 20000;
    const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(words[2]) : 1);
    const Folder folder;
    FuzzedFiles files(folder.path());
    if (!files.make()) {
        std::fprintf(stderr, "no file can be written\n");
        return 1;
    }
    FuzzedService service(folder.path() + "/service");
    if (!service.is_ready()) {
        std::fprintf(stderr, "no database can be made\n");
        return 1;
    }
    Counts counts;
    for (long i = 0; i < cases; ++i) {
        Random random(seed * 1'000'003 + static_cast<std::uint64_t>(i));
        if (is_sound_case(i, service, files, random, counts)) continue;
        std::fprintf(stderr, "fault in case %ld with seed %llu\n", i,
                     static_cast<unsigned long long>(seed));
        return 1;
    }
    std::printf("%ld cases (%ld requests answered, %ld files opened), no fault\n", cases,
                counts.requests, counts.files);
    return 0;
}
