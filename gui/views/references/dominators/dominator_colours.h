// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QString>
#include <array>

#include "session/dominators/dominators_query.h"

namespace heapscape::gui {

struct Colours;

/// The families of types, in their order and behind that of roots.
enum class DominatorFamily { Roots, Program, Framework, Arrays, Strings };
inline constexpr std::array kDominatorFamilies{DominatorFamily::Roots, DominatorFamily::Program,
                                               DominatorFamily::Framework, DominatorFamily::Arrays,
                                               DominatorFamily::Strings};

DominatorFamily dominatorFamily(const engine::DominatorNode& node);
QString dominatorFamilyText(DominatorFamily family);
QColor dominatorColour(DominatorFamily family, const Colours& colours);
/// That of its family; every other sibling is a shade paler, so that neighbours stay apart.
QColor dominatorColour(const engine::DominatorShape& shape, const Colours& colours);
/// Of the seam that tells roots beside their colour, on a fill with such text.
QColor rootSeamColour(const QColor& text, const QColor& fill, const Colours& colours);

}  // namespace heapscape::gui
