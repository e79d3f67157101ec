// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "bridge/navigator.h"

class QMenu;
class QWidget;

namespace heapscape::gui {

/// Adds to a menu the links of what is picked, in every list and picture the same in the same order: each place that
/// shows the object, each that shows its type, and the address to copy. Nothing for what the selection lacks.
void addSelectionLinks(QMenu& menu, Navigator& navigator, const Selection& selection);

/// An entry that thinks something away: a cut as session/references/cuts.h has it.
void addCut(QMenu& menu, Navigator& navigator, const QString& title, const std::string& cut);
/// Text of the action in the menu of one thing that can be cut.
inline QString cutHereText() {
  return u"What if this reference were cut?"_s;
}

/// An entry that shows what memory holds from an address on; nothing for 0.
void addMemoryLink(QMenu& menu, Navigator& navigator, engine::Address address);
/// Gives a widget that shows an address a menu: memory there, and the address to copy.
void offerAddressMenu(QWidget* widget, Navigator& navigator, engine::Address address);

/// An entry that copies this text.
void addCopy(QMenu& menu, const QString& title, const QString& text);

}  // namespace heapscape::gui
