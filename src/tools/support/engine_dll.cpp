#include <tools/support/engine_dll.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/text.hpp>

namespace defiance {
namespace {

constexpr std::size_t reply_size = 1024;
constexpr std::size_t margin = 256;
/// What the reply buffer is filled with behind its first byte, to see what was written.
constexpr char untouched = '\x5A';

bool has_overflowed(const std::vector<char>& buffer) {
    DEFIANCE_ASSERT(buffer.size() == reply_size + margin);
    return std::any_of(buffer.begin() + reply_size, buffer.end(),
                       [](char c) { return c != untouched; });
}

std::string find_fault(const std::vector<char>& buffer) {
    if (has_overflowed(buffer)) return "the reply is longer than 1024 bytes";
    const auto end = std::find(buffer.begin(), buffer.begin() + reply_size, '\0');
    if (end == buffer.begin() + reply_size) return "the reply has no end mark";
    if (std::any_of(end + 1, buffer.end(), [](char c) { return c != untouched; }))
        return "bytes behind the end of the reply were written";
    return {};
}

}  // namespace

std::string StatusLine::text() {
    std::string copy;
    for (char& c : text_) {
        const char now = std::atomic_ref<char>(c).load(std::memory_order_relaxed);
        if (now == 0) break;
        copy += now;
    }
    return copy;
}

bool StatusLine::has_overflowed() const {
    return std::any_of(margin_.begin(), margin_.end(), [](char c) { return c != 0; });
}

EngineDll::EngineDll(const std::string& path, std::string& problem) {
    const auto describe = [&](const std::string& reason) {
        problem = "'" + shown(path, 200) + "' is no engine file (" + reason + ')';
    };
    Result<Library> library = Library::load(path);
    if (!library) {
        describe(library.error());
        return;
    }
    library_ = *std::move(library);
    get_move_ = library_.find<GetMove>("getmove");
    command_ = library_.find<Command>("enginecommand");
    is_legal_ = library_.find<IsLegal>("islegal");
    if (get_move_ != nullptr && command_ != nullptr) return;
    describe("it does not export getmove and enginecommand");
    *this = EngineDll();
}

EngineReply EngineDll::command(std::string_view text) const {
    DEFIANCE_ASSERT(command_ != nullptr);
    std::vector<char> words(text.begin(), text.end());
    words.push_back(0);
    std::vector<char> buffer(reply_size + margin, untouched);
    buffer[0] = 0;  // as CheckerBoard does
    EngineReply reply;
    reply.code = command_(words.data(), buffer.data());
    reply.fault = find_fault(buffer);
    reply.has_overflowed = has_overflowed(buffer);
    reply.text.assign(buffer.begin(), std::find(buffer.begin(), buffer.end(), '\0'));
    return reply;
}

int EngineDll::get_move(CbBoard& board, int color, const MoveRequest& request) const {
    DEFIANCE_ASSERT(get_move_ != nullptr);
    return get_move_(board.squares, color, request.seconds, request.status, request.play_now,
                     request.info, request.more_info, request.move);
}

int EngineDll::is_legal(CbBoard board, int color, int from, int to, CBmove* move) const {
    DEFIANCE_ASSERT(is_legal_ != nullptr);
    return is_legal_(board.squares, color, from, to, move);
}

}  // namespace defiance
