#include <tools/training/selfplay_run.hpp>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/parallel_for.hpp>
#include <tools/support/games.hpp>
#include <tools/training/game_player.hpp>

namespace defiance {
namespace {

/// How far the blocks that threads work on may be ahead of the one that is written next, in blocks
/// a thread.
constexpr std::uint64_t max_blocks_ahead = 4;

/// The first setting that differs, in words.
std::string difference(const SelfplaySettings& ours, const SelfplaySettings& theirs) {
    const auto differ = [](std::string_view name, const std::string& a, const std::string& b) {
        return std::string(name) + ' ' + b + " instead of " + a;
    };
    const auto number = [&](std::string_view name, std::uint64_t a, std::uint64_t b) {
        return differ(name, std::to_string(a), std::to_string(b));
    };
    const auto shard_of = [](const SelfplaySettings& s) {
        return std::to_string(s.shard) + '/' + std::to_string(s.shards);
    };
    if (ours.game != theirs.game) return differ("game", ours.game, theirs.game);
    if (ours.engine != theirs.engine) return differ("engine", ours.engine, theirs.engine);
    if (ours.nodes != theirs.nodes) return number("nodes", ours.nodes, theirs.nodes);
    if (ours.seed != theirs.seed) return number("seed", ours.seed, theirs.seed);
    if (ours.games != theirs.games) return number("games", ours.games, theirs.games);
    if (shard_of(ours) != shard_of(theirs))
        return differ("shard", shard_of(ours), shard_of(theirs));
    if (theirs.rescored != 0) return "its results are rescored";
    DEFIANCE_ASSERT(ours.fingerprint != theirs.fingerprint);
    return "a program that plays otherwise";
}

/// A file of self-play that grows.
class BlockFile {
public:
    /// Opens or begins the file and cuts half a block off its end.
    static Result<BlockFile> open(const std::string& path, const SelfplaySettings& settings,
                                  SelfplayProgress& progress) {
        Found found;
        if (file_exists(path)) {
            Result<Found> read = look_into(path, settings, progress);
            if (!read) return Error{read.error()};
            found = *read;
        }
        Result<AppendFile> file = AppendFile::open(path);
        if (!file) return Error{file.error()};
        BlockFile blocks(path, *std::move(file), found);
        if (blocks.file_.size() != found.bytes && !blocks.file_.cut(found.bytes))
            return file_error(path, "cannot be cut to its last whole block");
        if (found.bytes == 0 && !blocks.append(encode(settings))) return blocks.write_error();
        return blocks;
    }

    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }

    [[nodiscard]] bool append(const std::string& bytes) {
        // Two programs that write the same file would destroy it.
        was_changed_ = file_.size() != bytes_;
        if (was_changed_ || !file_.append(bytes)) return false;
        bytes_ += bytes.size();
        return true;
    }

    /// Why append() has failed. The size does not tell: a full disk may have taken a part.
    [[nodiscard]] Error write_error() const {
        return file_error(path_, was_changed_ ? "was changed by another program"
                                              : "cannot be written to: " + file_.problem());
    }

private:
    struct Found {
        std::uint64_t bytes = 0;  // of the header and whole blocks
        std::uint64_t blocks = 0;
    };

    BlockFile(std::string path, AppendFile file, const Found& found)
        : path_(std::move(path)),
          file_(std::move(file)),
          bytes_(found.bytes),
          blocks_(found.blocks) {}

    static Result<Found> look_into(const std::string& path, const SelfplaySettings& settings,
                                   SelfplayProgress& progress) {
        const std::string header = encode(settings);
        // The program may have been killed while it wrote the header.
        const Result<std::string> start = read_file(path, header.size());
        if (start && start->size() < header.size() && header.starts_with(*start)) return Found{};
        Result<SelfplayReader> opened = SelfplayReader::open(path);
        if (!opened) return Error{opened.error()};
        SelfplayReader reader = *std::move(opened);
        if (reader.settings() != settings)
            return file_error(path,
                              "is of other settings: " + difference(settings, reader.settings()));
        for (SelfplayBlock block;;) {
            const Result<bool> is_read = reader.next(block);
            if (!is_read) return Error{is_read.error()};
            if (!*is_read) break;
            progress.games_found += block.games.size();
            progress.records_found += block.records.size();
        }
        return Found{reader.place(), reader.blocks()};
    }

    std::string path_;
    AppendFile file_;
    std::uint64_t bytes_;
    std::uint64_t blocks_;
    bool was_changed_ = false;  // when it was last appended to
};

/// Hands out blocks to threads and writes them in their order.
class BlockQueue {
public:
    BlockQueue(BlockFile& file, std::uint64_t all, int threads, SelfplayProgress& progress)
        : file_(file),
          all_(all),
          ahead_(max_blocks_ahead * static_cast<std::uint64_t>(threads)),
          handed_out_(file.blocks()),
          written_(file.blocks()),
          progress_(progress) {}

