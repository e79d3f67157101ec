// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "base/finding.h"

namespace heapscape::gui {

/// A kind of finding in a few words: "Taken in the middle of a collection".
QString findingTitle(engine::FindingKind kind);

}  // namespace heapscape::gui
