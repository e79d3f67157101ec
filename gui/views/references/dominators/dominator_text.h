// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QString>
#include <array>

#include "session/dominators/dominators_query.h"
#include "widgets/hover_bubble.h"

namespace heapscape::gui {

struct Colours;

/// The families of types, in their order and behind that of roots.
enum class DominatorFamily { Roots, Program, Package, Framework, Arrays, Strings };
inline constexpr std::array kDominatorFamilies{DominatorFamily::Roots,   DominatorFamily::Program,
                                               DominatorFamily::Package, DominatorFamily::Framework,
                                               DominatorFamily::Arrays,  DominatorFamily::Strings};

DominatorFamily dominatorFamily(const engine::DominatorNode& node);
QString dominatorFamilyText(DominatorFamily family);
QColor dominatorColour(DominatorFamily family, const Colours& colours);
/// The colour of its family; every other sibling is a shade paler, so that neighbours stay apart.
QColor dominatorColour(const engine::DominatorShape& shape, const Colours& colours);
/// The colour of the seam that tells roots beside their colour, on a fill with such text.
QColor rootSeamColour(const QColor& text, const QColor& fill, const Colours& colours);

/// "All roots" or "Garbage", "System.Collections.Generic", the type's or root's full name.
QString dominatorName(const engine::DominatorNode& node);
/// A shorter name where there is little room: types without namespaces, statics without their type, and how many
/// objects or roots it stands for.
QString dominatorLabel(const engine::DominatorNode& node);
/// "12,345 smaller"; of a chain "First ▸ … ▸ Last (7 steps)".
QString dominatorLabel(const engine::DominatorShape& shape);
/// The words of the bubble over a shape; shares are of `wholeBytes`, which are of what is live or of garbage.
BubbleText dominatorBubble(const engine::DominatorShape& shape, std::uint64_t wholeBytes, const Colours& colours,
                           bool isOfGarbage = false);

}  // namespace heapscape::gui
