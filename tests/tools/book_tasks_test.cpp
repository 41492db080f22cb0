#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <defiance/base/file.hpp>
#include <tools/book/tasks.hpp>
#include <tools/support/games.hpp>

#include "../base/temporary.hpp"
#include "../book/book_support.hpp"

namespace defiance {
namespace {

constexpr Option book_task_options[] = {text_option("out"),
                                        text_option("dir"),
                                        integer_option("positions", 1, 1000),
                                        flag_option("userbook"),
                                        integer_option("threads", 1, 9),
                                        integer_option("games", 1, 9),
                                        text_option("store")};

/// Runs a task as `defiance book` does; the words begin with its name.
ExitCode run_book_task(ExitCode (*task)(const Arguments&), const std::vector<std::string>& words) {
    const std::vector<std::string_view> given(words.begin(), words.end());
    const auto arguments = Arguments::parse({book_task_options, "a task", 1, 10}, given);
    REQUIRE(arguments);
    return task(*arguments);
}

/// The bytes of an English book of some pages that knows the start position.
std::string english_book() {
    Random random(1516);
    const GameRules& rules = find_game("english")->rules;
    const auto bytes = make_book(rules, testing::random_book(rules, random, 900), "a test");
    REQUIRE(bytes);
    return *bytes;
}

std::string file_content(const std::string& path) {
    const auto content = read_file(path);
    REQUIRE(content);
    return *content;
}

}  // namespace

TEST_CASE("a book that is read is never written", "[book]") {
    const TemporaryFolder folder;
    const std::string bytes = english_book();
    folder.write("a.book", bytes);
    folder.write("b.book", bytes);
    const std::string a = folder.path() + "/a.book";
    const std::string b = folder.path() + "/b.book";
    CHECK(run_book_task(merge_books, {"merge", a, b, a}) == exit_wrong_input);
    CHECK(run_book_task(merge_books, {"merge", folder.path() + "/./a.book", a, b}) ==
          exit_wrong_input);
    CHECK(run_book_task(export_book, {"export", a, "--out", a}) == exit_wrong_input);
    CHECK(run_book_task(export_book, {"export", a, "--userbook", "--out", a}) == exit_wrong_input);
    CHECK(run_book_task(import_book, {"import", a, "--out", a}) == exit_wrong_input);
    CHECK((file_content(a) == bytes && file_content(b) == bytes));
}

TEST_CASE("a book is checked by its file, and named", "[book]") {
    const TemporaryFolder folder;
    folder.write("a.book", "no book");
    CHECK(run_book_task(verify_book, {"verify", folder.path() + "/a.book"}) == exit_no);
    CHECK(run_book_task(verify_book, {"verify"}) == exit_wrong_input);
    CHECK(run_book_task(verify_book, {"verify", "--threads", "2", folder.path() + "/a.book"}) ==
          exit_wrong_input);
    CHECK(run_book_task(verify_book, {"verify", "--game", "chess", "a.book"}) == exit_wrong_input);
    // A wrong name is no damage.
    folder.write("b.book", english_book());
    const std::string english = folder.path() + "/b.book";
    CHECK(run_book_task(verify_book, {"verify", english}) == exit_done);
    CHECK(run_book_task(verify_book, {"verify", "--game", "czech", english}) == exit_wrong_input);
    CHECK(run_book_task(verify_book, {"verify", folder.path() + "/none"}) == exit_wrong_input);
    std::string damaged = english_book();
    damaged.back() ^= 1;
    folder.write("c.book", damaged);
    CHECK(run_book_task(verify_book, {"verify", folder.path() + "/c.book"}) == exit_no);
    damaged = english_book();
    damaged.resize(damaged.size() / 2);
    folder.write("c.book", damaged);
    CHECK(run_book_task(verify_book, {"verify", folder.path() + "/c.book"}) == exit_no);
}

TEST_CASE("a book is built on a server or in its folder only", "[book]") {
    const TemporaryFolder folder;
    const std::string work = folder.path() + "/work";
    for (const std::string server : {"foo", "redis//127.0.0.1", ""})
        CHECK(run_book_task(build_book, {"build", "--dir", work, "--positions", "3", "--out",
                                         folder.path() + "/a.book", "--store", server}) ==
              exit_wrong_input);
    CHECK_FALSE(std::filesystem::exists(work));
    CHECK_FALSE(std::filesystem::exists("foo"));
}

TEST_CASE("a book of games needs a move that was played often enough", "[book]") {
    const TemporaryFolder folder;
    const std::string out = folder.path() + "/a.book";
    folder.write("one.pdn", "1. 11-15 23-19 1-0\n");
    const std::vector<std::string> words = {"import", folder.path() + "/one.pdn", "--out", out};
    CHECK(run_book_task(import_book, words) == exit_wrong_input);
    CHECK_FALSE(file_exists(out));
    std::vector<std::string> with_games = words;
    with_games.insert(with_games.end(), {"--games", "1"});
    CHECK(run_book_task(import_book, with_games) == exit_done);
    CHECK(file_exists(out));
}

TEST_CASE("a book that cannot be written is not begun", "[book]") {
    const TemporaryFolder folder;
    folder.write("notes", "something else");
    const std::string work = folder.path() + "/work";
    for (const std::string& out : {folder.path() + "/notes", folder.path() + "/absent/a.book"}) {
        CHECK(run_book_task(build_book, {"build", "--dir", work, "--positions", "3", "--out",
                                         out}) == exit_wrong_input);
        CHECK(std::filesystem::is_empty(work));
    }
    CHECK(file_content(folder.path() + "/notes") == "something else");
}

TEST_CASE("no user book is made of a damaged book", "[book][hostile]") {
    const TemporaryFolder folder;
    const std::string bytes = english_book();
    constexpr std::size_t page = 4096;
    REQUIRE(bytes.size() > 4 * page);
    const std::string out = folder.path() + "/user.bin";
    // The start position stands in one of these pages at most.
    for (const std::size_t at : {2 * page, bytes.size() - page}) {
        std::string damaged = bytes;
        damaged[at + 100] = static_cast<char>(damaged[at + 100] ^ 1);
        folder.write("a.book", damaged);
        CHECK(run_book_task(export_book, {"export", folder.path() + "/a.book", "--userbook",
                                          "--out", out}) == exit_wrong_input);
        CHECK_FALSE(file_exists(out));
    }
    folder.write("a.book", bytes);
    CHECK(run_book_task(export_book, {"export", folder.path() + "/a.book", "--userbook", "--out",
                                      out}) == exit_done);
    CHECK(file_exists(out));
}

TEST_CASE("what import accepts is a sound book", "[book]") {
    const TemporaryFolder folder;
    const std::string out = folder.path() + "/a.book";
    folder.write("one_side.txt", "B:W:B2; 2-6 0 1\n");
    CHECK(run_book_task(import_book, {"import", folder.path() + "/one_side.txt", "--out", out}) ==
          exit_wrong_input);
    CHECK_FALSE(file_exists(out));
    folder.write("sound.txt", "B:W30:B2; 2-6 0 1\n");
    folder.write("one_side.pdn", "[FEN \"B:W:B2\"]\n1. 2-6 1-0\n");
    CHECK(run_book_task(import_book, {"import", folder.path() + "/sound.txt",
                                      folder.path() + "/one_side.pdn", "--out", out}) == exit_done);
    CHECK(run_book_task(verify_book, {"verify", out}) == exit_done);
}

}  // namespace defiance
