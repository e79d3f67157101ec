// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include "widgets/hex_view/byte_window.h"

namespace heapscape::gui {

/// "object header", "Customer", "[3]", "padding".
QString runName(const engine::ByteRun& run);
/// What the pointer is told of some bytes: type, offset, size.
QStringList runFacts(const engine::ByteRun& run);
/// "1f 00 2c", of what is read.
QString bytesAsText(const ByteWindow& window, const ByteSpan& span);

}  // namespace heapscape::gui
