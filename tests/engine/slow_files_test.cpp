// Books and networks on a drive that is slow or does not answer.

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include <defiance/base/system.hpp>
#include <defiance/engine/book_keeper.hpp>
#include <defiance/engine/network_keeper.hpp>
#include <engine/slow_work.hpp>

#include "../base/temporary.hpp"
#include "../eval/random_network.hpp"
#include "background_work.hpp"
#include "scripted_core.hpp"

using namespace defiance;
using namespace defiance::test;

namespace {

const GameRules& english_rules = rules_of<English>;

/// A book in a file that has a move for the position before the first move.
std::string small_book() {
    const Position first = english_rules.start_position();
    const Result<std::string> book =
        make_book(english_rules, {{first, {{*quiet_move(first), 0, 20, 200}}}}, "");
    REQUIRE(book);
    return *book;
}

/// Waits for long, and is never interrupted.
FileWait patient() {
    return {[](std::string_view) { return false; }, 60};
}

/// Wants the move when it is asked for the first time.
FileWait impatient() {
    return {[](std::string_view) { return true; }, 60};
}

std::optional<BookChoice> chosen(BookKeeper& keeper, const FileWait& wait) {
    return keeper.choose(Game(english_rules, english_rules.start_position()), BookUse::best, {},
                         wait);
}

/// Opens books behind a door, and counts them.
struct SlowOpener {
    Door door;
    std::atomic<int> openings = 0;

    [[nodiscard]] BookOpener opener() {
        return [this, wait = door.waiting()](const GameRules& game, const std::string& path) {
            ++openings;
            wait();
            return open_book(game, path);
        };
    }
};

constexpr const char* ask_again = "being opened; ask again in a few seconds";

}  // namespace

TEST_CASE("nobody waits for a book on a drive that does not answer", "[engine][book]") {
    const TemporaryFile file(small_book());
    SlowOpener slow;
    const auto keeper =
        std::make_shared<BookKeeper>(scripted_core(), file.path(), 1, slow.opener());
    for (int i = 0; i < 3; ++i)
        CHECK_FALSE(chosen(*keeper, impatient()));
    CHECK(keeper->path() == file.path());
    CHECK(keeper->report() == ask_again);
    slow.door.open();
    CHECK(asked_patiently([&] { return keeper->report(); }) == "1 positions in " + file.path());
    CHECK(slow.openings == 1);
    CHECK(chosen(*keeper, patient()));
}

TEST_CASE("a move waits for a book that is opened slowly", "[engine][book]") {
    const TemporaryFile file(small_book());
    std::string awaited;
    FileWait wait = patient();
    const auto keeper = std::make_shared<BookKeeper>(
        scripted_core(), file.path(), 1, [](const GameRules& game, const std::string& path) {
            sleep_milliseconds(100);
            return open_book(game, path);
        });
    wait.is_interrupted = [&](std::string_view what) {
        awaited = what;
        return false;
    };
    const auto choice = chosen(*keeper, wait);
    REQUIRE(choice);
    CHECK(choice->move.move == *quiet_move(english_rules.start_position()));
    CHECK(awaited == "opening the book");
}

TEST_CASE("a book that does not open costs the patience of one move", "[engine][book]") {
    SlowOpener slow;
    const auto keeper =
        std::make_shared<BookKeeper>(scripted_core(), "/no/such.book", 1, slow.opener());
    int questions = 0;
    const FileWait wait{[&](std::string_view) {
                            ++questions;
                            return false;
                        },
                        0.05};
    CHECK_FALSE(chosen(*keeper, wait));
    questions = 0;
    for (int i = 0; i < 3; ++i)
        CHECK_FALSE(chosen(*keeper, wait));
    CHECK(questions == 0);
    for (int i = 0; i < 2000 && slow.openings == 0; ++i)
        sleep_milliseconds(5);
    sleep_milliseconds(100);
    slow.door.open();
    CHECK(asked_patiently([&] { return keeper->report(); }).find("none; ") == 0);
    // What failed slowly is not tried again for a while.
    CHECK_FALSE(chosen(*keeper, patient()));
    CHECK(slow.openings == 1);
}

