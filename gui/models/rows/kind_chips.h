// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>
#include <set>
#include <vector>

#include "models/rows/row_list.h"

namespace heapscape::gui {

class FlowLayout;
class BarRow;

/// A chip for each kind of a list's rows that there is; those that are checked limit the list to their kinds.
class KindChips : public QWidget {
  Q_OBJECT

 public:
  /// `name`: of the list, "handles"; its chips are "handlesKind0", "handlesKind1" …
  explicit KindChips(QString name, QWidget* parent = nullptr);

  /// Chips that say what they said before stay, with the focus on them. None for no list.
  void show(const RowList* list, const std::set<std::size_t>& checked);
  /// All off, without telling.
  void uncheck();

 Q_SIGNALS:
  /// By whoever uses them.
  void toggled(std::size_t kind, bool isOn);

 private:
  const QString m_name;
  FlowLayout* m_line;
  std::vector<BarRow*> m_chips;
  std::optional<std::vector<RowKind>> m_shown;
};

}  // namespace heapscape::gui
