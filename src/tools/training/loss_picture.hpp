#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tools/training/trainer.hpp>

namespace defiance {

/// The losses of all epochs as lines of numbers with commas, the first line naming the columns.
[[nodiscard]] std::string loss_table(std::span<const EpochLosses> history);

/// A picture (SVG) of both losses by epoch. Readable on light and dark ground.
[[nodiscard]] std::string loss_picture(std::span<const EpochLosses> history,
                                       std::string_view title);

/// Whether a file that begins like this is such a table, or such a picture.
[[nodiscard]] bool begins_loss_table(std::string_view text);
[[nodiscard]] bool begins_loss_picture(std::string_view text);

}  // namespace defiance
