#include <catch2/catch.hpp>

#include <filesystem>

#include <defiance/base/file.hpp>
#include <defiance/base/text.hpp>
#include <tools/support/state_file.hpp>
#include <tools/training/loss_picture.hpp>
#include <tools/training/selfplay_file.hpp>
#include <tools/training/training_run.hpp>

#include "../base/temporary.hpp"
#include "training_order.hpp"
#include "training_samples.hpp"

using namespace defiance;

namespace {

/// Keeps a file from being written from the note that begins with `from` to the one that begins
/// with `to`, as a program does that shows it.
class BlockingMonitor : public TrainingTestMonitor {
public:
    BlockingMonitor(std::string path, std::string from, std::string to)
        : path_(std::move(path)), from_(std::move(from)), to_(std::move(to)) {}

    void note(const std::string& line) override {
        TrainingTestMonitor::note(line);
        if (line.starts_with(from_)) {
            std::filesystem::remove(path_);
            std::filesystem::create_directories(path_ + "/inner");
        }
        if (line.starts_with(to_)) std::filesystem::remove_all(path_);
    }

private:
    std::string path_;
    std::string from_;
    std::string to_;
};

/// A file of self-play with a block of games of two records each.
std::string selfplay_file(const std::string& game, int games = 64) {
    SelfplaySettings settings;
    settings.game = game;
    settings.engine = "1.0";
    settings.nodes = 10;
    settings.games = static_cast<std::uint64_t>(games);
    SelfplayBlock block;
    Random random(2);
    for (int i = 0; i < games; ++i) {
        SelfplaySummary summary;
        summary.records = 2;
        block.games.push_back(summary);
        for (int k = 0; k < 2; ++k) {
            TrainingRecord record;
            record.own = bit(random.below(16)) | bit(random.below(16));
            record.theirs = bit(16 + random.below(16));
            record.kings = record.own | record.theirs;
            record.flags = k == 0 ? TrainingRecord::first_of_game : 0;
            block.records.push_back(record);
        }
    }
    return encode(settings) + encode(block);
}

int times(const std::string& text, const std::string& part) {
    int number = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++number;
    return number;
}

}  // namespace

TEST_CASE("a training goes on where it was stopped", "[training]") {
    const Dataset data = material_data(300);
    const TemporaryFolder folder;
    TrainingOrder order = small_order(folder);
    TrainingTestMonitor monitor;
    const auto outcome = run_training(order, data, monitor);
    REQUIRE((outcome && *outcome));
    CHECK((*outcome)->positions == data.training.size());
    CHECK(monitor.text.find("training loss " + fixed((*outcome)->training_loss, 6)) !=
          std::string::npos);
    CHECK(monitor.text.find("rounded network " + fixed((*outcome)->holdout_loss, 6)) !=
          std::string::npos);
    CHECK(times(monitor.text, "hold-out loss") == 4);
    CHECK(times(monitor.text, "of that before") == 1);
    const std::string network = *read_file(order.out);
    const std::string losses = *read_file(order.out + ".csv");
    CHECK_FALSE(file_exists(order.out + ".state"));
    CHECK(times(losses, "\n") == 5);

    name_files(order, folder.path() + "/stopped");
    for (const int batches : {14, 11, 1}) {
        TrainingTestMonitor stopping(batches);
        const auto nothing = run_training(order, data, stopping);
        REQUIRE(nothing);
        CHECK_FALSE(*nothing);
        CHECK_FALSE(file_exists(order.out));
        CHECK(file_exists(order.out + ".state"));
    }
    TrainingOrder other = order;
    other.trainer.rate = 0.002;
    const auto refused = run_training(other, data, monitor);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("other settings or data") != std::string::npos);
    const auto other_data = run_training(order, material_data(200), monitor);
    REQUIRE_FALSE(other_data);

    order.trainer.threads = 2;
    TrainingTestMonitor last;
    const auto finished = run_training(order, data, last);
    REQUIRE((finished && *finished));
    CHECK(times(last.text, "going on after epoch 2\n") == 1);
    CHECK(*read_file(order.out) == network);
    CHECK(*read_file(order.out + ".csv") == losses);
    CHECK_FALSE(file_exists(order.out + ".state"));
}

