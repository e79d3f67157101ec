// SPDX-License-Identifier: MIT
#include "widgets/text/elided_label.h"

#include <QPainter>

#include "widgets/drawing/colours.h"
#include "widgets/text/elided_name.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setName(const QString& name, int dimmedPrefix) {
  m_name = name;
  m_dimmedPrefix = dimmedPrefix;
  m_shortName = shortTypeName(name.toStdString());
  setToolTip(name);
  setAccessibleName(name);
  updateGeometry();
  update();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(m_name) + 2, fontMetrics().height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 16, fontMetrics().height() + 4};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ElidedName text = elideName(m_name, m_dimmedPrefix, width(), font(), m_shortName);
  drawName(painter, rect(), font(), text, Colours(palette()).dimmedText(), palette().color(QPalette::WindowText));
}

}  // namespace heapscape::gui
