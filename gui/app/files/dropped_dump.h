// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QMimeData;

namespace heapscape::gui {

/// The first file on this machine among what is dragged; empty if there is none.
QString droppedDump(const QMimeData* data);

}  // namespace heapscape::gui
