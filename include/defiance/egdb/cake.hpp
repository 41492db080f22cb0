#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <defiance/base/result.hpp>
#include <defiance/egdb/foreign.hpp>

namespace defiance {

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
/// Error, naming the file, when one is damaged, cut off or of another format, or when there are
/// none. Of the large files no more is looked at than tables and ends; a block found damaged
/// afterwards makes its positions unknown. Damage that keeps all lengths right goes unseen: the
/// format has no checksums.
[[nodiscard]] Result<std::unique_ptr<ForeignDatabase>> open_cake(const std::string& folder,
                                                                 std::uint64_t memory,
                                                                 int max_pieces = 8);

}  // namespace defiance
