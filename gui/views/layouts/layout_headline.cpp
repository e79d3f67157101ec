// SPDX-License-Identifier: MIT
#include "views/layouts/layout_headline.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "models/names/type_name.h"
#include "widgets/arranging/flow_layout.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

void empty(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace

LayoutHeadline::LayoutHeadline(QWidget* parent)
    : QWidget(parent), m_name(new ElidedLabel(this)), m_chips(new QWidget(this)), m_figures(new QWidget(this)) {
  m_name->setObjectName(QStringLiteral("layoutTypeName"));
  m_name->setFont(scaledFont(font(), 1.3, QFont::DemiBold));
  m_figures->setObjectName(QStringLiteral("layoutFigures"));
  m_chipsLine = new FlowLayout(m_chips, 6);
  m_figuresLine = new FlowLayout(m_figures, 16);
  m_chipsLine->setContentsMargins(0, 0, 0, 0);
  m_figuresLine->setContentsMargins(0, 0, 0, 0);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(6);
  column->addWidget(m_name);
  column->addWidget(m_chips);
  column->addWidget(m_figures);
}

void LayoutHeadline::show(const engine::TypeLayout& layout, const TypePopulation& population) {
  m_name->setName(fromEngine(layout.typeName), namespaceLength(layout.typeName));
  empty(m_chipsLine);
  empty(m_figuresLine);
  for (const LayoutChip& chip : layoutChips(layout)) addChip(chip);
  if (!layout.assembly.empty()) addChip({fromEngine(layout.assembly), QStringLiteral("The assembly it is defined in")});
  for (const LayoutFigure& figure : layoutFigures(layout, population)) addFigure(figure);
  updateLook();
  updateGeometry();
}

void LayoutHeadline::setShown(bool hasChips, bool hasFigures) {
  m_chips->setVisible(hasChips);
  m_figures->setVisible(hasFigures);
}

void LayoutHeadline::addChip(const LayoutChip& chip) {
  auto* label = new QLabel(chip.text, m_chips);
  label->setProperty("isChip", true);
  label->setToolTip(chip.tip);
  label->setFont(scaledFont(font(), 0.92));
  label->setContentsMargins(8, 2, 8, 2);
  label->setBackgroundRole(QPalette::Window);  // not the page's, which is another
  label->setAutoFillBackground(true);
  m_chipsLine->addWidget(label);
  label->show();
}

void LayoutHeadline::addFigure(const LayoutFigure& figure) {
  auto* block = new QWidget(m_figures);
  block->setToolTip(figure.tip);
  auto* value = new QLabel(figure.value, block);
  value->setFont(scaledFont(font(), 1.2, QFont::DemiBold));
  auto* caption = new QLabel(figure.caption, block);
  caption->setProperty("isCaption", true);
  caption->setFont(scaledFont(font(), 0.92));
  auto* column = new QVBoxLayout(block);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(value);
  column->addWidget(caption);
  m_figuresLine->addWidget(block);
  block->show();
}

void LayoutHeadline::updateLook() {
  const Colours colours(palette());
  for (QLabel* label : findChildren<QLabel*>()) {
    QPalette look = palette();
    if (label->property("isCaption").toBool()) look.setColor(QPalette::WindowText, colours.dimmedText());
    if (label->property("isChip").toBool()) look.setColor(QPalette::Window, palette().color(QPalette::Midlight));
    label->setPalette(look);
  }
}

void LayoutHeadline::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

}  // namespace heapscape::gui
