#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <tools/training/loss_picture.hpp>
#include <tools/training/training_run.hpp>

#include "../base/temporary.hpp"
#include "training_order.hpp"
#include "training_samples.hpp"

using namespace defiance;

TEST_CASE("a training does not write what it reads", "[training]") {
    const TemporaryFolder folder;
    TrainingOrder order = small_order(folder);
    folder.write("games.dfr", "games");
    order.files = {folder.path() + "/./games.dfr"};
    order.start_file = folder.path() + "/begin.net";
    CHECK_FALSE(check_files(order));
    for (std::string TrainingOrder::*output :
         {&TrainingOrder::out, &TrainingOrder::table, &TrainingOrder::picture}) {
        TrainingOrder wrong = order;
        wrong.*output = folder.path() + "/games.dfr";
        const auto error = check_files(wrong);
        REQUIRE(error);
        CHECK_THAT(error->text, Catch::Contains(" and --data are the same file, "));
        CHECK_THAT(error->text, Catch::Contains("games.dfr"));
    }
    order.out = folder.path() + "/begin.net";
    CHECK(check_files(order));
}

TEST_CASE("a training writes files that are all different", "[training]") {
    const TemporaryFolder folder;
    const TrainingOrder order = small_order(folder);
    for (std::string TrainingOrder::*output : {&TrainingOrder::table, &TrainingOrder::picture})
        for (const char* extension : {"", ".state"}) {
            TrainingOrder wrong = order;
            wrong.*output = order.out + extension;
            CHECK(check_files(wrong));
        }
    TrainingOrder wrong = order;
    wrong.picture = folder.path() + "/./net.csv";
    const auto error = check_files(wrong);
    REQUIRE(error);
    CHECK_THAT(error->text, Catch::StartsWith("--csv and --svg are the same file, "));
}

TEST_CASE("a training replaces no file of another kind", "[training]") {
    const TemporaryFolder folder;
    const TrainingOrder order = small_order(folder);
    folder.write("games.pdn", "1. 11-15 *\n");
    folder.write("other.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n");
    folder.write("results.csv", "name,points\n");
    for (std::string TrainingOrder::*output :
         {&TrainingOrder::out, &TrainingOrder::table, &TrainingOrder::picture})
        for (const char* name : {"/games.pdn", "/other.svg", "/results.csv"}) {
            TrainingOrder wrong = order;
            wrong.*output = folder.path() + name;
            const auto error = check_files(wrong);
            REQUIRE(error);
            CHECK(error->text == wrong.*output + " is another file and is not overwritten");
        }
    // Those that a training leaves when it is killed at once, and when it is over.
    const std::vector<EpochLosses> losses = {{0.001, 0.08, 0.04}};
    folder.write("net.csv", "");
    folder.write("net.svg", "");
    CHECK_FALSE(check_files(order));
    folder.write("net", "DEFIEVAL and more");
    folder.write("net.csv", loss_table(losses) + "rounded,,,0.04\n");
    folder.write("net.svg", loss_picture(losses, "net"));
    CHECK_FALSE(check_files(order));
}

TEST_CASE("a training replaces no network but its own", "[training]") {
    const Dataset data = material_data(50);
    const TemporaryFolder folder;
    const TrainingOrder order = small_order(folder);
    TrainingTestMonitor monitor;
    REQUIRE(run_training(order, data, monitor));
    const std::string network = *read_file(order.out);
    REQUIRE(run_training(order, data, monitor));
    CHECK(*read_file(order.out) == network);
    const std::string losses = *read_file(order.table);
    TrainingOrder other = order;
    other.trainer.epochs = 1;
    for (const auto& outcome :
         {run_training(other, data, monitor), run_training(order, material_data(60), monitor)}) {
        REQUIRE_FALSE(outcome);
        CHECK_THAT(outcome.error(), Catch::Contains("net' is a network of other settings or data; "
                                                    "delete it, or name another --out"));
    }
    CHECK(*read_file(order.out) == network);
    CHECK(*read_file(order.table) == losses);
    CHECK_FALSE(file_exists(order.out + ".state"));
    remove_file(order.out);
    CHECK(run_training(other, data, monitor));
}

TEST_CASE("a training with a description of its own replaces no network", "[training]") {
    const Dataset data = material_data(50);
    const TemporaryFolder folder;
    TrainingOrder order = small_order(folder);
    order.description = "the second";
    TrainingTestMonitor stopping(1);
    REQUIRE_FALSE(*run_training(order, data, stopping));
    TrainingTestMonitor monitor;
    REQUIRE(run_training(order, data, monitor));  // goes on
    const std::string network = *read_file(order.out);
    TrainingOrder other = order;
    other.trainer.epochs = 1;
    for (const TrainingOrder& wrong : {order, other}) {
        const auto outcome = run_training(wrong, data, monitor);
        REQUIRE_FALSE(outcome);
        CHECK_THAT(outcome.error(),
                   Catch::Contains("net' is there already, and with --description "));
    }
    CHECK(*read_file(order.out) == network);
    CHECK_FALSE(file_exists(order.out + ".state"));
    other.description.clear();
    CHECK_FALSE(run_training(other, data, monitor));
    folder.write("net", "");
    CHECK(run_training(order, data, monitor));
}

TEST_CASE("a training reads no file twice", "[training]") {
    const TemporaryFolder folder;
    folder.write("a.dfr", "games");
    folder.write("b.dfr", "games");
    TrainingOrder order = small_order(folder);
    order.files = {folder.path() + "/a.dfr", folder.path() + "/b.dfr"};
    CHECK_FALSE(check_files(order));
    order.files.push_back(folder.path() + "/./a.dfr");
    const auto error = check_files(order);
    REQUIRE(error);
    CHECK_THAT(error->text, Catch::StartsWith("--data names the same file twice, "));
}
