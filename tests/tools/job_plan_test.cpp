#include <catch2/catch.hpp>

#include <string>
#include <string_view>

#include <tools/support/job_plan.hpp>

using namespace defiance;

namespace {

JobPlan small_plan() {
    JobPlan plan("Three jobs.", 2);
    const auto first = plan.add("do this", "d/this", {});
    const auto second = plan.add("do that", "d/that", {});
    plan.add_with_mark("join", "d/done", {first, second});
    return plan;
}

}  // namespace

TEST_CASE("a plan is a Makefile with a rule for each job", "[tools][plan]") {
    const std::string text = small_plan().text(JobPlan::Format::make);
    const std::string rules = text.substr(text.find("DEFIANCE ?="));
    CHECK(text.starts_with("# Three jobs.\n"));
    CHECK(rules ==
          "DEFIANCE ?= defiance\n"
          "# Another plan of the same files may have other settings.\n"
          "PLAN := $(wildcard $(lastword $(MAKEFILE_LIST)))\n"
          "\n"
          "all: \\\n  d/this \\\n  d/that \\\n  d/done\n"
          ".PHONY: all\n"
          "\n"
          "d/this: $(PLAN)\n\t$(DEFIANCE) do this && touch -c d/this\n"
          "\n"
          "d/that: $(PLAN)\n\t$(DEFIANCE) do that && touch -c d/that\n"
          "\n"
          "d/done: $(PLAN) \\\n  d/this \\\n  d/that\n\t$(DEFIANCE) join && touch d/done\n");
}

TEST_CASE("a shard is a number below that of all shards", "[tools][plan]") {
    constexpr Option options[] = {text_option("shard")};
    const Syntax syntax = {options, "", 0, 0};
    const auto read = [&](std::string_view text) {
        const std::string_view words[] = {"--shard", text};
        const auto arguments = Arguments::parse(syntax, words);
        REQUIRE(arguments);
        return shard_given(*arguments, 20);
    };
    const auto shard = read("3/20");
    REQUIRE(shard);
    CHECK(shard->number == 3);
    CHECK(shard->of == 20);
    for (const std::string_view wrong : {"20/20", "0/21", "0/0", "-1/3", "1", "/", "1/", "1/2/3"}) {
        INFO(wrong);
        CHECK_FALSE(read(wrong));
    }
    const auto arguments = Arguments::parse(syntax, {});
    REQUIRE(arguments);
    CHECK(shard_given(*arguments, 20)->of == 1);
}

TEST_CASE("a plan for Slurm has an array for each step", "[tools][plan]") {
    const std::string text = small_plan().text(JobPlan::Format::slurm);
    CHECK(text.starts_with("#!/bin/sh\n# Three jobs.\n"));
    CHECK(text.find("--cpus-per-task=2 ") != std::string::npos);
    CHECK(text.substr(text.find("\nlatest=\n")) ==
          "\nlatest=\n"
          "submit 2 'case $SLURM_ARRAY_TASK_ID in\n"
          "1) \"$DEFIANCE\" do this ;;\n"
          "2) \"$DEFIANCE\" do that ;;\n"
          "esac'\n"
          "after=$latest\n"
          "\nlatest=\n"
          "submit 1 'case $SLURM_ARRAY_TASK_ID in\n"
          "1) \"$DEFIANCE\" join && touch d/done ;;\n"
          "esac'\n"
          "after=$latest\n");
}

TEST_CASE("a step of more jobs than Slurm takes in an array has several", "[tools][plan]") {
    JobPlan plan("Many jobs.", 1);
    for (int i = 0; i < 2001; ++i)
        plan.add("do " + std::to_string(i), "f" + std::to_string(i), {});
    const std::string text = plan.text(JobPlan::Format::slurm);
    for (const char* part :
         {"\nsubmit 1000 'case $SLURM_ARRAY_TASK_ID in\n1) \"$DEFIANCE\" do 0 ;;",
          "\nsubmit 1000 'case $SLURM_ARRAY_TASK_ID in\n1) \"$DEFIANCE\" do 1000 ;;",
          "\nsubmit 1 'case $SLURM_ARRAY_TASK_ID in\n1) \"$DEFIANCE\" do 2000 ;;"})
        CHECK(text.find(part) != std::string::npos);
    CHECK(text.find("after=$latest") == text.rfind("after=$latest"));
}

TEST_CASE("the jobs of an array fit into one argument of a program", "[tools][plan]") {
    constexpr std::size_t longest_argument = 131'071;  // of Linux
    constexpr int jobs = 2000;
    JobPlan plan("Long jobs.", 1);
    for (int i = 0; i < jobs; ++i)
        plan.add("do " + std::string(400, 'x'), "f" + std::to_string(i), {});
    CHECK_FALSE(plan.check());
    const std::string text = plan.text(JobPlan::Format::slurm);
    int submitted = 0;
    for (std::size_t at = text.find("\nsubmit "); at < text.size();) {
        const std::size_t end = text.find("esac'\n", at);
        REQUIRE(end < text.size());
        CHECK(end - at < longest_argument);
        const int count = std::stoi(text.substr(at + std::string_view("\nsubmit ").size()));
        const std::string last = '\n' + std::to_string(count) + ") \"$DEFIANCE\" do ";
        CHECK(text.substr(at, end - at).find(last) != std::string::npos);
        submitted += count;
        at = text.find("\nsubmit ", end);
    }
    CHECK(submitted == jobs);
}

TEST_CASE("a command that no program can be given is no job", "[tools][plan]") {
    JobPlan plan("One long job.", 1);
    plan.add("join " + std::string(JobPlan::max_command_bytes, 'x'), "all", {});
    const auto error = plan.check();
    REQUIRE(error);
    CHECK_THAT(error->text, Catch::Contains("fewer shards"));
}

TEST_CASE("a plan takes only words that mean nothing else to a shell", "[tools][plan]") {
    for (const char* word : {"a", "databases/english", "/x_1/y-2.3,4+5@6"})
        CHECK(is_plain_word(word));
    for (const char* word :
         {"",     "-a",  "a b", "a'b", "a\"b", "$a",   "`a`", "a;b", "a&b",  "a|b",     "a>b",
          "a\nb", "a#b", "a:b", "a%b", "a=b",  "a\\b", "~",   "*",   "a(b)", "\xC3\xA4"})
        CHECK_FALSE(is_plain_word(word));
}
