// SPDX-License-Identifier: MIT
#include "models/rows/kind_chips.h"

#include <QSignalBlocker>

#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"

namespace heapscape::gui {

KindChips::KindChips(QString name, QWidget* parent)
    : QWidget(parent), m_name(std::move(name)), m_line(new FlowLayout(this, 6)) {}

void KindChips::show(const RowList* list, const std::set<std::size_t>& checked) {
  if (list && m_shown && *m_shown == list->kinds()) return;
  m_shown.reset();
  for (BarRow* chip : m_chips) {
    m_line->removeWidget(chip);
    chip->deleteLater();
  }
  m_chips.clear();
  if (!list) return;
  const std::vector<RowKind>& kinds = list->kinds();
  m_shown = kinds;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].rows == 0) continue;
    auto* chip = makeKindChip(kinds[kind].name, kinds[kind].rows, list->size(), this);
    chip->setObjectName(u"%1Kind%2"_s.arg(m_name).arg(kind));
    chip->setToolTip(kinds[kind].tip);
    chip->setChecked(checked.contains(kind));
    connect(chip, &QAbstractButton::toggled, this, [this, kind](bool isOn) { Q_EMIT toggled(kind, isOn); });
    m_line->addWidget(chip);
    m_chips.push_back(chip);
  }
}

void KindChips::uncheck() {
  for (BarRow* chip : m_chips) {
    const QSignalBlocker quiet(chip);
    chip->setChecked(false);
  }
}

}  // namespace heapscape::gui
