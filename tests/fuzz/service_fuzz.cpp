// service_fuzz [COUNT [SEED]]: gives what comes from the network (requests and replies of HTTP,
// replies of Redis) and the files of a store, changed at random, to what reads them, and requests
// to the position database. Each text is read whole and in pieces, with the same outcome; a file
// that opens has sound positions only; an answer is one of those there are. Exit status 1 at the
// first fault.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <defiance/base/random.hpp>
#include <defiance/base/system.hpp>
#include <tools/http/reply_parser.hpp>
#include <tools/http/request_parser.hpp>
#include <tools/posdb/serve_options.hpp>
#include <tools/posdb/service.hpp>
#include <tools/store/embedded_store.hpp>
#include <tools/store/resp_parser.hpp>

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

constexpr std::array<std::string_view, 14> queries = {
    "action=queryall&board=startpos&showall=1&json=1",
    "action=querybest&variant=italian&board=startpos+moves+22-18&ban=move:11-15|move:9-14",
    "action=querypv&board=W:WK1,K2:BK32&egtbmetric=dtz",
    "action=queryall&variant=25&board=w:wa1,kc3:bf6:H0:F1&learn=1",
    "action=query&variant=26&board=[FEN \"B:W21-32:B1-12\"]",
    "action=querysearch&variant=spanish&board=WwwwwwwwwwwwweeeeeeeebbbbbbbbbbbB&endgame=1",
    "action=queryscore&board=B:WK6,K7,K14,K15,K22,K23:BK2,K10",
    "action=queryall&variant=brazilian&board=W:WK1,K5,K9:BK32,14,15,22,23,24&json=1&showall=1",
    "action=queue&variant=czech&board=startpos&json=1",
    "action=store&board=startpos&move=move:11-15&score=12&depth=3&token=00",
    "action=ackqueue&lease=1&board=startpos&note=00&moves=11-15,1,2,0|9-13,1,2,3&time=1&token=0",
    "action=getqueue&count=1&time=1&token=0",
    "action=queryinfo&variant=29&json=1",
    "action=queryscore&batch=1&board=x"};

/// The text with a few bytes changed, left out, put in or repeated.
std::string mutated(std::string text, Random& random) {
    for (std::uint64_t changes = random.below(6U); changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random.below(text.size());
        const std::size_t count = 1 + random.below(std::size_t{20});
        switch (random.below(6)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text[at] = "\r\n:,;% 019afDR-+*$"[random.below(18)];
                break;
            case 2:
                text.erase(at, count);
                break;
            case 3:
                text.insert(at, text.substr(random.below(text.size()), count));
                break;
            case 4:
                text[at] = static_cast<char>(text[at] ^ 1 << random.below(8));
                break;
            default:
                text.resize(at);
                break;
        }
    }
    return text;
}

/// Gives a text to a parser in pieces of so many bytes.
template <class Parser, class Feed>
void feed_pieces(std::string_view text, std::size_t piece, Feed feed) {
    while (!text.empty() && feed(text.substr(0, piece)))
        text.remove_prefix(std::min(piece, text.size()));
}

/// What a server makes of the bytes, as a text to compare.
std::string requests_in(std::string_view text, std::size_t piece) {
    RequestParser parser;
    std::string outcome;
    feed_pieces<RequestParser>(text, piece, [&](std::string_view bytes) {
        parser.feed(bytes);
        RequestParser::State state = parser.parse();
        for (; state == RequestParser::State::ready; state = parser.parse()) {
            const HttpRequest request = parser.take();
            outcome += request.path + '\n' + request.host + '\n' + request.body + '\n';
            for (const HttpField& field : request.fields)
                outcome += field.name + '=' + field.value + '\n';
            for (const HttpField& header : request.headers)
                outcome += header.name + ':' + header.value + '\n';
        }
        if (state == RequestParser::State::refused) outcome += std::to_string(parser.status());
        return state == RequestParser::State::wants_more;
    });
    return outcome;
}

