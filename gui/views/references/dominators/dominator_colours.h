// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <array>

#include "session/dominators_query.h"

namespace heapscape::gui {

struct Colours;

/// What the tints of the pictures tell apart; labels say the rest.
enum class DominatorFamily { Roots, Program, Framework, Arrays, Strings };
inline constexpr std::array kDominatorFamilies{DominatorFamily::Roots, DominatorFamily::Program,
                                               DominatorFamily::Framework, DominatorFamily::Arrays,
                                               DominatorFamily::Strings};

DominatorFamily dominatorFamily(const engine::DominatorNode& node);
QColor dominatorColour(DominatorFamily family, const Colours& colours);
/// That of its family; every other sibling is a shade paler, so that neighbours stay apart.
QColor dominatorColour(const engine::DominatorShape& shape, const Colours& colours);

}  // namespace heapscape::gui