TEST_CASE("a book that is set while another one is opened stays", "[engine][book]") {
    const TemporaryFile old(small_book());
    const TemporaryFile other(small_book());
    Door door;
    const auto keeper = std::make_shared<BookKeeper>(
        scripted_core(), old.path(), 1,
        [&, wait = door.waiting()](const GameRules& game, const std::string& path) {
            if (path == old.path()) wait();
            return open_book(game, path);
        });
    CHECK_FALSE(chosen(*keeper, impatient()));
    REQUIRE(keeper->set(other.path()));
    CHECK(keeper->path() == other.path());
    CHECK(keeper->report() == "1 positions in " + other.path());
    CHECK(chosen(*keeper, patient()));
    door.open();
    CHECK(chosen(*keeper, patient()));
    CHECK(keeper->report() == "1 positions in " + other.path());
}

TEST_CASE("a keeper may go while its book is being opened", "[engine][book]") {
    const auto opened = std::make_shared<std::atomic<bool>>(false);
    const TemporaryFile file(small_book());
    {
        Door door;
        const auto keeper = std::make_shared<BookKeeper>(
            scripted_core(), file.path(), 1,
            [opened, wait = door.waiting()](const GameRules& game, const std::string& path) {
                wait();
                auto book = open_book(game, path);
                *opened = true;
                return book;
            });
        CHECK_FALSE(chosen(*keeper, impatient()));
    }
    CHECK(becomes_true(*opened));
}

TEST_CASE("nobody waits for a network on a drive that does not answer", "[engine]") {
    Random random(5);
    const auto user = std::make_shared<const Network>(testing::random_network(random, 64, 1));
    Door door;
    const auto keeper = std::make_shared<NetworkKeeper>(
        scripted_core(), "/slow.net",
        [&, wait = door.waiting()](const GameRules&,
                                   const std::string&) -> Result<std::shared_ptr<const Network>> {
            wait();
            return user;
        });
    const Network* const embedded = &scripted_core().embedded_network();
    for (int i = 0; i < 3; ++i)
        CHECK(keeper->network(impatient()).get() == embedded);
    CHECK(keeper->path() == "/slow.net");
    CHECK(keeper->report() == "/slow.net is being read; ask again in a few seconds");
    door.open();
    CHECK(asked_patiently([&] { return keeper->report(); }).find("/slow.net, network of 64") == 0);
    CHECK(keeper->network(impatient()) == user);
}

TEST_CASE("a network that is set while another one is read stays", "[engine]") {
    Random random(6);
    const auto old = std::make_shared<const Network>(testing::random_network(random, 64, 1));
    Door door;
    std::atomic<bool> is_begun = false;
    std::atomic<bool> is_read = false;
    const auto keeper = std::make_shared<NetworkKeeper>(
        scripted_core(), "/slow.net",
        [&, old, wait = door.waiting()](
            const GameRules&, const std::string&) -> Result<std::shared_ptr<const Network>> {
            is_begun = true;
            wait();
            is_read = true;
            return old;
        });
    static_cast<void>(keeper->network(impatient()));
    // The thread that reads may begin late, and then finds that there is nothing left to read.
    REQUIRE(becomes_true(is_begun));
    REQUIRE(keeper->set(""));
    door.open();
    REQUIRE(becomes_true(is_read));
    sleep_milliseconds(20);
    CHECK(keeper->network(patient()) != old);
    CHECK(keeper->path().empty());
}

TEST_CASE("a network that there was no memory to read is read again", "[engine]") {
    Random random(7);
    const auto user = std::make_shared<const Network>(testing::random_network(random, 64, 1));
    std::atomic<int> attempts = 0;
    const auto keeper = std::make_shared<NetworkKeeper>(
        scripted_core(), "/some.net",
        [&](const GameRules&, const std::string&) -> Result<std::shared_ptr<const Network>> {
            if (++attempts == 1) throw std::bad_alloc();
            return user;
        });
    CHECK(keeper->network(patient()) != user);
    CHECK(keeper->network(patient()) == user);
    CHECK(attempts == 2);
}

TEST_CASE("slow work is done one task at a time, whatever it throws", "[engine]") {
    const auto work = std::make_shared<SlowWork>();
    CHECK(work->run([] { throw std::runtime_error("nobody hears this"); }, "", patient()));
    Door door;
    std::atomic<int> done = 0;
    const auto slow = [&, wait = door.waiting()] {
        wait();
        ++done;
    };
    CHECK_FALSE(work->run(slow, "", impatient()));
    // One that is not waited for to the end has not even begun.
    CHECK_FALSE(work->run([&] { done += 100; }, "", impatient()));
    door.open();
    CHECK(work->run([&] { done += 10; }, "", patient()));
    CHECK(done == 11);
}
