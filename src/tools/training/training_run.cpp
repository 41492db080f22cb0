#include <tools/training/training_run.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

#include <defiance/base/assert.hpp>
#include <defiance/base/checksum.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/other_file.hpp>
#include <tools/support/same_file.hpp>
#include <tools/support/state_file.hpp>
#include <tools/training/loss_picture.hpp>
#include <tools/training/quantised.hpp>

namespace defiance {
namespace {

constexpr const char* state_extension = ".state";
constexpr StateKind training_state = {"train", "a training",
                                      "settings or data, or by another version"};
/// To be raised when the same settings and data come to make other weights: a training that began
/// with the old arithmetic must not go on with the new one.
constexpr int arithmetic_version = 1;

/// What the training begins with, if not with random weights.
std::string start_text(const TrainingOrder& order) {
    if (!order.start) return {};
    // The checksum that ends the bytes would make that of all of them the same for every network.
    constexpr std::size_t checksum_bytes = 4;
    const std::vector<std::uint8_t> bytes = serialize(*order.start);
    const std::span numbers = std::span(bytes).first(bytes.size() - checksum_bytes);
    return ", begun with network " + std::to_string(checksum(numbers));
}

/// What the result depends on, as one line. A network keeps it as its description: other words or
/// digits would make other files of the networks that were made before.
std::string settings_text(const TrainingOrder& order, const Dataset& data) {
    const TrainerSettings& s = order.trainer;
    return order.data.game + ", " + std::to_string(data.games) + " games, " +
           std::to_string(data.training.size()) + " positions and " +
           std::to_string(data.holdout.size()) + " held out (data " +
           std::to_string(data.fingerprint) + "), " + std::to_string(s.shape.hidden) +
           " hidden pairs, " + std::to_string(s.shape.buckets) + " buckets, " +
           (s.shape.second == 0 ? "" : "second layer " + std::to_string(s.shape.second) + ", ") +
           std::to_string(s.epochs) + " epochs, rate " +
           fixed(s.rate, TrainingOrder::rate_decimals) + ", batch " + std::to_string(s.batch) +
           ", result share " + fixed(s.result_share, TrainingOrder::share_decimals) + ", seed " +
           std::to_string(s.seed) + start_text(order);
}

/// All of the number, which decimals do not tell.
std::string bits_of(double number) {
    return std::to_string(std::bit_cast<std::uint64_t>(number));
}

/// What a state belongs to: the settings, with the digits that their text leaves out.
std::string state_text(const TrainingOrder& order, const std::string& settings) {
    return settings + "; bits of the rate " + bits_of(order.trainer.rate) +
           ", of the result share " + bits_of(order.trainer.result_share) + ", arithmetic " +
           std::to_string(arithmetic_version);
}

std::string percent(double part) {
    return std::string(part < 0 ? "" : "+") + fixed(100 * part, 3) + " %";
}

/// Follows a training: lines for each epoch, and how far it is in between.
class Progress {
public:
    Progress(const TrainingOrder& order, const Dataset& data, TrainingMonitor& monitor)
        : monitor_(monitor), epochs_(order.trainer.epochs), positions_(data.training.size()) {}

    void begin_epoch(int epoch) {
        epoch_ = epoch;
        watch_ = Stopwatch();
        last_note_ = 0;
    }
    /// Says now and then how far the epoch is.
    void note(std::uint64_t done) {
        constexpr double seconds_between = 10;
        const double now = watch_.seconds();
        if (now - last_note_ < seconds_between || done == positions_) return;
        last_note_ = now;
        monitor_.note("epoch " + std::to_string(epoch_) + ": " +
                      fixed(100 * static_cast<double>(done) / static_cast<double>(positions_), 1) +
                      " %, " + speed_and_rest(done));
    }
    void end_epoch(const EpochLosses& losses) {
        monitor_.note("epoch " + std::to_string(epoch_) + '/' + std::to_string(epochs_) +
                      ": rate " + fixed(losses.rate, 6) + ", training loss " +
                      fixed(losses.training, 6) + ", hold-out loss " + fixed(losses.holdout, 6) +
                      ", " + speed_and_rest(positions_));
    }

private:
    [[nodiscard]] std::string speed_and_rest(std::uint64_t done) const {
        const double speed = static_cast<double>(done) / std::max(watch_.seconds(), 1e-9);
        const double left =
            static_cast<double>(positions_) * (epochs_ - epoch_ + 1) - static_cast<double>(done);
        return fixed(speed / 1e6, 2) + " million positions a second, " + fixed(left / speed, 0) +
               " s left";
    }

