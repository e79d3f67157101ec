// SPDX-License-Identifier: MIT
#include "app/bars.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QSpacerItem>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

// "zoo.core · .NET 10.0.12 · workstation".
QString dumpLine(const engine::Summary& summary) {
  QStringList parts;
  parts << QFileInfo(fromEngine(summary.dump.path)).fileName();
  if (summary.dump.kind == engine::DumpKind::GcDump) return parts.front();
  if (!summary.runtime.version.empty()) parts << u".NET %1"_s.arg(fromEngine(summary.runtime.version));
  parts << (summary.runtime.isServerGc ? u"server"_s : u"workstation"_s);
  return parts.join(u" · "_s);
}

}  // namespace

TopBar::TopBar(QAction* back, QAction* forward, QWidget* goToBox, QAction* inspector, QWidget* parent)
    : QWidget(parent), m_layout(new QHBoxLayout(this)), m_dump(new ElidedText(this)) {
  m_layout->setContentsMargins(8, 6, 8, 7);
  m_layout->setSpacing(4);
  addButton(back);
  addButton(forward);
  m_layout->addSpacing(8);
  goToBox->setMaximumWidth(fontMetrics().averageCharWidth() * 96);
  m_layout->addWidget(goToBox, 3);
  m_layout->addSpacing(12);
  m_dump->setAlignment(Qt::AlignRight);
  m_layout->addStretch(0);
  m_layout->addWidget(m_dump, 2);
  m_layout->addSpacing(8);
  addButton(inspector);
  showNothing();
}

void TopBar::addButton(QAction* action) {
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  const int side = qMax(18, qRound(fontMetrics().height() * 1.15));
  button->setIconSize(QSize(side, side));
  button->setMinimumSize(side + 12, side + 12);
  m_layout->addWidget(button);
}

void TopBar::showOpening(const QString& path) {
  m_dump->setDimmed(true);
  m_dump->setText(QFileInfo(path).fileName());
  m_dump->setDetail(QDir::toNativeSeparators(path));
}

void TopBar::showDump(const engine::Summary& summary) {
  m_dump->setDimmed(false);
  m_dump->setText(dumpLine(summary));
  m_dump->setDetail(QDir::toNativeSeparators(fromEngine(summary.dump.path)));
}

void TopBar::showAssembly(const QString& path, const QString& line) {
  m_dump->setDimmed(false);
  m_dump->setText(line);
  m_dump->setDetail(QDir::toNativeSeparators(path));
}

void TopBar::showNothing() {
  m_dump->setDimmed(true);
  m_dump->setText(u"No dump open"_s);
  m_dump->setDetail(QString());
}

void TopBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, height() - 1, width(), 1), Colours(palette()).gridLine());
}

namespace {

/// Gives way where the window is low, so that all places stay in sight.
class PlaceButton : public QToolButton {
 public:
  using QToolButton::QToolButton;

  QSize sizeHint() const override {
    return {QToolButton::sizeHint().width(), qMax(32, qRound(fontMetrics().height() * 2.0))};
  }
  QSize minimumSizeHint() const override { return {QToolButton::sizeHint().width(), qMax(24, fontMetrics().height())}; }
};

}  // namespace

PlaceBar::PlaceBar(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
  m_layout->setContentsMargins(8, 4, 8, 4);
  m_layout->setSpacing(0);
  m_layout->addStretch(1);
  setAccessibleName(u"Places"_s);
}

void PlaceBar::addPlace(PlaceId place, QAction* action) {
  auto* button = new PlaceButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  const int side = qMax(18, qRound(fontMetrics().height() * 1.15));
  button->setIconSize(QSize(side, side));
  button->setFocusPolicy(Qt::TabFocus);
  m_actions[place] = action;
  m_layout->insertWidget(m_layout->count() - 1, button);
}

void PlaceBar::addGap() {
  // Gives way as well.
  m_layout->insertItem(m_layout->count() - 1, new QSpacerItem(0, 12, QSizePolicy::Minimum, QSizePolicy::Preferred));
}

void PlaceBar::setCurrent(PlaceId place) {
  for (auto& [id, action] : m_actions) action->setChecked(id == place);
}

void PlaceBar::setCompact(bool isCompact) {
  if (isCompact == m_isCompact) return;
  m_isCompact = isCompact;
  for (QToolButton* button : findChildren<QToolButton*>()) {
    button->setToolButtonStyle(isCompact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  }
  const int side = isCompact ? 4 : 8;
  m_layout->setContentsMargins(side, 4, side, 4);
}

void PlaceBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(width() - 1, 0, 1, height()), Colours(palette()).gridLine());
}

}  // namespace heapscape::gui
