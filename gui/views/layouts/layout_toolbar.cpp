// SPDX-License-Identifier: MIT
#include "views/layouts/layout_toolbar.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include "widgets/arranging/layouts.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

namespace {

using engine::RuleSet;

}  // namespace

ColumnChips::ColumnChips(QWidget* parent) : QWidget(parent), m_line(new QHBoxLayout(this)) {
  m_line->setContentsMargins(0, 0, 0, 0);
  m_line->setSpacing(2);
  std::vector<ColumnKey> packs;
  for (const std::uint32_t pack : {1u, 2u, 4u, 8u}) packs.push_back({RuleSet::Sequential, pack, 0});
  m_pack = addMenu("layoutPack", u"Pack"_s, u"What if it were declared sequential with another Pack"_s, packs);
  std::vector<ColumnKey> runtimes;
  for (const std::uint32_t runtime : {8u, 9u, 10u}) runtimes.push_back({RuleSet::Declared, 0, runtime});
  m_runtime = addMenu("layoutRuntime", u".NET"_s, u"By the rules of another runtime"_s, runtimes);
}

QToolButton* ColumnChips::addMenu(const char* name, const QString& text, const QString& tip,
                                  const std::vector<ColumnKey>& keys) {
  auto* button = new QToolButton(this);
  setUpTextButton(button, QString::fromLatin1(name), text, tip);
  auto* menu = new QMenu(button);
  for (const ColumnKey& key : keys) {
    QAction* action = menu->addAction(columnName(key));
    action->setCheckable(true);
    action->setToolTip(columnTip(key));
    connect(action, &QAction::toggled, this, [this, key](bool isChosen) { choose(key, isChosen); });
  }
  button->setMenu(menu);
  button->setPopupMode(QToolButton::InstantPopup);
  m_line->addWidget(button);
  return button;
}

void ColumnChips::show(const PreparedLayout& layout) {
  for (QWidget* chip : m_chips) chip->deleteLater();
  m_chips.clear();
  for (const LayoutColumn& column : layout.columns) {
    const bool isOther = column.key.rules == RuleSet::Classic || column.key.rules == RuleSet::Declared;
    const bool isTold = &column == &layout.base() || isSameLayout(layout.layout(), column.layout());
    if (isOther && !isTold && column.key.runtime == 0) m_chips.push_back(addChip(column));
  }
  setVisible(!layout.type.isNone() && layout.failure.empty());
  updateGeometry();
}

QToolButton* ColumnChips::addChip(const LayoutColumn& column) {
  const QString name = columnName(column.key);
  QString tip = columnTip(column.key);
  if (!column.variant.remark.empty()) tip += QLatin1Char('\n') + fromEngine(column.variant.remark);
  auto* chip = new QToolButton(this);
  setUpTextButton(chip, u"layoutColumn"_s + name, name, tip);
  chip->setCheckable(true);
  chip->setChecked(m_chosen.contains(column.key));
  connect(chip, &QToolButton::toggled, this, [this, key = column.key](bool isChosen) { choose(key, isChosen); });
  m_line->addWidget(chip);
  chip->show();
  return chip;
}

void ColumnChips::choose(const ColumnKey& key, bool isChosen) {
  if (isChosen) {
    m_chosen.insert(key);
  } else {
    m_chosen.erase(key);
  }
  Q_EMIT chosenChanged();
}

LayoutToolbar::LayoutToolbar(QWidget* parent) : QWidget(parent) {
  auto* line = new FlowLayout(this, 2);
  line->setContentsMargins(12, 0, 12, 8);
  const auto addGap = [line] { line->addItem(new QSpacerItem(12, 0)); };

  m_rows = add("layoutRows", u"Rows"_s, u"Rows of 8 bytes, one below the other"_s);
  m_bar = add("layoutBar", u"Bar"_s, u"All bytes in one long bar"_s);
  addPair(m_rows, m_bar);
  addGap();
  m_unboxed = add("layoutUnboxed", u"Value"_s, u"As it lies in a field, a local or an array"_s);
  m_boxed = add("layoutBoxed", u"Boxed"_s, u"As an object of its own, with header and method table pointer"_s);
  addPair(m_unboxed, m_boxed);
  addGap();
  m_openAll = add("layoutOpenAll", u"Open all"_s, u"Show the fields of all value types inside"_s);
  m_closeAll = add("layoutCloseAll", u"Close all"_s, u"Show value types as one box each"_s);
  addGap();
  auto* smaller = add("layoutSmaller", u"−"_s, u"Smaller (Ctrl and wheel)"_s);
  auto* larger = add("layoutLarger", u"+"_s, u"Larger (Ctrl and wheel)"_s);
  keepTogether(smaller, larger);
  addGap();
  auto* playground = add("layoutPlay", u"Playground"_s,
                         u"Try it out: drag fields to other places, change their types, set attributes"_s);
  playground->setCheckable(true);
  connect(playground, &QToolButton::toggled, this, &LayoutToolbar::playgroundWanted);
  m_copy = add("layoutCopyText", u"Copy as text"_s, u"Copy the layout as lines of text"_s);
  m_copy->setIcon(symbolIcon(u"copy"_s));
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

void LayoutToolbar::addAtEnd(QWidget* more) {
  layout()->addItem(new QSpacerItem(12, 0));
  layout()->addWidget(more);
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
