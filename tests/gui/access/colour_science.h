// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>

namespace heapscape::gui::test {

/// Of WCAG 2: from 1 to 21.
double contrast(const QColor& one, const QColor& other);

enum class Vision { Normal, Protanopia, Deuteranopia, Tritanopia };
constexpr const char* nameOf(Vision vision) {
  constexpr const char* kNames[] = {"normal", "protanopia", "deuteranopia", "tritanopia"};
  return kNames[static_cast<int>(vision)];
}

/// How different two colours look (CIEDE2000), to those who see so (Machado, Oliveira and Fernandes 2009, at full
/// severity). About 2 can just be seen side by side; 10 are told apart at a glance.
double difference(const QColor& one, const QColor& other, Vision vision);

}  // namespace heapscape::gui::test
