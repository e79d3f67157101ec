// SPDX-License-Identifier: MIT
#include "views/layouts/column_chips.h"

#include <QMenu>
#include <QToolButton>

#include "views/layouts/column_text.h"
#include "widgets/arranging/layouts.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {
namespace {

using engine::RuleSet;

}  // namespace

ColumnChips::ColumnChips(QWidget* parent)
    : QWidget(parent),
      m_line(new FlowLayout(this, 2)),
      m_chosen{{RuleSet::Actual, 0, 0}, {RuleSet::Declared, 0, 0}, {RuleSet::Best, 0, 0}} {
  m_line->setContentsMargins(12, 0, 12, 6);
  std::vector<ColumnKey> packs;
  for (const std::uint32_t pack : {1u, 2u, 4u, 8u}) packs.push_back({RuleSet::Sequential, pack, 0});
  m_pack = addMenu("layoutPack", QStringLiteral("Pack"),
                   QStringLiteral("What if it were declared sequential with another Pack"), packs);
  std::vector<ColumnKey> runtimes;
  for (const std::uint32_t runtime : {8u, 9u, 10u}) runtimes.push_back({RuleSet::Declared, 0, runtime});
  m_runtime =
      addMenu("layoutRuntime", QStringLiteral(".NET"), QStringLiteral("By the rules of another runtime"), runtimes);
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
  return button;
}

void ColumnChips::show(const PreparedLayout& layout) {
  while (m_line->count() > 0) delete m_line->takeAt(0);
  for (QWidget* chip : m_chips) chip->deleteLater();
  m_chips.clear();
  for (const LayoutColumn& column : layout.columns) {
    if (column.key.pack == 0 && column.key.runtime == 0) m_chips.push_back(addChip(layout, column));
  }
  const bool isDeclared = !layout.type.isNone() && layout.failure.empty();
  for (QToolButton* menu : {m_pack, m_runtime}) {
    menu->setVisible(isDeclared);
    if (isDeclared) m_line->addWidget(menu);
  }
  setVisible(isDeclared);
  updateGeometry();
}

QToolButton* ColumnChips::addChip(const PreparedLayout& layout, const LayoutColumn& column) {
  const bool isBase = &column == &layout.base();
  const bool isSame = !isBase && isSameLayout(layout.layout(), column.layout());
  const QString name = columnName(column.key);
  const QString text = isSame ? QStringLiteral("%1 · same").arg(name)
                              : QStringLiteral("%1 · %2").arg(name, bytesText(column.layout().unitBytes()));
  QString tip = columnTip(column.key);
  if (isSame)
    tip += QLatin1Char('\n') + QStringLiteral("Comes to the same as %1.").arg(columnName(layout.base().key).toLower());
  if (!column.variant.remark.empty()) tip += QLatin1Char('\n') + fromEngine(column.variant.remark);
  auto* chip = new QToolButton(this);
  setUpTextButton(chip, QStringLiteral("layoutColumn") + name, text, tip);
  chip->setCheckable(true);
  chip->setChecked(isBase || m_chosen.contains(column.key));
  if (isBase) {
    // What the others are measured by stays.
    connect(chip, &QToolButton::clicked, chip, [chip] { chip->setChecked(true); });
  } else {
    connect(chip, &QToolButton::toggled, this, [this, key = column.key](bool isChosen) { choose(key, isChosen); });
  }
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

}  // namespace heapscape::gui
