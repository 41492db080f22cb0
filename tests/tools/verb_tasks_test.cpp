#include <tools/support/verb_tasks.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace defiance;

namespace {

std::string last_run;

ExitCode run_nothing(const Arguments&) {
    last_run = "nothing";
    return exit_done;
}
ExitCode run_show(const Arguments&) {
    last_run = "show";
    return exit_no;
}

constexpr VerbTask tasks_of_test[] = {
    {"", "games out", 0, run_nothing},
    {"plan", "games out shards", 0, run_nothing},
    {"show", "sharp", 1, run_show},
    {"join", "shards", VerbTask::any_words, run_nothing},
};
constexpr Option options_of_test[] = {integer_option("games", 1, 10), text_option("out"),
                                      integer_option("shards", 1, 10), flag_option("sharp"),
                                      flag_option("spare")};

Arguments arguments_of(const std::vector<std::string_view>& words) {
    const Syntax verb_syntax = {options_of_test, "a task", 0, 100};
    auto arguments = Arguments::parse(verb_syntax, words);
    REQUIRE(arguments);
    return *arguments;
}

/// What is wrong with the words for the task of this number, or an empty text.
std::string fault_of(std::size_t task, const std::vector<std::string_view>& words) {
    const auto error = check_task(tasks_of_test[task], tasks_of_test, arguments_of(words));
    return error ? error->text : "";
}

}  // namespace

TEST_CASE("a task takes its own options and words only", "[tools]") {
    CHECK(fault_of(0, {"--games", "3", "--game", "czech"}).empty());
    CHECK(fault_of(0, {"--shards", "3"}) == "--shards goes with plan and join");
    CHECK(fault_of(1, {"plan", "--shards", "3"}).empty());
    CHECK(fault_of(1, {"plan", "--sharp"}) == "--sharp goes with show");
    CHECK(fault_of(1, {"plan", "more"}) == "'more' is one word too many");
    CHECK(fault_of(2, {"show", "a", "--sharp"}).empty());
    CHECK(fault_of(2, {"show", "a", "b"}) == "'b' is one word too many");
    CHECK(fault_of(2, {"show", "--spare"}) == "--spare goes with no task");
    CHECK(fault_of(3, {"join", "a", "b", "c", "d"}).empty());
}

TEST_CASE("the first word chooses the task", "[tools]") {
    CHECK(run_task("try", tasks_of_test, arguments_of({"show", "a"})) == exit_no);
    CHECK(last_run == "show");
    CHECK(run_task("try", tasks_of_test, arguments_of({})) == exit_done);
    CHECK(last_run == "nothing");
    last_run.clear();
    CHECK(run_task("try", tasks_of_test, arguments_of({"shown"})) == exit_wrong_input);
    CHECK(run_task("try", tasks_of_test, arguments_of({""})) == exit_wrong_input);
    CHECK(run_task("try", tasks_of_test, arguments_of({"show", "--games", "1"})) ==
          exit_wrong_input);
    CHECK(last_run.empty());
    // A verb that always needs a task.
    CHECK(run_task("try", std::span(tasks_of_test).subspan(1), arguments_of({})) ==
          exit_wrong_input);
}
