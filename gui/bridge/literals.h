// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui {

/// u"…"_s is a QString, made without a copy, all over the window.
using namespace Qt::StringLiterals;

}  // namespace heapscape::gui
