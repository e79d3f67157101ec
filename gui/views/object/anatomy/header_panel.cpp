// SPDX-License-Identifier: MIT
#include "views/object/anatomy/header_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/object/anatomy/header_ruler.h"
#include "views/object/anatomy/header_text.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

QLabel* makeText(const QString& name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

HeaderPanel::HeaderPanel(QWidget* parent)
    : QWidget(parent),
      m_ruler(new HeaderRuler(this)),
      m_value(makeNote(QString(), this)),
      m_sentence(makeText(QStringLiteral("headerSentence"), this)),
      m_remarks(makeText(QStringLiteral("headerRemarks"), this)),
      m_toThreads(new QPushButton(symbolIcon(QStringLiteral("threads")), QStringLiteral("Threads and locks"), this)) {
  m_sentence->setFont(scaledFont(font(), 1.1));
  m_toThreads->setToolTip(QStringLiteral("Who holds which lock, and who waits"));
  auto* line = new QHBoxLayout;
  line->addWidget(m_toThreads);
  line->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(8);
  column->addWidget(m_sentence);
  column->addWidget(m_ruler);
  column->addWidget(m_remarks);
  column->addWidget(m_value);
  column->addLayout(line);
  column->addStretch(1);
  connect(m_toThreads, &QPushButton::clicked, this, &HeaderPanel::threadsWanted);
}

void HeaderPanel::show(std::shared_ptr<const ObjectPage> page) {
  m_ruler->show(page ? page->object.header : std::nullopt);
  m_ruler->setVisible(page && page->object.header);
  if (!page) return;
  const engine::ObjectDetails& object = page->object;
  m_sentence->setText(headerSentence(object));
  const QStringList remarks = headerRemarks(object);
  m_remarks->setText(remarks.join(QLatin1Char('\n')));
  m_remarks->setVisible(!remarks.isEmpty());
  m_value->setVisible(object.header.has_value());
  if (object.header) {
    m_value->setText(QStringLiteral("0x%1 at %2. The 4 bytes in front of it are alignment and unused.")
                         .arg(object.header->value, 8, 16, QLatin1Char('0'))
                         .arg(addressText(engine::Address{object.row.address.value - 4})));
  }
  m_toThreads->setVisible(object.lock.has_value() || !object.headerThread.empty());
}

}  // namespace heapscape::gui
