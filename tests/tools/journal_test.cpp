#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <defiance/base/file.hpp>
#include <defiance/base/system.hpp>
#include <tools/match/engine_log.hpp>
#include <tools/match/journal.hpp>
#include <tools/match/pdn_file.hpp>

using namespace defiance;

namespace {

/// A file that is not there at the beginning and not left behind.
class ScratchFile {
public:
    explicit ScratchFile(const std::string& name)
        : path_(temporary_folder() + "defiance_" + name + ".tmp") {
        remove();
    }
    ~ScratchFile() { remove(); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string content() const { return *read_file(path_); }
    void write(const std::string& text) const {
        std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
    }

private:
    void remove() const {
        std::remove(path_.c_str());
        std::remove((path_ + ".lock").c_str());
    }

    std::string path_;
};

JournalEntry entry_of(std::size_t number, int halves, Ending ending) {
    JournalEntry entry;
    entry.number = number;
    entry.record.first_halves = halves;
    entry.record.ending = ending;
    entry.record.plies = 40 + number;
    entry.record.moves_hash = 1'000'000'007 * number;
    entry.record.first = {20, 2.5, 0.25, 0.004, 20, 200, 20, 5e7, 10, 0.125};
    entry.pdn_bytes = number * 1000;
    return entry;
}

}  // namespace

TEST_CASE("a file grows at its end and can be cut", "[base]") {
    const ScratchFile file("append");
    {
        Result<AppendFile> opened = AppendFile::open(file.path());
        REQUIRE(opened);
        AppendFile appended = *std::move(opened);
        CHECK(appended.size() == 0);
        CHECK(appended.append("one\n"));
        CHECK(appended.append("two\n"));
        CHECK(appended.size() == 8);
        CHECK(file.content() == "one\ntwo\n");
        CHECK(appended.cut(4));
        CHECK(appended.append("three\n"));
    }
    CHECK(file.content() == "one\nthree\n");
    Result<AppendFile> again = AppendFile::open(file.path());
    REQUIRE(again);
    CHECK(again->size() == 10);
    CHECK_FALSE(AppendFile::open("/absent/folder/of/nobody"));
}

TEST_CASE("a journal gives back the games it was told", "[tools][match]") {
    const ScratchFile file("journal");
    {
        Result<Journal> journal = Journal::open(file.path(), "a b --games 4", 77);
        REQUIRE(journal);
        Journal open = *std::move(journal);
        CHECK_FALSE(open.is_resumed());
        CHECK(open.pdn_bytes() == 77);
        CHECK(open.add(entry_of(2, 0, Ending::gone)));
        CHECK(open.add(entry_of(1, 2, Ending::no_move)));
    }
    Result<Journal> journal = Journal::open(file.path(), "a b --games 4", 0);
    REQUIRE(journal);
    CHECK(journal->is_resumed());
    CHECK(journal->pdn_bytes() == 1000);
    REQUIRE(journal->entries().size() == 2);
    const JournalEntry& second = journal->entries().at(2);
    CHECK(second.record.first_halves == 0);
    CHECK(second.record.ending == Ending::gone);
    CHECK(second.record.plies == 42);
    CHECK(second.record.moves_hash == 2'000'000'014);
    CHECK(second.record.first.moves == 20);
    CHECK(second.record.first.longest == 0.25);
    CHECK(second.record.first.sum_of_speeds == 5e7);
    CHECK(second.record.first.overrun == 0.125);
    CHECK(second.record.second.moves == 0);
}

TEST_CASE("whatever a kill leaves of a journal can be gone on with", "[tools][match]") {
    const ScratchFile file("torn_journal");
    {
        Journal journal = *Journal::open(file.path(), "settings", 5);
        REQUIRE(journal.add(entry_of(1, 1, Ending::repetition)));
        REQUIRE(journal.add(entry_of(2, 1, Ending::repetition)));
    }
    const std::string whole = file.content();
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        INFO(length);
        file.write(whole.substr(0, length));
        const std::size_t lines = static_cast<std::size_t>(
            std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
        const std::size_t games = lines == 0 ? 0 : lines - 1;
        {
            Result<Journal> torn = Journal::open(file.path(), "settings", 5);
            REQUIRE(torn);
            Journal journal = *std::move(torn);
            CHECK(journal.entries().size() == games);
            CHECK(journal.pdn_bytes() == (games == 0 ? 5 : games * 1000));
            REQUIRE(journal.add(entry_of(3, 1, Ending::law)));
        }
        const Result<Journal> again = Journal::open(file.path(), "settings", 5);
        REQUIRE(again);
        CHECK(again->entries().size() == games + 1);
    }
}

TEST_CASE("a journal is of one match at a time", "[tools][match]") {
    const ScratchFile file("shared_journal");
    std::string content;
    {
        Journal journal = *Journal::open(file.path(), "settings", 5);
        REQUIRE(journal.add(entry_of(1, 1, Ending::law)));
        content = file.content();
        const Result<Journal> other = Journal::open(file.path(), "settings", 5);
        REQUIRE_FALSE(other);
        CHECK(other.error().find("in use by another program") != std::string::npos);
        CHECK(file.content() == content);
        Journal moved = std::move(journal);
        CHECK_FALSE(Journal::open(file.path(), "settings", 5));
        CHECK(moved.add(entry_of(2, 1, Ending::law)));
    }
    const Result<Journal> again = Journal::open(file.path(), "settings", 5);
    REQUIRE(again);
    CHECK(again->entries().size() == 2);
}

TEST_CASE("a file that is no journal of this match is left alone", "[tools][match]") {
    const ScratchFile file("foreign_journal");
    for (const char* content :
         {"my diary\n", "diary", "defiance-match 1 0 other settings\n",
          "defiance-match 1 0 settings\ngame 1 nonsense\n",
          "defiance-match 1 0 settings\ngame 1 3 L1 5 0 end\n", "defiance-match 2 0 settings\n"}) {
        INFO(content);
        file.write(content);
        CHECK_FALSE(Journal::open(file.path(), "settings", 0));
        CHECK(file.content() == content);
    }
    // Beside what is no journal at all there is no lock, either.
    const ScratchFile diary("diary");
    for (const char* content : {"my diary\n", "diary"}) {
        diary.write(content);
        CHECK_FALSE(Journal::open(diary.path(), "settings", 0));
        CHECK_FALSE(file_exists(diary.path() + ".lock"));
    }
}

TEST_CASE("a journal may have a number of games besides, at one place", "[tools][match]") {
    const ScratchFile file("numbered_journal");
    const std::string content = "defiance-match 1 7 a b --games 4 --time 1\n";
    file.write(content);
    const std::string settings = "a b --time 1";
    CHECK_FALSE(Journal::open(file.path(), settings, 0));
    CHECK_FALSE(Journal::open(file.path(), settings, 0, 1));
    CHECK_FALSE(Journal::open(file.path(), settings, 0, settings.size()));
    CHECK_FALSE(Journal::open(file.path(), "a b --time 2", 0, 3));
    const Result<Journal> journal = Journal::open(file.path(), settings, 0, 3);
    REQUIRE(journal);
    CHECK(journal->is_resumed());
    CHECK(journal->pdn_bytes() == 7);
    CHECK(file.content() == content);
}

TEST_CASE("the PDN of a match that is gone on with has its games", "[tools][match]") {
    const ScratchFile file("match_pdn");
    // Nothing was played yet.
    CHECK(PdnFile::open(file.path(), 0));
    const std::string game = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. 11-15 1-0\n\n";
    file.write(game + game);
    {
        const auto pdn = PdnFile::open(file.path(), 2 * game.size());
        REQUIRE(pdn);
        CHECK(pdn->place() == file.path() + "#2");
    }
    const auto shorter = PdnFile::open(file.path(), 2 * game.size() + 1);
    REQUIRE_FALSE(shorter);
    CHECK(shorter.error().find("lacks games that the state tells of") != std::string::npos);
    CHECK(file.content() == game + game);
    std::remove(file.path().c_str());
    const auto gone = PdnFile::open(file.path(), game.size());
    REQUIRE_FALSE(gone);
    CHECK(gone.error().find("is gone") != std::string::npos);
    CHECK_FALSE(file_exists(file.path()));
    // Without a state any games are taken as they are.
    CHECK(PdnFile::open(file.path(), std::nullopt));
    file.write(game);
    CHECK(PdnFile::open(file.path(), std::nullopt));
    CHECK(file.content() == game);
    // Games of others behind those of the match: whoever takes them out can go on.
    file.write(game + game + game);
    const auto foreign = PdnFile::open(file.path(), game.size());
    REQUIRE_FALSE(foreign);
    CHECK(foreign.error().find("which end at byte " + std::to_string(game.size()) +
                               "; move the others elsewhere") != std::string::npos);
}

TEST_CASE("games are appended to no file of another kind", "[tools][match]") {
    const ScratchFile file("no_pdn");
    for (const std::string& content :
         {std::string("DEFIBOOK\0\1", 10), std::string("1. 11-15 *\n\0", 12),
          std::string("a list of things to buy\n"), std::string("epoch,rate\n1,0.5\n"),
          std::string("2024-01-02 bread\n"), std::string("1 0.5\n2 0.25\n"),
          std::string("to buy:\n- [x] milk\n- [ ] bread [fresh]\n"), std::string("1115 2319\n"),
          std::string("11-\n")}) {
        file.write(content);
        const auto refused = PdnFile::open(file.path(), std::nullopt);
        REQUIRE_FALSE(refused);
        CHECK(refused.error() == file.path() + " is another file, and nothing is added to it");
        CHECK(file.content() == content);
    }
    for (const char* content :
         {"", "\n", "{a comment}", "1. c3-d4", "11-15 22x18 1-0", "; a line\n", "1. 11.15 23.18",
          "1. c3d4 d6:b4:d2 *", "1. 9x18x25",
          "1. 7\xE2\x80\x93"
          "11",
          "The games of 2024\n\n[Event \"a\"]\n", "Mine * Yours *\n[Event \"a\"]\n"}) {
        INFO(content);
        file.write(content);
        CHECK(PdnFile::open(file.path(), std::nullopt));
    }
}

TEST_CASE("what engines print is appended to no file of another kind", "[tools][match]") {
    const ScratchFile file("no_log");
    for (const std::string& content :
         {std::string("DEFIBOOK\0: ", 11), std::string("a line\nb: c\n")}) {
        file.write(content);
        EngineLog log(1);
        const auto refused = log.open(file.path());
        REQUIRE(refused);
        CHECK(refused->text == file.path() + " is another file, and nothing is added to it");
        CHECK(file.content() == content);
    }
    for (const char* content : {"", "Cake: a line\n"}) {
        file.write(content);
        EngineLog log(1);
        CHECK_FALSE(log.open(file.path()));
    }
}

TEST_CASE("a journal of before the moves were numbered can be gone on with", "[tools][match]") {
    const ScratchFile file("old_journal");
    {
        Journal journal = *Journal::open(file.path(), "settings", 5);
        REQUIRE(journal.add(entry_of(1, 1, Ending::law)));
    }
    std::string old = file.content();
    const std::size_t number = old.rfind(" 1000000007 end");
    REQUIRE(number != std::string::npos);
    old.erase(number, 11);
    file.write(old);
    const Result<Journal> journal = Journal::open(file.path(), "settings", 5);
    REQUIRE(journal);
    REQUIRE(journal->entries().size() == 1);
    CHECK(journal->entries().at(1).record.moves_hash == 0);
    CHECK(journal->entries().at(1).record.first.moves == 20);
}
