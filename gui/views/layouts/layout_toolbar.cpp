// SPDX-License-Identifier: MIT
#include "views/layouts/layout_toolbar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "widgets/arranging/layouts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

LayoutToolbar::LayoutToolbar(QWidget* parent) : QWidget(parent) {
  auto* line = new FlowLayout(this, 2);
  line->setContentsMargins(12, 0, 12, 8);
  const auto addGap = [line] { line->addItem(new QSpacerItem(12, 0)); };

  m_rows = add("layoutRows", QStringLiteral("Rows"), QStringLiteral("Rows of 8 bytes, one below the other"));
  m_bar = add("layoutBar", QStringLiteral("Bar"), QStringLiteral("All bytes in one long bar"));
  addPair(m_rows, m_bar);
  addGap();
  m_unboxed =
      add("layoutUnboxed", QStringLiteral("Value"), QStringLiteral("As it lies in a field, a local or an array"));
  m_boxed = add("layoutBoxed", QStringLiteral("Boxed"),
                QStringLiteral("As an object of its own, with header and method table pointer"));
  addPair(m_unboxed, m_boxed);
  addGap();
  m_openAll =
      add("layoutOpenAll", QStringLiteral("Open all"), QStringLiteral("Show the fields of all value types inside"));
  m_closeAll = add("layoutCloseAll", QStringLiteral("Close all"), QStringLiteral("Show value types as one box each"));
  addGap();
  auto* smaller = add("layoutSmaller", QStringLiteral("−"), QStringLiteral("Smaller (Ctrl and wheel)"));
  auto* larger = add("layoutLarger", QStringLiteral("+"), QStringLiteral("Larger (Ctrl and wheel)"));
  keepTogether(smaller, larger);
  addGap();
  m_copy = add("layoutCopyText", QStringLiteral("Copy as text"), QStringLiteral("Copy the layout as lines of text"));
  m_copy->setIcon(symbolIcon(QStringLiteral("copy")));
  fitCopy();

  connect(m_bar, &QToolButton::toggled, this, &LayoutToolbar::barChanged);
  connect(m_boxed, &QToolButton::toggled, this, &LayoutToolbar::boxedChanged);
  connect(m_openAll, &QToolButton::clicked, this, [this] { Q_EMIT allOpenWanted(true); });
  connect(m_closeAll, &QToolButton::clicked, this, [this] { Q_EMIT allOpenWanted(false); });
  connect(smaller, &QToolButton::clicked, this, [this] { Q_EMIT zoomWanted(-1); });
  connect(larger, &QToolButton::clicked, this, [this] { Q_EMIT zoomWanted(1); });
  connect(m_copy, &QToolButton::clicked, this, &LayoutToolbar::textWanted);
}

QToolButton* LayoutToolbar::add(const char* name, const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  setUpTextButton(button, QString::fromLatin1(name), text, tip);
  layout()->addWidget(button);
  return button;
}

void LayoutToolbar::addPair(QToolButton* left, QToolButton* right) {
  auto* group = new QButtonGroup(this);
  for (QToolButton* button : {left, right}) {
    button->setCheckable(true);
    group->addButton(button);
  }
  left->setChecked(true);
}

// On one line, however narrow the window is.
void LayoutToolbar::keepTogether(QToolButton* left, QToolButton* right) {
  auto* both = new QWidget(this);
  auto* line = new QHBoxLayout(both);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  for (QToolButton* button : {left, right}) {
    layout()->removeWidget(button);
    line->addWidget(button);
  }
  layout()->addWidget(both);
}

bool LayoutToolbar::isBar() const {
  return m_bar->isChecked();
}

bool LayoutToolbar::isBoxed() const {
  return m_boxed->isChecked();
}

void LayoutToolbar::setForValueType(bool isValueType) {
  m_unboxed->setVisible(isValueType);
  m_boxed->setVisible(isValueType);
  fitCopy();
}

void LayoutToolbar::setCanOpen(bool canOpen) {
  m_openAll->setVisible(canOpen);
  m_closeAll->setVisible(canOpen);
  fitCopy();
}

void LayoutToolbar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitCopy();
}

// A line for this button alone would be taken from the picture.
void LayoutToolbar::fitCopy() {
  const auto heightWith = [this](Qt::ToolButtonStyle style) {
    m_copy->setToolButtonStyle(style);
    return layout()->heightForWidth(width());
  };
  const int withIcon = heightWith(Qt::ToolButtonIconOnly);
  if (heightWith(Qt::ToolButtonTextBesideIcon) > withIcon) m_copy->setToolButtonStyle(Qt::ToolButtonIconOnly);
}

}  // namespace heapscape::gui