    TrainingMonitor& monitor_;
    int epochs_;
    std::uint64_t positions_;
    int epoch_ = 1;
    double last_note_ = 0;
    Stopwatch watch_;
};

/// Error: of one of the two files; the other one is written all the same.
std::optional<Error> write_losses(const TrainingOrder& order, const Trainer& trainer,
                                  const std::string& last_line) {
    const std::string title = base_name_of(order.out) + ": mean squared error, " + order.data.game +
                              ", " + std::to_string(order.trainer.shape.hidden) + " hidden units";
    auto picture_error = write_file(order.picture, loss_picture(trainer.history(), title));
    auto table_error = write_file(order.table, loss_table(trainer.history()) + last_line);
    return picture_error ? picture_error : table_error;
}

/// What the network says of itself.
std::string description_of(const TrainingOrder& order, const std::string& settings) {
    return order.description.empty() ? settings : order.description;
}

/// Rounds the network, writes it, and says what the rounding has cost. Error: a file cannot be
/// written; the state stays, so that the same command only does this again.
Result<TrainingOutcome> finish(const TrainingOrder& order, const Dataset& data, Trainer& trainer,
                               const std::string& settings, TrainingMonitor& monitor) {
    const Network network(
        quantised(trainer.network(), order.game_name, description_of(order, settings)));
    const double rounded =
        loss_of(network, data.holdout, order.trainer.result_share, order.trainer.threads);
    const double exact = trainer.history().back().holdout;
    monitor.note("hold-out loss of the rounded network " + fixed(rounded, 6) + ", " +
                 percent(rounded / exact - 1) + " of that before");
    const std::vector<std::uint8_t> bytes = serialize(network.parameters());
    const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (auto error = write_file(order.out, content)) return *std::move(error);
    monitor.note("written: " + order.out + ", " + std::to_string(bytes.size()) + " bytes");
    if (auto error = write_losses(order, trainer, "rounded,,," + fixed(rounded, 6) + '\n'))
        return *std::move(error);
    remove_file(order.out + state_extension);
    return TrainingOutcome{data.training.size(), trainer.history().back().training, rounded};
}

/// Error: a network has the name of the one that is to be made, and is not what the same training
/// would make again. It may have taken days. With a description of its own none tells its settings.
std::optional<Error> find_other_network(const TrainingOrder& order, const std::string& settings) {
    if (!file_exists(order.out)) return std::nullopt;
    const Result<std::string> content = read_file(order.out);
    if (!content) return Error{content.error()};
    if (content->empty()) return std::nullopt;
    if (!order.description.empty())
        return file_error(order.out,
                          "is there already, and with --description no network tells whether it is "
                          "of these settings and data; delete it, or name another --out");
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(content->data());
    const auto network = parse_network({bytes, content->size()}, order.game_name);
    if (network && network->description == settings) return std::nullopt;
    return file_error(order.out,
                      "is a network of other settings or data; delete it, or name another --out");
}

/// Goes on from the state that an earlier training has left, or leaves the first one.
std::optional<Error> begin(const TrainingOrder& order, const std::string& settings,
                           Trainer& trainer, TrainingMonitor& monitor) {
    const std::string state_path = order.out + state_extension;
    const std::string owner = state_text(order, settings);
    if (!file_exists(state_path)) {
        if (auto error = find_other_network(order, settings)) return error;
        // Better known now than after the first epoch.
        for (const std::string& path : {order.table, order.picture})
            if (auto error = write_file(path, "")) return error;
        return write_state(state_path, training_state, owner, trainer.state());
    }
    const Result<std::string> state = read_state(state_path, training_state, owner);
    if (!state) return Error{state.error()};
    if (!trainer.restore(*state)) return file_error(state_path, "is damaged");
    monitor.note("going on after epoch " + std::to_string(trainer.epoch()));
    return std::nullopt;
}

}  // namespace

std::optional<Error> check_files(const TrainingOrder& order) {
    std::vector<NamedFile> files = {{"--start", order.start_file},
                                    {"--out", order.out},
                                    {"the state of --out", order.out + state_extension},
                                    {"--csv", order.table},
                                    {"--svg", order.picture}};
    for (const std::string& file : order.files)
        files.push_back({"--data", file});
    if (auto error = check_different(files)) return error;
    if (auto error = find_other_file(
            order.out, [](std::string_view begin) { return begin.starts_with(network_magic); }))
        return error;
    if (auto error = find_other_file(order.table, begins_loss_table)) return error;
    return find_other_file(order.picture, begins_loss_picture);
}

Result<std::optional<TrainingOutcome>> run_training(const TrainingOrder& order, const Dataset& data,
                                                    TrainingMonitor& monitor) {
    const std::string state_path = order.out + state_extension;
    const std::string settings = settings_text(order, data);
    const std::string owner = state_text(order, settings);  // of the state
    monitor.note("training: " + settings);
    Trainer trainer(order.trainer, data);
    if (order.start) trainer.begin_with(in_fractions(*order.start));
    if (auto error = begin(order, settings, trainer, monitor)) return *std::move(error);
    Progress progress(order, data, monitor);
    while (!trainer.is_done()) {
        progress.begin_epoch(trainer.epoch() + 1);
        const auto losses = trainer.run_epoch([&](std::uint64_t done) {
            progress.note(done);
            return monitor.is_stopped();
        });
        if (!losses) {
            monitor.note("stopped; the same command goes on after epoch " +
                         std::to_string(trainer.epoch()));
            return std::optional<TrainingOutcome>();
        }
        progress.end_epoch(*losses);
        if (auto error = write_state(state_path, training_state, owner, trainer.state()))
            return *std::move(error);
        // They are for people only, and a program that shows one may keep it from being written.
        if (const auto error = write_losses(order, trainer, ""))
            monitor.note(error->text + "; it is tried again later");
    }
    const Result<TrainingOutcome> outcome = finish(order, data, trainer, settings, monitor);
    if (!outcome) return Error{outcome.error()};
    return std::optional(*outcome);
}

}  // namespace defiance
