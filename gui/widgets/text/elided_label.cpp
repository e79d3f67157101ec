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
  painter.setPen(Colours(palette()).dimmedText());
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text.prefix);
  painter.setPen(palette().color(QPalette::WindowText));
  const int left = fontMetrics().horizontalAdvance(text.prefix);
  painter.drawText(rect().adjusted(left, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text.rest);
}

}  // namespace heapscape::gui
