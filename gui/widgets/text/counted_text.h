// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <cstdint>

namespace heapscape::gui {

/// "1 object", "24,052 objects". Without `several`, the noun takes an s where there is not exactly one.
QString countedText(std::uint64_t count, const QString& one, const QString& several = {});

}  // namespace heapscape::gui