TEST_CASE("a training goes on from a network that another has made", "[training]") {
    const Dataset data = material_data(300);
    const TemporaryFolder folder;
    TrainingOrder order = small_order(folder);
    TrainingTestMonitor monitor;
    const auto first = run_training(order, data, monitor);
    REQUIRE((first && *first));
    const auto start = read_network_file(order.out, "English");
    REQUIRE(start);

    TrainingOrder further = order;
    further.start = *start;
    further.trainer.epochs = 1;
    further.trainer.rate = 1e-9;
    name_files(further, folder.path() + "/further");
    const auto same = run_training(further, data, monitor);
    REQUIRE((same && *same));
    CHECK((*same)->holdout_loss == (*first)->holdout_loss);
    const auto unchanged = read_network_file(further.out, "English");
    REQUIRE(unchanged);
    CHECK(unchanged->input_weights == start->input_weights);
    CHECK(unchanged->output_biases == start->output_biases);
    CHECK(unchanged->description != start->description);

    // What it began with is one of the settings that a state belongs to.
    TrainingTestMonitor stopping(3);
    further.trainer.epochs = 2;
    name_files(further, folder.path() + "/stopped");
    REQUIRE_FALSE(*run_training(further, data, stopping));
    further.start->hidden_biases.front() += 1;
    const auto refused = run_training(further, data, monitor);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("other settings or data") != std::string::npos);
}

TEST_CASE("a training says at once that it cannot write", "[training]") {
    const TemporaryFolder folder;
    TrainingOrder order = small_order(folder);
    name_files(order, folder.path() + "/absent/net");
    TrainingTestMonitor monitor;
    const auto outcome = run_training(order, material_data(50), monitor);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().find("cannot be written") != std::string::npos);
    CHECK(monitor.batches == 0);
    for (const bool is_table : {false, true}) {
        TrainingOrder half = small_order(folder);
        (is_table ? half.table : half.picture) = folder.path() + "/absent/losses";
        CHECK_FALSE(run_training(half, material_data(50), monitor));
        CHECK(monitor.batches == 0);
    }
}

TEST_CASE("a table or a picture that somebody holds does not end a training", "[training]") {
    const Dataset data = material_data(100);
    const TemporaryFolder folder;
    TrainingOrder order = small_order(folder);
    TrainingTestMonitor monitor;
    REQUIRE(run_training(order, data, monitor));
    const std::string network = *read_file(order.out);
    const std::string losses = *read_file(order.table);
    const std::string picture = *read_file(order.picture);
    for (std::string TrainingOrder::*file : {&TrainingOrder::table, &TrainingOrder::picture}) {
        BlockingMonitor blocking(order.*file, "epoch 1/", "epoch 3/");
        const auto outcome = run_training(order, data, blocking);
        REQUIRE((outcome && *outcome));
        CHECK(times(blocking.text, "cannot be written") == 2);
        CHECK(*read_file(order.out) == network);
        CHECK(*read_file(order.table) == losses);
        CHECK(*read_file(order.picture) == picture);
    }
    // In the end it is told, and the same command only writes what is missing.
    BlockingMonitor blocking(order.table, "epoch 3/", "never");
    const auto outcome = run_training(order, data, blocking);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().find("net.csv' cannot be written") != std::string::npos);
    CHECK(*read_file(order.out) == network);
    std::filesystem::remove_all(order.table);
    TrainingTestMonitor again;
    const auto done = run_training(order, data, again);
    REQUIRE((done && *done));
    CHECK(again.batches == 0);
    CHECK(*read_file(order.table) == losses);
    CHECK_FALSE(file_exists(order.out + ".state"));
}

TEST_CASE("a state goes with every digit of the settings", "[training]") {
    const Dataset data = material_data(50);
    const TemporaryFolder folder;
    TrainingOrder order = small_order(folder);
    TrainingTestMonitor stopping(1);
    REQUIRE_FALSE(*run_training(order, data, stopping));
    TrainingOrder other = order;
    SECTION("of the rate") {
        other.trainer.rate += 1e-9;
    }
    SECTION("of the share of results") {
        other.trainer.result_share += 1e-9;
    }
    TrainingTestMonitor monitor;
    const auto refused = run_training(other, data, monitor);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().find("other settings or data") != std::string::npos);
    CHECK(run_training(order, data, monitor));
    // The network tells of the settings as those made before do.
    const auto network = read_network_file(order.out, "English");
    REQUIRE(network);
    CHECK(
        network->description.ends_with(", rate 0.003000, batch 300, result share 0.3000, seed 1"));
}

