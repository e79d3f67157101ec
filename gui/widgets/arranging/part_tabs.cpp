// SPDX-License-Identifier: MIT
#include "widgets/arranging/part_tabs.h"

#include <QWidget>
#include <algorithm>
#include <utility>

namespace heapscape::gui {

PartTabs::PartTabs(const QString& name, QWidget* parent) : QTabBar(parent) {
  setObjectName(name);
  setDocumentMode(true);
  setExpanding(false);
  setDrawBase(false);
  hide();
  connect(this, &QTabBar::currentChanged, this, &PartTabs::showParts);
}

void PartTabs::addPart(const QString& title, std::vector<QWidget*> widgets) {
  m_parts.push_back(std::move(widgets));
  addTab(title);
}

void PartTabs::setOneAtATime(bool isOneAtATime) {
  if (std::exchange(m_isOneAtATime, isOneAtATime) == isOneAtATime) return;
  showParts();
}

void PartTabs::showParts() {
  setVisible(m_isOneAtATime);
  const auto current = static_cast<std::size_t>(std::max(0, currentIndex()));
  for (const auto& part : m_parts) {
    for (QWidget* widget : part) {
      const bool isShown = !m_isOneAtATime || std::ranges::count(m_parts[current], widget) > 0;
      if (isShown == widget->isHidden()) widget->setVisible(isShown);
    }
  }
}

}  // namespace heapscape::gui
