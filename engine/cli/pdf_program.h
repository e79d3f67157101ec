// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stop_token>

#include "base/result.h"
#include "review/board.h"

namespace heapscape::cli {

/// Has the program `heapscape` that stands beside this one write the board as a PDF, without a window. Fails with
/// NotFound if it is not there, with FileUnreadable if it could not write.
engine::Outcome<void> writePdf(const engine::ReviewBoard& board, const std::filesystem::path& pdf,
                               const std::stop_token& stop);

}  // namespace heapscape::cli
