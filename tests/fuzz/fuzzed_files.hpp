#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "byte_changes.hpp"

#include <defiance/base/assert.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/random.hpp>
#include <tools/store/position_file.hpp>
#include <tools/store/queue_file.hpp>

namespace defiance {

/// The files of an embedded store with bytes changed at random.
class FuzzedFiles {
public:
    /// `folder` is there.
    explicit FuzzedFiles(const std::string& folder)
        : positions_path_(folder + "/positions"), queue_path_(folder + "/queue") {}

    /// Makes the files that are changed afterwards. False when they cannot be written.
    bool make() { return make_positions() && make_queue(); }

    /// Opens one of the files with changes. False at a fault.
    bool open_mutated(Random& random) {
        DEFIANCE_ASSERT(!sound_positions_.empty() && !sound_queue_.empty());
        return random.below(4U) == 0 ? open_mutated_queue(random) : open_mutated_positions(random);
    }

private:
    static constexpr std::uint32_t positions = 30;
    static constexpr int tasks = 20;

    static StoreTask task(int number) {
        const auto own = static_cast<std::uint32_t>(number + 1);
        return {StoreGame::russian, {own, ~own, own * 3}, number % 3, std::to_string(own * 7)};
    }

    bool make_positions() {
        LogReport report;
        auto file = PositionFile::open(positions_path_, StoreGame::english, report);
        if (!file) return false;
        for (std::uint32_t i = 0; i < positions; ++i)
            if (!(*file)->update({i, ~i, i * 3}, 0, std::to_string(i * 7) + "value")) return false;
        for (std::uint32_t i = 0; i < positions; i += 3)
            if (!(*file)->update({i, ~i, i * 3}, 1, std::to_string(i * 7) + "other")) return false;
        file = Error{"closed"};
        sound_positions_ = *read_file(positions_path_);
        return true;
    }

    bool make_queue() {
        LogReport report;
        auto file = QueueFile::open(queue_path_, report);
        if (!file) return false;
        for (int i = 0; i < tasks; ++i)
            if (!(*file)->push(task(i))) return false;
        for (const TaskLease& lease : (*file)->lease(tasks / 4, 100))
            if (!(*file)->complete(lease.id)) return false;
        file = Error{"closed"};
        sound_queue_ = *read_file(queue_path_);
        return true;
    }

    static void write(const std::string& path, const std::string& bytes) {
        // A file that is cut and written again costs a wait for the disk.
        std::filesystem::remove(path);
        std::ofstream(path, std::ios::binary) << bytes;
    }

    bool open_mutated_positions(Random& random) {
        write(positions_path_, mutated(sound_positions_, random));
        LogReport report;
        std::uint64_t verified_positions = 0;
        const auto verified =
            PositionFile::verify(positions_path_, StoreGame::english, verified_positions);
        auto file = PositionFile::open(positions_path_, StoreGame::english, report);
        if (verified.operator bool() != file.operator bool()) return false;
        if (!file) return true;
        if ((*file)->count() != verified_positions || verified_positions > positions) return false;
        bool sound = true;
        const auto problem =
            (*file)->for_each([&](const PositionKey& key, const StoredValue& value) {
                sound = sound && value.bytes.starts_with(std::to_string(key.own * 7));
                return sound;
            });
        if (problem || !sound) return false;
        const PositionKey unknown = {77, 7, 7};
        const auto stored = (*file)->update(unknown, 0, "new");
        return stored && *stored == UpdateOutcome::stored && (*file)->get(unknown).operator bool();
    }

    /// What still waits was pushed as it is, and no task is there twice.
    bool open_mutated_queue(Random& random) {
        write(queue_path_, mutated(sound_queue_, random));
        LogReport report;
        auto file = QueueFile::open(queue_path_, report);
        if (!file) return true;
        std::array<bool, tasks> found = {};
        for (const TaskLease& lease : (*file)->lease(2 * tasks, 100)) {
            const int number = static_cast<int>(lease.task.key.own) - 1;
            if (number < 0 || number >= tasks) return false;
            const StoreTask expected = task(number);
            bool& is_found = found[static_cast<std::size_t>(number)];
            if (is_found || lease.task.key != expected.key || lease.task.game != expected.game ||
                lease.task.priority != expected.priority || lease.task.note != expected.note)
                return false;
            is_found = true;
            const auto done = (*file)->complete(lease.id);
            if (!done || !*done) return false;
        }
        const auto pushed = (*file)->push(task(0));
        return pushed && *pushed == PushOutcome::queued && (*file)->size().waiting == 1;
    }

    std::string positions_path_;
    std::string queue_path_;
    std::string sound_positions_;
    std::string sound_queue_;
};

}  // namespace defiance