std::string http_reply_in(std::string_view text, std::size_t piece) {
    ReplyParser parser(1000);
    ReplyParser::State state = ReplyParser::State::wants_more;
    feed_pieces<ReplyParser>(text, piece, [&](std::string_view bytes) {
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
    feed_pieces<RespParser>(text, piece, [&](std::string_view bytes) {
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

/// The position database with a few positions of each game.
class Service {
public:
    explicit Service(const std::string& folder) : endgames_(open_game_endgames("")) {
        auto store = open_store(folder, [](const std::string&) {});
        if (!store) return;
        store_ = *std::move(store);
        ServiceOptions options;
        options.secret = WriteSecret("a secret of the fuzzer");
        service_ = std::make_unique<PositionService>(*store_, endgames_, std::move(options));
        for (std::size_t game = 0; game < store_game_names.size(); ++game) {
            PositionDatabase& database = service_->database(static_cast<StoreGame>(game));
            const Position start = database.rules().start_position();
            std::vector<KnownMove> moves;
            for (std::uint8_t i = 0; i < 7; ++i)
                moves.push_back({i, static_cast<std::int16_t>(i * 5), 9, ScoreSource::search});
            is_ready_ = !database.add(start, moves, 0, {});
        }
    }
    [[nodiscard]] bool is_ready() const { return is_ready_; }

    /// False at a fault.
    bool answer_mutated(Random& random) {
        const std::string text =
            mutated(std::string(queries[random.below(queries.size())]), random);
        HttpRequest request;
        request.path = "/cdb";
        if (!read_fields(text, 256, request.fields)) return true;
        request.from.bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1};
        request.body = mutated("startpos\nB:W21:B1\n", random);
        const HttpResponse response = service_->handle(request);
        const bool is_sound =
            response.status == 200 &&
            (response.type.starts_with("text/plain")
                 ? response.body.find_first_of(std::string_view("<>\0\r", 4)) == std::string::npos
                 : response.body.starts_with('{') && response.body.find('}') != std::string::npos);
        if (!is_sound)
            std::fprintf(stderr, "a wrong answer to:\n%s\n%s\n", text.c_str(),
                         response.body.c_str());
        return is_sound;
    }

private:
    GameEndgames endgames_;
    std::unique_ptr<PositionStore> store_;
    std::unique_ptr<PositionService> service_;
    bool is_ready_ = false;
};

/// A file of a store and what may be made of it.
class StoreFile {
public:
    StoreFile()
        : path_((std::filesystem::temp_directory_path() /
                 ("defiance_service_fuzz_" +
                  std::to_string(std::chrono::steady_clock::now().time_since_epoch().count())))
                    .string()) {}
    ~StoreFile() {
        std::filesystem::remove(path_);
        std::filesystem::remove_all(path_ + "_service");
    }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Makes the file that is changed afterwards. False when it cannot be written.
    bool make() {
        LogReport report;
        auto file = PositionFile::open(path_, StoreGame::english, report);
        if (!file) return false;
        for (std::uint32_t i = 0; i < 30; ++i)
            if (!(*file)->update({i, ~i, i * 3}, 0, std::to_string(i * 7) + "value")) return false;
        for (std::uint32_t i = 0; i < 30; i += 3)
            if (!(*file)->update({i, ~i, i * 3}, 1, std::to_string(i * 7) + "other")) return false;
        file = Error{"closed"};
        sound_ = *read_file(path_);
        return true;
    }

    /// False at a fault.
    bool open_mutated(Random& random) {
        std::ofstream(path_, std::ios::binary | std::ios::trunc) << mutated(sound_, random);
        LogReport report;
        std::uint64_t positions = 0;
        const auto verified = PositionFile::verify(path_, StoreGame::english, positions);
        auto file = PositionFile::open(path_, StoreGame::english, report);
        if (verified.operator bool() != file.operator bool()) return false;
        if (!file) return true;
        if ((*file)->count() != positions) return false;
        bool sound = true;
        const auto problem =
            (*file)->for_each([&](const PositionKey& key, const StoredValue& value) {
                sound = sound && value.bytes.starts_with(std::to_string(key.own * 7));
                return sound;
            });
        if (problem || !sound) return false;
        const auto stored = (*file)->update({77, 7, 7}, 0, "new");
        return stored && *stored == UpdateOutcome::stored &&
               (*file)->get({77, 7, 7}).operator bool();
    }

private:
    std::string path_;
    std::string sound_;
};

}  // namespace

int main(int count, char** words) {
    const long cases = count > 1 ? std::atol(words[1]) : 20000;
    const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(words[2]) : 1);
    StoreFile store;
    if (!store.make()) {
        std::fprintf(stderr, "no file can be written\n");
        return 1;
    }
    const std::string folder = store.path() + "_service";
    std::filesystem::create_directory(folder);
    Service service(folder);
    if (!service.is_ready()) {
        std::fprintf(stderr, "no database can be made\n");
        return 1;
    }
    for (long i = 0; i < cases; ++i) {
        Random random(seed * 1'000'003 + static_cast<std::uint64_t>(i));
        const bool sound = reads_the_same(requests, requests_in, random) &&
                           one_reads_the_same(http_replies, http_reply_in, random) &&
                           one_reads_the_same(redis_replies, redis_reply_in, random) &&
                           service.answer_mutated(random) &&
                           (i % 10 != 0 || store.open_mutated(random));
        if (sound) continue;
        std::fprintf(stderr, "fault in case %ld with seed %llu\n", i,
                     static_cast<unsigned long long>(seed));
        return 1;
    }
    std::printf("%ld cases, no fault\n", cases);
    return 0;
}
