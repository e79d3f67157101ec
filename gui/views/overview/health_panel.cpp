// SPDX-License-Identifier: MIT
#include "views/overview/health_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

HealthPanel::HealthPanel(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
}

void HealthPanel::setReport(const HealthReport& report) {
  m_report = report;
  build();
}

void HealthPanel::build() {
  // Not at once: a change of theme walks through all widgets while this is called.
  if (m_body) {
    m_body->hide();
    m_body->deleteLater();
  }
  m_body = new QWidget(this);
  auto* list = new QVBoxLayout(m_body);
  list->setContentsMargins(0, 0, 0, 0);
  list->setSpacing(10);
  const Colours colours(palette());
  if (m_report.items.empty() && m_report.isComplete) {
    const HealthItem fine{.title = QStringLiteral("Nothing"),
                          .text = QStringLiteral("All of the heap and all names could be read."),
                          .address = {}};
    addEntry(list, QStringLiteral("check"), colours.of(engine::Generation::Gen1), fine);
  }
  for (const HealthItem& item : m_report.items) addEntry(list, QStringLiteral("warning"), colours.warning(), item);
  if (m_report.leftOut > 0)
    list->addWidget(makeNote(QStringLiteral("and %1 more").arg(countText(m_report.leftOut)), m_body));
  layout()->addWidget(m_body);
}

void HealthPanel::addEntry(QVBoxLayout* list, const QString& symbol, const QColor& colour, const HealthItem& item) {
  auto* icon = new QLabel(m_body);
  icon->setPixmap(symbolPixmap(symbol, colour, qRound(fontMetrics().height() * 1.1), devicePixelRatioF()));
  auto* title = new QLabel(item.title, m_body);
  title->setTextFormat(Qt::PlainText);
  title->setWordWrap(true);
  title->setFont(scaledFont(font(), 1, QFont::DemiBold));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(title);
  if (!item.address.isEmpty()) {
    auto* address = new ElidedText(item.address, m_body);
    address->setFont(fixedFont(font()));
    address->setDimmed(true);
    words->addWidget(address);
  }
  if (!item.text.isEmpty()) words->addWidget(makeNote(item.text, m_body));
  auto* entry = new QHBoxLayout;
  entry->setSpacing(8);
  entry->addWidget(icon, 0, Qt::AlignTop);
  entry->addLayout(words, 1);
  list->addLayout(entry);
}

void HealthPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (m_body && event->type() == QEvent::PaletteChange) build();
}

}  // namespace heapscape::gui
