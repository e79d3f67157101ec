// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/navigator.h"

class QMenu;

namespace heapscape::gui {

/// What a menu offers for what is picked, in every list and picture the same in the same order: each place that shows
/// the object, each that shows its type, and the address to copy. Nothing for what the selection lacks.
void addSelectionLinks(QMenu& menu, Navigator& navigator, const Selection& selection);

/// An entry that copies this text.
void addCopy(QMenu& menu, const QString& title, const QString& text);

}  // namespace heapscape::gui
