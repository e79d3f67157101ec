// SPDX-License-Identifier: MIT
#include "widgets/popup.h"

#include <QEvent>
#include <QListWidget>
#include <QPainter>
#include <algorithm>

namespace heapscape::gui {

namespace {

constexpr int kPopupMargin = 10;
constexpr int kPopupGap = 2;
constexpr int kShadowWidth = 14;
constexpr int kShadowDrop = 4;  // light comes from above

/// Lies under a popup, and goes with it.
class PopupShadow : public QWidget {
 public:
  explicit PopupShadow(QWidget* popup) : QWidget(popup->parentWidget()), m_popup(popup) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    popup->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    switch (event->type()) {
      case QEvent::Show:
      case QEvent::Move:
      case QEvent::Resize:
      case QEvent::ZOrderChange:
        follow();
        break;
      case QEvent::Hide:
        hide();
        break;
      default:
        break;
    }
    return QWidget::eventFilter(watched, event);
  }

  // Many thin layers: a blur would be computed anew with each picture.
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const bool isDark = palette().color(QPalette::Window).lightness() < 128;
    painter.setBrush(QColor(0, 0, 0, isDark ? 20 : 6));
    for (int layer = 0; layer < kShadowWidth; ++layer) {
      const int inset = layer;
      painter.drawRoundedRect(rect().adjusted(inset, inset, -inset, -inset), kShadowWidth - inset / 2.0,
                              kShadowWidth - inset / 2.0);
    }
  }

 private:
  void follow() {
    if (!m_popup->isVisible()) return;
    setGeometry(m_popup->geometry()
                    .adjusted(-kShadowWidth, -kShadowWidth, kShadowWidth, kShadowWidth)
                    .translated(0, kShadowDrop));
    show();
    stackUnder(m_popup);
  }

  QWidget* m_popup;
};

}  // namespace

void setUpPopup(QListWidget* list) {
  list->setProperty("isPopup", true);  // the style gives it an edge
  list->setFrameShape(QFrame::StyledPanel);
  auto* shadow = new PopupShadow(list);
  QObject::connect(list, &QObject::destroyed, shadow, &QObject::deleteLater);
}

void showPopup(QListWidget* list, const QWidget* line, QSize wanted) {
  const QWidget* window = list->parentWidget();
  list->setGeometry(popupPlace({line->mapTo(window, QPoint(0, 0)), line->size()}, wanted, window->size()));
  list->raise();
  list->show();
}

QRect popupPlace(const QRect& line, QSize wanted, QSize window) {
  const int width = std::min(wanted.width(), window.width() - 2 * kPopupMargin);
  const int left = std::clamp(line.left(), kPopupMargin, std::max(kPopupMargin, window.width() - width - kPopupMargin));
  const int below = window.height() - line.bottom() - 1 - kPopupGap - kPopupMargin;
  const int above = line.top() - kPopupGap - kPopupMargin;
  if (below >= wanted.height() || below >= above) {
    return {left, line.bottom() + 1 + kPopupGap, width, std::max(0, std::min(wanted.height(), below))};
  }
  const int height = std::min(wanted.height(), above);
  return {left, line.top() - kPopupGap - height, width, height};
}

}  // namespace heapscape::gui
