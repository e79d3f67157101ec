// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <vector>

class QWidget;

namespace heapscape::gui {

struct ActionSection;

void showAbout(QWidget* window);
/// A sheet of what the keys do, made of the actions themselves: the window's, and those of the page with this title.
void showShortcuts(QWidget* window, const std::vector<ActionSection>& sections, const QString& title,
                   const QWidget& page);

}  // namespace heapscape::gui