TEST_CASE("a state that is damaged or of another kind is refused", "[training]") {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/state";
    const StateKind kind = {"cook", "a dinner", "guests"};
    REQUIRE_FALSE(write_state(path, kind, "settings 1", std::string("a\0b\n", 4)));
    const Result<std::string> state = read_state(path, kind, "settings 1");
    REQUIRE(state);
    CHECK(*state == std::string("a\0b\n", 4));
    const Result<std::string> other = read_state(path, kind, "settings 2");
    REQUIRE_FALSE(other);
    CHECK(other.error().find("a dinner with other guests (settings 1)") != std::string::npos);
    CHECK_FALSE(read_state(path, {"eat", "a dinner", "guests"}, "settings 1"));
    const std::string whole = *read_file(path);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        folder.write("state", whole.substr(0, size));
        CHECK_FALSE(read_state(path, kind, "settings 1"));
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        folder.write("state", damaged);
        CHECK_FALSE(read_state(path, kind, "settings 1"));
    }
}

TEST_CASE("data are read from files of the game only", "[training]") {
    const TemporaryFolder folder;
    folder.write("a", selfplay_file("english"));
    folder.write("b", selfplay_file("english", 30));
    folder.write("russian", selfplay_file("russian"));
    std::string text = selfplay_file("english");
    folder.write("torn", text.substr(0, text.size() - 1));
    text[text.size() - 20] ^= 1;
    folder.write("damaged", text);
    folder.write("other", "This is no file of self-play, but some text.\n");
    const auto path = [&](const char* name) { return folder.path() + '/' + name; };
    const DatasetSettings settings{"english", 0.25, 4};

    const Result<Dataset> data = read_dataset({path("a"), path("b")}, settings);
    REQUIRE(data);
    CHECK(data->games == 94);
    CHECK(data->training.size() + data->holdout.size() == 188);
    CHECK(data->holdout.size() == 2 * data->holdout_games);
    CHECK(data->unfinished_files == 0);
    const Result<Dataset> turned = read_dataset({path("b"), path("a")}, settings);
    REQUIRE(turned);
    CHECK(turned->fingerprint != data->fingerprint);
    const Result<Dataset> torn = read_dataset({path("a"), path("torn")}, settings);
    REQUIRE(torn);
    CHECK(torn->unfinished_files == 1);

    const auto problem = [&](std::vector<std::string> files) {
        const Result<Dataset> result = read_dataset(files, settings);
        return result ? std::string() : result.error();
    };
    CHECK(problem({path("a"), path("russian")}).find("is of the game russian") !=
          std::string::npos);
    CHECK(problem({path("damaged")}).find("damaged") != std::string::npos);
    CHECK(problem({path("other")}).find("not a file of self-play") != std::string::npos);
    CHECK(problem({path("absent")}).find("absent") != std::string::npos);
    CHECK(problem({path("torn")}).find("no position") != std::string::npos);
    CHECK(problem({}).find("no position") != std::string::npos);
    const Result<Dataset> none_held_out = read_dataset({path("a")}, {"english", 0, 1});
    REQUIRE_FALSE(none_held_out);
    CHECK(none_held_out.error().find("--holdout") != std::string::npos);
}

TEST_CASE("losses are shown as a table and as a picture", "[training]") {
    std::vector<EpochLosses> history = {{0.001, 0.08, 0.04}, {0.0005, 0.035, 0.034}};
    CHECK(loss_table(history) ==
          "epoch,rate,training_loss,holdout_loss\n"
          "1,0.001000,0.080000,0.040000\n"
          "2,0.000500,0.035000,0.034000\n");
    for (const std::size_t epochs : {1, 2, 25, 1000}) {
        history.resize(epochs, {0.0001, 0.03, 0.0325});
        const std::string picture = loss_picture(history, "a < b & \"c\"");
        CHECK(picture.starts_with("<svg "));
        CHECK(picture.ends_with("</svg>\n"));
        CHECK(times(picture, "<polyline ") == 2);
        CHECK(times(picture, "<circle ") == 2 * static_cast<int>(epochs));
        CHECK(times(picture, "a &lt; b &amp; ") == 1);
        CHECK(times(picture, "<text ") == times(picture, "</text>"));
        CHECK(times(picture, "<g ") == times(picture, "</g>"));
        CHECK(times(picture, "\"") % 2 == 0);
        CHECK(times(picture, "nan") == 0);
        CHECK(times(picture, "<text ") < 30);
    }
    // Losses that do not change at all.
    const std::vector<EpochLosses> flat(3, {0.001, 0.0, 0.0});
    CHECK(times(loss_picture(flat, ""), "nan") == 0);
}
