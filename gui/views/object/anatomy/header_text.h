// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <vector>

#include "session/details/object_details.h"

namespace heapscape::gui {

/// "thread id", "recursion": the name of some bits of the header, as people say it.
QString headerBitsName(const engine::HeaderBits& bits);
/// Says nothing here: unused, or a flag that is not set.
bool isIdle(const engine::HeaderBits& bits);
/// "thread id 5", "spin lock", "hash code 033c0d9d".
QString headerBitsText(const engine::HeaderBits& bits);

/// One sentence on what the header is used for.
QString headerSentence(const engine::ObjectDetails& object);
/// Further sentences: the sync block and who waits, flags that are set.
QStringList headerRemarks(const engine::ObjectDetails& object);

}  // namespace heapscape::gui
