// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace heapscape::gui {

/// The files of the manual that are built into the program, in the order to be read: "places.md".
QStringList manualPages();

/// As it was written, in Markdown; empty if there is no such page.
QString manualText(const QString& page);

/// What a link calls a heading: "How one is chosen" is "how-one-is-chosen".
QString anchorOf(const QString& heading);

}  // namespace heapscape::gui
