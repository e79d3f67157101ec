// SPDX-License-Identifier: MIT
#include "widgets/fact_list.h"

#include <QEvent>
#include <QGridLayout>
#include <algorithm>

#include "widgets/text/elided_text.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

// Width by which lists under one another line up.
constexpr int kLabelColumns = 14;
// Of a line of its own: a value of so many letters has the room before longer labels have, and leaves these all the
// rest, of which they need so much.
constexpr int kShortValue = 9;
constexpr int kLongLabelColumns = 18;

}  // namespace

FactList::FactList(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
}

void FactList::setFacts(const std::vector<Fact>& facts) {
  if (facts == m_facts && m_body) return;
  m_facts = facts;
  build();
}

void FactList::build() {
  if (m_body) {
    m_body->hide();
    m_body->deleteLater();
  }
  m_body = new QWidget(this);
  auto* grid = new QGridLayout(m_body);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(1, 1);
  grid->setColumnMinimumWidth(0, fontMetrics().averageCharWidth() * kLabelColumns);
  const int rowHeight = qRound(fontMetrics().height() * 1.6);
  const int letter = fontMetrics().averageCharWidth();
  const bool areShort = std::ranges::all_of(m_facts, [](const Fact& fact) { return fact.value.size() <= kShortValue; });
  for (int row = 0; row < static_cast<int>(m_facts.size()); ++row) {
    const Fact& fact = m_facts[static_cast<std::size_t>(row)];
    auto* label = new ElidedText(fact.label, m_body);
    label->setDimmed(true);
    const int labelWidth = label->sizeHint().width();
    const int most = m_isOneLineEach ? letter * (areShort ? kLongLabelColumns : kLabelColumns) : labelWidth;
    label->setMinimumWidth(std::min(labelWidth, most));
    if (m_isOneLineEach && !areShort) label->setMaximumWidth(most);
    auto* value = new ElidedText(fact.value, m_body);
    if (m_isOneLineEach) value->setElideMode(Qt::ElideRight);  // types and texts are known by how they begin
    value->setDetail(fact.detail);
    if (fact.isFixed) value->setFont(fixedFont(font()));
    value->setWarning(fact.isWarning);
    const bool wraps = !fact.isFixed && !m_isOneLineEach;
    if (wraps) {
      // The label stands beside the first line, which lies in its row as the only one of others does.
      const int margin = (rowHeight - fontMetrics().height()) / 2;
      value->setWraps();
      for (QWidget* text : {label, value}) text->setContentsMargins(0, margin, 0, margin);
    }
    grid->setRowMinimumHeight(row, rowHeight);
    grid->addWidget(label, row, 0, wraps ? Qt::AlignTop : Qt::Alignment());
    grid->addWidget(value, row, 1, 1, fact.figure.isEmpty() ? 2 : 1);
    if (!fact.figure.isEmpty()) {
      auto* figure = new ElidedText(fact.figure, m_body);
      figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
      figure->setDimmed(true);
      figure->setMinimumWidth(figure->sizeHint().width());
      grid->addWidget(figure, row, 2);
    }
    if (fact.address) Q_EMIT addressShown(value, fact.address);
  }
  layout()->addWidget(m_body);
}

void FactList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (m_body && (event->type() == QEvent::FontChange)) build();
}

}  // namespace heapscape::gui
