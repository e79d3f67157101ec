// SPDX-License-Identifier: MIT
#include "views/runtime/type_summary.h"

#include <QGridLayout>
#include <QResizeEvent>
#include <algorithm>

#include "views/runtime/type_facts.h"
#include "widgets/section.h"

namespace heapscape::gui {

namespace {

constexpr int kGroupLetters = 44;

}  // namespace

TypeSummary::TypeSummary(QWidget* parent) : QScrollArea(parent), m_facts(new QWidget(this)) {
  setObjectName(QStringLiteral("typeSummary"));
  setWidgetResizable(true);
  auto* grid = new QGridLayout(m_facts);
  grid->setContentsMargins(16, 12, 16, 16);
  grid->setHorizontalSpacing(24);
  grid->setVerticalSpacing(16);
  setWidget(m_facts);
}

void TypeSummary::show(const engine::TypeDetails& type) {
  for (QWidget* group : m_groups) delete group;
  m_groups.clear();
  for (const FactGroup& group : factGroups(type)) {
    auto* facts = new FactList(m_facts);
    connect(facts, &FactList::addressShown, this, &TypeSummary::addressShown);
    facts->setFacts(group.facts);
    m_groups.push_back(new Section(group.heading, facts, m_facts));
  }
  m_columns = 0;
  arrange();
}

void TypeSummary::arrange() {
  const int wanted = fontMetrics().averageCharWidth() * kGroupLetters;
  int columns = std::clamp(viewport()->width() / std::max(1, wanted), 1, 4);
  if (columns == 3) columns = 2;  // four groups: two and two
  if (columns == m_columns || m_groups.empty()) return;
  m_columns = columns;
  auto* grid = static_cast<QGridLayout*>(m_facts->layout());
  for (QWidget* group : m_groups) grid->removeWidget(group);
  for (int group = 0; group < static_cast<int>(m_groups.size()); ++group) {
    QWidget* widget = m_groups[static_cast<std::size_t>(group)];
    grid->addWidget(widget, group / columns, group % columns, Qt::AlignTop);
    widget->show();
  }
  for (int column = 0; column < 4; ++column) grid->setColumnStretch(column, column < columns ? 1 : 0);
  grid->setRowStretch(4, 1);  // below the last group
}

void TypeSummary::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

}  // namespace heapscape::gui
