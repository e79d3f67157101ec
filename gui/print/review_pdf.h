// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "review/board.h"

class QPagedPaintDevice;

namespace heapscape::gui {

/// Puts the board on sheets: headings stay with what they are of, tables are divided between rows with their head on
/// each sheet, pictures stay whole and vectors. False if the device fails.
bool printReview(const engine::ReviewBoard& board, QPagedPaintDevice& device);

/// As a PDF on A4 with text that can be selected. False if the file cannot be written.
bool writeReviewPdf(const engine::ReviewBoard& board, const QString& path);

}  // namespace heapscape::gui
