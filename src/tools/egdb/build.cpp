#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <defiance/base/assert.hpp>
#include <defiance/base/console.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <defiance/base/text.hpp>
#include <tools/egdb/tasks.hpp>
#include <tools/support/rules_types.hpp>

namespace defiance {

/// The thread that prints the progress once a second.
struct ProgressNotes::ProgressThread {
    ProgressThread(std::uint64_t work, const ProgressNotes& owner)
        : all(work), notes(owner), thread([this] { run(); }) {}
    ~ProgressThread() {
        {
            const std::lock_guard lock(mutex);
            is_over = true;
        }
        wake.notify_all();
        thread.join();
    }
    ProgressThread(const ProgressThread&) = delete;
    ProgressThread& operator=(const ProgressThread&) = delete;

    void run() {
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, std::chrono::seconds(1), [this] { return is_over; })) {
            try {
                print();
            } catch (const std::exception&) {
                // There is no memory for the line. The work may get on with what there is.
            }
        }
    }

    void print() {
        if (is_interrupted() && !is_end_announced) {
            is_end_announced = true;
            print_note("ends when this kind of position is finished; Ctrl-C again ends at once");
        }
        const double now = stopwatch.seconds();
        const std::uint64_t so_far = notes.done_;
        // What an earlier call has finished took no time, so it tells nothing of the speed.
        const std::uint64_t worked = so_far - std::min(so_far, notes.skipped_.load());
        const double speed =
            static_cast<double>(worked - std::min(worked, last)) / (now - last_time);
        // Some steps count nothing, such as the writing of a file; the speed is none of theirs.
        if (speed > 0) smooth = smooth == 0 ? speed : 0.9 * smooth + 0.1 * speed;
        last = worked;
        last_time = now;
        if (so_far >= all || smooth <= 0) return;
        print_note(fixed(100 * static_cast<double>(so_far) / static_cast<double>(all), 1) + " %, " +
                   fixed(speed / 1e6, 2) + " million positions a second, " +
                   fixed(static_cast<double>(all - so_far) / smooth, 0) + " s left");
    }

    std::uint64_t all;
    const ProgressNotes& notes;
    bool is_end_announced = false;
    Stopwatch stopwatch;
    double smooth = 0;  // positions a second
    std::uint64_t last = 0;
    double last_time = 0;
    std::mutex mutex;
    std::condition_variable wake;
    bool is_over = false;
    std::thread thread;  // last, because it uses the members above
};

ProgressNotes::ProgressNotes(Interrupt interrupt) {
    if (interrupt == Interrupt::ends_work) catch_interrupts();
}

ProgressNotes::~ProgressNotes() = default;

void ProgressNotes::begin(std::uint64_t work) {
    DEFIANCE_ASSERT(work != 0);
    thread_.reset();
    done_ = 0;
    skipped_ = 0;
    thread_ = std::make_unique<ProgressThread>(work, *this);
}

void ProgressNotes::skip(std::uint64_t work) {
    done_ += work;
    skipped_ += work;
}

void ProgressNotes::note(const std::string& line) {
    print_note(line);
}

bool ProgressNotes::is_stopped() const {
    return is_interrupted();
}

std::string folder_given(const Arguments& arguments) {
    // Plans for machines of all systems name it.
    return with_final_separator(arguments.text("dir").value_or(""), '/');
}

std::optional<Error> find_missing_folder(const Arguments& arguments) {
    const std::string folder = folder_given(arguments);
    if (folder.empty() || folder_exists(folder)) return std::nullopt;
    return Error{"folder not found: " + shown(*arguments.text("dir"), 200)};
}

int threads_given(const Arguments& arguments) {
    return static_cast<int>(arguments.integer("threads").value_or(processor_count()));
}

std::vector<Material> pairs_of(int pieces) {
    DEFIANCE_ASSERT(pieces >= 2 && pieces <= max_pieces_built);
    std::vector<Material> pairs = materials_of(pieces);
    std::erase_if(pairs, [](const Material& m) { return m < m.swapped(); });
    return pairs;
}

ExitCode build_endgames(const Arguments& arguments) {
    BuildSettings settings;
    settings.folder = folder_given(arguments);
    settings.threads = threads_given(arguments);
    const auto pieces = arguments.integer("pieces");
    const auto slice = arguments.text("slice");
    if (settings.folder.empty()) return fail("egdb build: --dir is missing");
    if (!pieces && !slice) return fail("egdb build: either --pieces or --slice must be given");
    if (pieces && slice) return fail("egdb build: only one of --pieces and --slice can be given");
    settings.is_part = arguments.has("part");
    if (settings.is_part && !slice) return fail("egdb build: --part goes with --slice");
    if (pieces) settings.pieces = static_cast<int>(*pieces);
    DEFIANCE_ASSERT(!pieces || (settings.pieces >= 2 && settings.pieces <= max_pieces_built));
    if (slice) {
        settings.only = parse_material(*slice);
        if (!settings.only || settings.only->total() > max_pieces_built)
            return fail("egdb build: --slice '" + shown(*slice) +
                        "' is no material such as 2m1k-0m2k of up to " +
                        std::to_string(max_pieces_built) + " pieces");
    }
    return with_rules(arguments, [&]<class Rules>() {
        // Of a single kind of position nothing is kept before it is finished.
        ProgressNotes progress(settings.only ? ProgressNotes::Interrupt::ends_program
                                             : ProgressNotes::Interrupt::ends_work);
        const Stopwatch stopwatch;
        const Result<bool> built = build_database<Rules>(settings, progress);
        if (!built) return fail("egdb build: " + built.error());
        if (!*built) {
            print_note("stopped; the same command goes on from here");
            return exit_no;
        }
        print_line("built in " + fixed(stopwatch.seconds(), 1) + " s");
        return exit_done;
    });
}

}  // namespace defiance
