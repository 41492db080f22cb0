#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

#include <defiance/base/file.hpp>
#include <defiance/rules/english.hpp>
#include <tools/egdb/builder.hpp>

#include "../base/temporary.hpp"

using namespace defiance;

TEST_CASE("a slice that a build has left has plies where they are kept, and only there",
          "[egdb][tools]") {
    const TemporaryFolder folder;
    const std::string place = with_final_separator(folder.path());
    const database_file::Identity who = {21, 7};
    for (const Material material : {Material{0, 1, 0, 1}, Material{0, 4, 0, 1}}) {
        for (const bool has_dtw : {false, true}) {
            SolvedSlice slice(material);
            if (has_dtw) slice.set_dtw(LargeArray<std::uint16_t>(slice.index().size()));
            const std::string path = solved_file_path<English>(place, material);
            REQUIRE_FALSE(create_folder(folder_of(path)));
            REQUIRE_FALSE(save_solved(path, who, slice));
            const auto loaded = load_built<English>(place, who, material);
            CHECK(static_cast<bool>(loaded) == (has_dtw == has_dtw_kept<English>(material)));
            if (!loaded) CHECK(loaded.error() == path + ": it is of another version");
        }
    }
}
