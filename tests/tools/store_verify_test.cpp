// `defiance store verify` while a program uses the store; the test of the console tool has the
// rest.

#include "store_files.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <tools/maintenance/tasks.hpp>
#include <tools/support/arguments.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

namespace {

ExitCode verify_folder(const std::string& folder) {
    constexpr Option folder_options[] = {text_option("dir"), text_option("store")};
    const Syntax store_syntax = {folder_options, "a task", 0, 1};
    const std::vector<std::string_view> words = {"verify", "--dir", folder};
    const auto arguments = Arguments::parse(store_syntax, words);
    REQUIRE(arguments);
    return verify_store(*arguments);
}

}  // namespace

TEST_CASE("a store that is in use is not verified", "[store]") {
    const TemporaryFolder folder;
    {
        const OpenedStore store = open_in(folder.path());
        CHECK(verify_folder(folder.path()) == exit_wrong_input);
    }
    CHECK(verify_folder(folder.path()) == exit_done);
    // It has let go of the store.
    CHECK(open_in(folder.path()).warnings.empty());
}
