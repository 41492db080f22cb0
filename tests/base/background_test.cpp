#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

#include <defiance/base/background.hpp>
#include <defiance/base/clock.hpp>
#include <defiance/base/system.hpp>

using namespace defiance;

namespace {

using Flag = std::shared_ptr<std::atomic<bool>>;

Flag new_flag() {
    return std::make_shared<std::atomic<bool>>(false);
}

/// Waits until it is set, for ten seconds at most.
bool is_set_in_time(const Flag& flag) {
    for (int i = 0; i < 2000 && !*flag; ++i)
        sleep_milliseconds(5);
    return *flag;
}

/// Tells in `flag` when the task that holds it is gone.
std::shared_ptr<void> told_when_gone(const Flag& flag) {
    return {nullptr, [flag](void*) { *flag = true; }};
}

}  // namespace

TEST_CASE("a task runs once, on another thread", "[base][background]") {
    const auto runs = std::make_shared<std::atomic<int>>(0);
    const Flag is_elsewhere = new_flag();
    const Flag is_gone = new_flag();
    REQUIRE(run_in_background(
        [runs, is_elsewhere, here = std::this_thread::get_id(), held = told_when_gone(is_gone)] {
            *is_elsewhere = std::this_thread::get_id() != here;
            ++*runs;
        }));
    REQUIRE(is_set_in_time(is_gone));
    CHECK(*runs == 1);
    CHECK(*is_elsewhere);
    CHECK(is_module_pinned());
}

TEST_CASE("what a task throws ends neither the process nor later tasks", "[base][background]") {
    const Flag is_gone = new_flag();
    REQUIRE(run_in_background(
        [held = told_when_gone(is_gone)] { throw std::runtime_error("nobody hears this"); }));
    CHECK(is_set_in_time(is_gone));
    const Flag has_run = new_flag();
    REQUIRE(run_in_background([has_run] { *has_run = true; }));
    CHECK(is_set_in_time(has_run));
}

TEST_CASE("a task does not run before its time", "[base][background]") {
    constexpr double seconds = 0.3;
    // A timer of Windows may be a tick of 16 ms early.
    constexpr double tolerance = 0.02;
    const auto ran_after = std::make_shared<std::atomic<double>>(0.0);
    const Flag has_run = new_flag();
    const Stopwatch stopwatch;
    REQUIRE(run_in_background(
        [=] {
            *ran_after = stopwatch.seconds();
            *has_run = true;
        },
        seconds, [] { return true; }));
    REQUIRE(is_set_in_time(has_run));
    CHECK(*ran_after >= seconds - tolerance);
}

#ifndef _WIN32
TEST_CASE("a task that is no longer wanted never runs", "[base][background]") {
    const Flag is_wanted = new_flag();
    *is_wanted = true;
    const Flag has_run = new_flag();
    const Flag is_gone = new_flag();
    // Far beyond the time within which its thread asks again.
    constexpr double seconds = 60;
    REQUIRE(run_in_background([has_run, held = told_when_gone(is_gone)] { *has_run = true; },
                              seconds, [is_wanted] { return is_wanted->load(); }));
    *is_wanted = false;
    CHECK(is_set_in_time(is_gone));
    CHECK_FALSE(*has_run);
}
#endif
