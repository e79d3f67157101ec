// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include "views/references/dominators/dominator_scene.h"

class QWidget;

namespace heapscape::gui {

/// What is shown as stacks that flame graph tools read: a line "a;b;c BYTES" for each node with bytes of its own.
QByteArray collapsedText(const DominatorScene& scene);
/// Asks where to, and writes it there.
void saveCollapsed(QWidget* parent, const DominatorScene& scene);

}  // namespace heapscape::gui
