// SPDX-License-Identifier: MIT
#include "views/start/drop_zone.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"

namespace heapscape::gui {

DropZone::DropZone(QWidget* parent) : QWidget(parent) {
  auto* heading = makeHeading(QStringLiteral("Drop a core dump here"), this, 1.25);
  heading->setAlignment(Qt::AlignCenter);
  auto* note = makeNote(
      QStringLiteral(
          "plain, in .zst, .gz, .xz, .lz4 or .tar, from .NET 8, 9 or 10 on Linux x64; or an assembly, for its layouts"),
      this);
  note->setAlignment(Qt::AlignCenter);
  auto* button = new QPushButton(symbolIcon(QStringLiteral("open")), QStringLiteral("Open a dump…"), this);
  connect(button, &QPushButton::clicked, this, &DropZone::chooseRequested);
  auto* assembly = new QPushButton(symbolIcon(QStringLiteral("assembly")), QStringLiteral("Open an assembly…"), this);
  assembly->setToolTip(QStringLiteral("How the types of a .dll or .exe are laid out; no dump is needed"));
  connect(assembly, &QPushButton::clicked, this, &DropZone::chooseAssemblyRequested);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addStretch(1);
  buttons->addWidget(button);
  buttons->addWidget(assembly);
  buttons->addStretch(1);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 16 + fontMetrics().height() * 3, 24, 24);
  layout->setSpacing(4);
  layout->addWidget(heading);
  layout->addWidget(note);
  layout->addSpacing(12);
  layout->addLayout(buttons);
}

void DropZone::setHovered(bool isHovered) {
  m_isHovered = isHovered;
  update();
}

void DropZone::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  const QColor accent = palette().color(QPalette::Highlight);
  QColor ground = m_isHovered ? accent : colours.freeSpace();
  ground.setAlphaF(m_isHovered ? 0.12F : 0.45F);
  QPen pen(m_isHovered ? accent : colours.outline(), m_isHovered ? 2 : 1.4);
  pen.setDashPattern({4, 3});
  painter.setPen(pen);
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
  const int side = fontMetrics().height() * 2;
  painter.drawPixmap(
      QPoint((width() - side) / 2, 16 + fontMetrics().height() / 3),
      symbolPixmap(QStringLiteral("drop"), m_isHovered ? accent : colours.dimmedText(), side, devicePixelRatioF()));
}

}  // namespace heapscape::gui
