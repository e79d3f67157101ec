// SPDX-License-Identifier: MIT
#include "widgets/drawing/symbol_icon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QtMath>

// Resources of a static library are linked in only where something asks for them; the macro wants the global namespace.
static void initIconResources() {
  Q_INIT_RESOURCE(icons);
}

namespace heapscape::gui {

namespace {

QByteArray drawingOf(const QString& name) {
  [[maybe_unused]] static const bool kLoaded = (initIconResources(), true);
  QFile file(u":/icons/%1.svg"_s.arg(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class SymbolEngine : public QIconEngine {
 public:
  explicit SymbolEngine(const QString& name) : m_name(name) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const qreal ratio = painter->device()->devicePixelRatioF();
    const int side = qMin(rect.width(), rect.height());
    const QPointF corner(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0);
    painter->drawPixmap(corner, symbolPixmap(m_name, colourFor(mode), side, ratio));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
    return symbolPixmap(m_name, colourFor(mode), qMin(size.width(), size.height()), 1);
  }

  QIconEngine* clone() const override { return new SymbolEngine(*this); }

 private:
  static QColor colourFor(QIcon::Mode mode) {
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::ButtonText);
    if (mode == QIcon::Selected) return palette.color(QPalette::HighlightedText);
    return palette.color(QPalette::ButtonText);
  }

  QString m_name;
};

}  // namespace

QIcon symbolIcon(const QString& name) {
  return QIcon(new SymbolEngine(name));
}

QPixmap symbolPixmap(const QString& name, const QColor& colour, int side, qreal pixelRatio) {
  const int pixels = qMax(1, qCeil(side * pixelRatio));
  const QString key = u"symbol/%1/%2/%3"_s.arg(name, colour.name(QColor::HexArgb)).arg(pixels);
  QPixmap pixmap;
  if (!QPixmapCache::find(key, &pixmap)) {
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(drawingOf(name).replace("currentColor", colour.name().toLatin1())).render(&painter);
    painter.end();
    QPixmapCache::insert(key, pixmap);
  }
  pixmap.setDevicePixelRatio(pixelRatio);
  return pixmap;
}

}  // namespace heapscape::gui