    /// The next block to play; nothing when there is none or the run is stopped. Waits while the
    /// blocks at work are too far ahead of the one that is written next.
    [[nodiscard]] std::optional<std::uint64_t> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_stopped() || handed_out_ < written_ + ahead_; });
        if (is_stopped() || handed_out_ == all_) return std::nullopt;
        return handed_out_++;
    }

    /// Takes a block that was handed out, encoded.
    void give(std::uint64_t block, std::string bytes) {
        const std::lock_guard lock(mutex_);
        waiting_.emplace(block, std::move(bytes));
        while (!failed_ && !waiting_.empty() && waiting_.begin()->first == written_) {
            failed_ = !file_.append(waiting_.begin()->second);
            waiting_.erase(waiting_.begin());
            if (!failed_) ++written_;
        }
        changed_.notify_all();
    }

    /// To be called when a thread ends, as others may wait for a block it will not give.
    void leave() {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }

    /// Stops the run when a block that was handed out will not come.
    void abandon() {
        const std::lock_guard lock(mutex_);
        abandoned_ = true;
        changed_.notify_all();
    }

    [[nodiscard]] bool is_stopped() const { return failed_ || abandoned_ || progress_.must_stop; }
    [[nodiscard]] bool has_failed() const { return failed_; }
    [[nodiscard]] bool is_done() const { return written_ == all_; }

private:
    BlockFile& file_;
    const std::uint64_t all_;
    const std::uint64_t ahead_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t handed_out_;
    std::uint64_t written_;
    std::map<std::uint64_t, std::string> waiting_;  // encoded blocks by number
    std::atomic<bool> failed_ = false;
    std::atomic<bool> abandoned_ = false;
    SelfplayProgress& progress_;
};

/// Plays the games of a block; nothing when it was stopped before its end.
std::optional<SelfplayBlock> play_block(const SelfplaySettings& settings, std::uint64_t number,
                                        SelfplayPlayer& player, SelfplayProgress& progress) {
    SelfplayBlock block;
    block.number = number;
    for (std::uint64_t i = 0; i < settings.games_of_block(number); ++i) {
        if (progress.must_stop) return std::nullopt;
        const SelfplayGame game = player.play(number * games_per_block + i);
        block.games.push_back(game.summary);
        block.records.insert(block.records.end(), game.records.begin(), game.records.end());
        ++progress.games_played;
        progress.records_played += game.records.size();
    }
    return block;
}

/// Plays blocks until there is none left, or the run is stopped.
void play_blocks(const SelfplaySettings& settings, BlockQueue& queue, SelfplayPlayer& player,
                 SelfplayProgress& progress) {
    try {
        while (const auto i = queue.take()) {
            const auto block = play_block(settings, settings.block_number(*i), player, progress);
            if (!block) break;
            queue.give(*i, encode(*block));
        }
        queue.leave();
    } catch (...) {
        // The others would wait for the block of this thread for ever.
        queue.abandon();
        throw;
    }
}

}  // namespace

Result<bool> run_selfplay(const SelfplaySettings& settings, const std::string& path, int threads,
                          const EndgameSettings& databases, SelfplayProgress& progress) {
    const GameCore* core = find_game(settings.game);
    DEFIANCE_ASSERT(core != nullptr && threads > 0 && settings.shard < settings.shards);
    Result<BlockFile> opened = BlockFile::open(path, settings, progress);
    if (!opened) return Error{opened.error()};
    BlockFile file = *std::move(opened);

    const auto endgames = core->open_endgames(databases);
    const SelfplayOpenings openings = selfplay_openings(core->rules);
    std::vector<std::unique_ptr<SelfplayPlayer>> players;
    for (int i = 0; i < threads; ++i) {
        auto player = SelfplayPlayer::make(*core, *endgames, openings, settings);
        if (!player) return Error{player.error()};
        players.push_back(*std::move(player));
    }
    BlockQueue queue(file, settings.blocks(), threads, progress);
    progress.is_playing = true;
    // With fewer threads than players, some players find nothing left to do.
    parallel_for(players.size(), 1, threads, [&](auto player, auto, int) {
        play_blocks(settings, queue, *players[static_cast<std::size_t>(player)], progress);
    });
    if (queue.has_failed()) return file.write_error();
    DEFIANCE_ASSERT(queue.is_done() || progress.must_stop);
    return queue.is_done();
}

}  // namespace defiance
