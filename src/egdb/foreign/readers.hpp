#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/egdb/foreign.hpp>
#include <defiance/rules/board.hpp>

// The two ways to read databases made by others, and what both need.
namespace defiance {

/// What to open with the driver for endgame databases that CheckerBoard brings along, by Ed
/// Gilbert, the author of Kingsrow. It reads the databases of Kingsrow, Chinook and Cake for
/// English and Italian.
struct DriverRequest {
    std::string driver;           ///< full path of egdb64.dll, in a 32-bit process egdb.dll
    int game_type = 0;            ///< CheckerBoard's number of the game
    std::string folder;           ///< of the databases that tell who wins
    std::string distance_folder;  ///< of those that tell how far it is; empty for none
    int max_pieces = 0;           ///< positions of more are not asked for
    std::uint64_t memory = 0;     ///< bytes for the driver's cache; it may take a little more
};

struct OpenedByDriver {
    std::unique_ptr<ForeignDatabase> database;  ///< null when the folder has none of this game
    /// Why there is no database, or are no distances although they were asked for; or empty. Names
    /// the folder.
    std::string warning;
};

/// Loads the driver and has it open the databases. Error, naming the file or folder, when it cannot
/// be loaded or cannot open them. The driver stays loaded until the last database opened with it is
/// gone. Safe from several threads, which wait for each other; it may take seconds.
[[nodiscard]] Result<OpenedByDriver> open_with_driver(const DriverRequest& request);

/// Opens the databases in the distance folder alone: without values, so that probe() knows nothing;
/// `folder` is not looked into. Never null; error also when there are none of this game. Otherwise
/// as open_with_driver.
[[nodiscard]] Result<std::unique_ptr<ForeignDatabase>> open_distances_with_driver(
    const DriverRequest& request);

/// One line for the user about the databases in the distance folder; `folder` is not looked into.
/// Error also when there are none of this game. Otherwise as open_with_driver.
[[nodiscard]] Result<std::string> describe_distances_with_driver(const DriverRequest& request);

/// Opens the databases of the program Cake, for English, that lie in the folder: values for up to 8
/// pieces without distances. They are db2.idx and db2.cpr to db7.idx and db7.cpr, and for 8 pieces
/// one pair for each material, such as db8_2231. What is not there is not known, but each .idx
/// needs its .cpr.
///
/// `max_pieces` (2 to 8) keeps files of more pieces from being opened. `memory` in bytes is for
/// data of the .cpr files: small files are held whole while they take no more than half of what is
/// left, the blocks of the others that were last asked for share the rest, at least 64 KiB. The
/// tables of the .idx files come on top, 20 MB for 8 pieces.
///
/// Null when there are none. Error, naming the file, when one is damaged, cut off or of another
/// format. Of the large files no more is looked at than tables and ends; afterwards each look-up
/// checks what it reads, and positions are unknown where that is damaged. Damage that keeps all
/// lengths right goes unseen: the format has no checksums.
[[nodiscard]] Result<std::unique_ptr<ForeignDatabase>> open_cake(const std::string& folder,
                                                                 std::uint64_t memory,
                                                                 int max_pieces = 8);

/// Rearranges sets of squares from the bits of our board to those of another, of which a function
/// tells the place of each square.
class SquareOrder {
public:
    explicit constexpr SquareOrder(int (*place)(Coordinate)) {
        for (unsigned byte = 0; byte < 4; ++byte)
            for (unsigned set = 0; set < 256; ++set)
                for (unsigned i = 0; i < 8; ++i)
                    if ((set >> i & 1) != 0)
                        tables_[byte][set] |=
                            bit(place(coordinate_of(static_cast<int>(8 * byte + i))));
    }

    [[nodiscard]] constexpr Bitboard operator()(Bitboard set) const {
        return tables_[0][set & 255] | tables_[1][set >> 8 & 255] | tables_[2][set >> 16 & 255] |
               tables_[3][set >> 24];
    }

private:
    std::array<std::array<Bitboard, 256>, 4> tables_{};
};

}  // namespace defiance
