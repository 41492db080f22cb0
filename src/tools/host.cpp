#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <defiance/base/assert.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/encoding.hpp>
#include <defiance/base/process.hpp>
#include <defiance/base/text.hpp>
#include <defiance/cb/board.hpp>
#include <defiance/cb/checkerboard_engine.hpp>
#include <defiance/rules/board.hpp>
#include <tools/match/engine_protocol.hpp>
#include <tools/support/engine_dll.hpp>
#include <tools/support/games.hpp>
#include <tools/verbs.hpp>

namespace defiance {
namespace {

constexpr std::size_t longest_line = 1 << 20;

std::string numbers_of(const CBmove& move) {
    std::string text;
    const auto add = [&](int number) { text += ' ' + std::to_string(number); };
    const auto add_square = [&](const coor& square) {
        add(square.x);
        add(square.y);
    };
    add(move.jumps);
    add(move.newpiece);
    add(move.oldpiece);
    add_square(move.from);
    add_square(move.to);
    for (const coor& square : move.path)
        add_square(square);
    for (const coor& square : move.del)
        add_square(square);
    for (const int piece : move.delpiece)
        add(piece);
    return text;
}

/// A thread that carries out one task after the other.
class Worker {
public:
    Worker() : thread_([this] { work(); }) {}
    ~Worker() {
        wait();
        {
            const std::lock_guard lock(mutex_);
            is_wanted_ = false;
        }
        has_news_.notify_all();
        thread_.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Waits for the end of the task before it.
    void begin(std::function<void()> task) {
        DEFIANCE_ASSERT(task != nullptr);
        wait();
        {
            const std::lock_guard lock(mutex_);
            task_ = std::move(task);
        }
        has_news_.notify_all();
    }

    void wait() {
        std::unique_lock lock(mutex_);
        has_news_.wait(lock, [this] { return !task_; });
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            has_news_.wait(lock, [this] { return task_ || !is_wanted_; });
            if (!task_) return;
            lock.unlock();
            DEFIANCE_ASSERT(task_ != nullptr);
            task_();
            lock.lock();
            task_ = nullptr;
            has_news_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable has_news_;
    std::function<void()> task_;  // empty when nothing is to be done
    bool is_wanted_ = true;
    std::thread thread_;  // last, because it uses the members above
};

/// How an engine's commands, replies and status lines are written. The referee's are UTF-8.
enum class EngineText { ansi, utf8 };

/// Serves one engine to the referee that has started this process: commands on the thread that
/// reads, as CheckerBoard sends them on that of its window, and moves on another. CheckerBoard
/// makes a new thread for every move; here it is always the same, because making one takes Wine a
/// millisecond.
class EngineServer {
public:
    EngineServer(const EngineCalls& engine, EngineText text, PrivateOutput& output)
        : engine_(engine), text_(text), output_(output) {}
    EngineServer(const EngineServer&) = delete;
    EngineServer& operator=(const EngineServer&) = delete;

    /// False for a line that is none of the protocol's.
    [[nodiscard]] bool serve(std::string_view line) {
        const std::string_view verb = take_word(line);
        if (verb == "command") return command(line);
        if (verb == "move") return begin_move(line);
        if (verb == "legal") return ask_legal(line);
        if (verb == "describe") {
            worker_.wait();
            send("described" + numbers_of(move_));
            return true;
        }
        if (verb != "stop") return false;
        std::atomic_ref<int>(play_now_).store(1);
        return true;
    }

private:
    void send(const std::string& line) { static_cast<void>(output_.send(line)); }

    [[nodiscard]] std::string for_engine(std::string_view text) const {
        return text_ == EngineText::ansi ? ansi_from_utf8(text) : std::string(text);
    }
    [[nodiscard]] std::string from_engine(std::string_view text) const {
        return engine_line::escaped(text_ == EngineText::ansi ? utf8_from_ansi(text)
                                                              : std::string(text));
    }

    /// After an overflow the memory of this process cannot be trusted.
    [[noreturn]] void end_with_overflow(const std::string& what) {
        send("overflow " + what);
        std::_Exit(exit_no);
    }

    bool command(std::string_view text) {
        const EngineReply reply = engine_.command(for_engine(engine_line::unescaped(text)));
        if (reply.has_overflowed) end_with_overflow("the reply is longer than 1024 bytes");
        send("reply " + std::to_string(reply.code) + (reply.fault.empty() ? " 0 " : " 1 ") +
             from_engine(reply.text));
        return true;
    }

    bool begin_move(std::string_view text) {
        const auto color = parse_integer(take_word(text), 1, 2);
        const auto seconds = parse_decimal(take_word(text), 1e12);
        const auto info = parse_integer(take_word(text), 0, 0xFFFF);
        const auto more = parse_integer(take_word(text), 0, 0xFFFFFFFF);
        const auto board = engine_line::parse_board(take_word(text));
        if (!color || !seconds || !info || !more || !board) return false;
        worker_.wait();
        std::atomic_ref<int>(play_now_).store(0);
        worker_.begin([=, this] {
            move(*board, static_cast<int>(*color), *seconds, static_cast<int>(*info),
                 static_cast<int>(static_cast<std::uint32_t>(*more)));
        });
        return true;
    }

    void move(CbBoard board, int color, double seconds, int info, int more) {
        DEFIANCE_ASSERT(color == cb_black || color == cb_white);
        move_ = {};
        StatusLine status;
        const Stopwatch stopwatch;
        const int result = engine_.get_move(
            board, color, {seconds, info, more, status.data(), &play_now_, &move_});
        const double used = stopwatch.seconds();
        if (status.has_overflowed()) end_with_overflow("the status line is longer than 1024 bytes");
        send("moved " + std::to_string(result) + ' ' + fixed(used, 6) + ' ' +
             engine_line::board_text(board) + ' ' + from_engine(status.text()));
    }

    bool ask_legal(std::string_view text) {
        const auto color = parse_integer(take_word(text), 1, 2);
        const auto from = parse_integer(take_word(text), 1, 32);
        const auto to = parse_integer(take_word(text), 1, 32);
        const auto board = engine_line::parse_board(take_word(text));
        if (!color || !from || !to || !board || !engine_.has_is_legal()) return false;
        DEFIANCE_ASSERT(is_square_number(*from) && is_square_number(*to));
        worker_.wait();
        move_ = {};
        send("legal " + std::to_string(engine_.is_legal(*board, static_cast<int>(*color),
                                                        static_cast<int>(*from),
                                                        static_cast<int>(*to), &move_)));
        return true;
    }

    const EngineCalls& engine_;
    EngineText text_;
    PrivateOutput& output_;
    int play_now_ = 0;
    CBmove move_{};
    Worker worker_;
};

/// The engine that the engine files export, in this process. Its options begin at their defaults
/// and are not stored.
class SelfEngine : public EngineCalls {
public:
    explicit SelfEngine(const GameCore& core) : rules_(core.rules), engine_(core, "", "") {}

    EngineReply command(std::string_view text) const override {
        Reply reply = engine_.answer(text);
        return {reply.code, std::move(reply.text), {}, false};
    }

    /// As the export of the engine files: some legal move if there is no memory for a search.
    int get_move(CbBoard& board, int color, const MoveRequest& request) const override {
        try {
            return engine_.get_move(board.squares, color, request.seconds, request.status,
                                    request.play_now, request.info, request.more_info,
                                    request.move);
        } catch (const std::exception& problem) {
            print_note("host: the search has failed: " + std::string(problem.what()));
        }
        return play_any_move(board, color);
    }

    bool has_is_legal() const override { return true; }
    int is_legal(CbBoard board, int color, int from, int to, CBmove* move) const override {
        return engine_.is_legal(board.squares, color, from, to, move);
    }

private:
    [[nodiscard]] int play_any_move(CbBoard& board, int color) const {
        const Result<Position> position = read_board(board.squares, color);
        if (!position) return cb_unknown;
        MoveList moves;
        rules_.generate_moves(*position, moves);
        if (moves.empty()) return cb_loss;
        board = to_cb_board(rules_.after(*position, moves[0]));
        return cb_unknown;
    }

    const GameRules& rules_;
    mutable CheckerBoardEngine engine_;  // as an engine file it serves any thread
};

ExitCode serve(const EngineCalls& engine, EngineText text, PrivateOutput& output) {
    constexpr int bits = sizeof(void*) * 8;
    if (!output.send("ready " + std::to_string(bits) + (engine.has_is_legal() ? " 1" : " 0")))
        return exit_done;
    EngineServer server(engine, text, output);
    LineReader lines(stdin, longest_line);
    for (std::string line; lines.read(line) == LineReader::Outcome::line;)
        if (!server.serve(line)) print_note("host: not understood: " + shown(line, 80));
    // The referee has gone: a search that still runs is not waited for.
    std::_Exit(exit_done);
}

ExitCode run_host(const Arguments& arguments) {
    PrivateOutput output;
    forbid_error_dialogs();
    // Unbuffered, so that an engine's output is not lost when it crashes or is killed. The C
    // library of Windows buffers standard error, too, when it is a pipe.
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    std::setvbuf(stderr, nullptr, _IONBF, 0);
    if (arguments.has("self")) {
        const Result<const GameCore*> core = game_of(arguments);
        if (!core) return fail(core.error());
        return serve(SelfEngine(**core), EngineText::utf8, output);
    }
    if (arguments.positionals().empty()) return fail("host: FILE is missing");
    std::string problem;
    const EngineDll engine(std::string(arguments.positionals()[0]), problem);
    if (engine) return serve(engine, EngineText::ansi, output);
    static_cast<void>(output.send("failed " + engine_line::escaped(problem)));
    return exit_wrong_input;
}

constexpr Option host_options[] = {flag_option("self")};

}  // namespace

const Verb host_verb = {"host",
                        "FILE | --self [--game G]",
                        "loads an engine for a referee; not for people",
                        "Used by match, tournament and check: each engine runs in a process of its "
                        "own, which may crash or hang without harm.",
                        {host_options, "FILE", 0, 1},
                        run_host,
                        true};

}  // namespace defiance
