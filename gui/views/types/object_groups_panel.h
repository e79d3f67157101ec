// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/group_choice.h"
#include "views/types/object_rows.h"

namespace heapscape::gui {

class RowList;
class RowsPanel;

/// Objects that were found, in groups by what a field holds of them, with their sums. Picking a group tells which
/// objects these are. Hidden while nothing is grouped.
class ObjectGroupsPanel : public QWidget {
  Q_OBJECT

 public:
  using Objects = std::shared_ptr<const std::vector<std::uint32_t>>;  // ObjectIds, ascending

  ObjectGroupsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// What to group by, to stand wherever there is room for it.
  GroupChoice& choice() const { return *m_choice; }
  bool isGrouping() const { return m_choice->field().has_value(); }
  /// Groups what was found as it is wanted; drops what was picked.
  void group(std::shared_ptr<const FoundObjectList> found);
  void clear();
  /// Those of the group that is picked; null for none.
  const Objects& picked() const { return m_picked; }

 Q_SIGNALS:
  void pickedChanged();
  /// Another field, or none any more.
  void fieldChanged();

 private:
  struct Grouped {
    std::shared_ptr<const engine::ObjectGroups> groups;
    std::shared_ptr<const RowList> rows;
  };

  static Grouped groupedFrom(engine::ObjectGroups groups, bool areOfTypes);
  void regroup();
  void show(Grouped grouped);
  void pick(std::uint32_t row);
  void drop();

  EngineBridge& m_bridge;
  GroupChoice* m_choice;
  RowsPanel* m_panel;
  std::shared_ptr<const FoundObjectList> m_found;
  std::shared_ptr<const engine::ObjectGroups> m_groups;
  Objects m_picked;
};

}  // namespace heapscape::gui
