// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "session/dominators/dominators_query.h"
#include "widgets/hover_bubble.h"

namespace heapscape::gui {

struct Colours;

/// "All roots", "System.Collections.Generic", the type's or root's full name.
QString dominatorName(const engine::DominatorNode& node);
/// The same where there is little room: types without namespaces, statics without their type, and how many objects or
/// roots it stands for.
QString dominatorLabel(const engine::DominatorNode& node);
/// "12,345 smaller".
QString dominatorLabel(const engine::DominatorShape& shape);
/// What the bubble over a shape says; shares are of `wholeBytes`.
BubbleText dominatorBubble(const engine::DominatorShape& shape, std::uint64_t wholeBytes, const Colours& colours);

}  // namespace heapscape::gui
