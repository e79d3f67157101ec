// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "models/rows/type_rows.h"
#include "views/place.h"

class QStackedLayout;
class QTabWidget;
class QTimer;

namespace heapscape::gui {

class InstancesPanel;
class ObjectSearchView;
class StatePanel;
class TypesFilterBar;
class TypesList;

/// Which types cost most: the table of types, or their namespaces, and the instances of the selected one. On a page
/// beside it, the objects of the whole heap that fit a query.
class TypesPlace : public Place {
  Q_OBJECT

 public:
  TypesPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Types; }
  QString title() const override { return u"Types"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 private:
  using Answer = engine::Outcome<std::shared_ptr<const TypeRows>>;

  void addParts();
  void connectParts();
  void ask();
  void take(Answer answer);
  void showRows(std::shared_ptr<const TypeRows> rows);
  void showNotUnderstood();
  void showNothingFound();
  void showTotals();
  void showInstances();
  void showState(QWidget* page);
  void followPage(const Location& location);
  void choosePage(int page);

  TypesFilterBar* m_bar;
  TypesList* m_list;
  InstancesPanel* m_instances;
  ObjectSearchView* m_objects;
  QTabWidget* m_tabs;
  StatePanel* m_state;
  QStackedLayout* m_pages;
  QTimer* m_patience;  // until the totals say that counting takes a while

  engine::HeapScope m_scope;
  int m_sortedSection = BytesColumn;
  bool m_isDescending = true;
  Selection m_selection;
  std::optional<Location> m_followed;  // the last one in this place; none while another place is shown
  std::shared_ptr<const TypeRows> m_rows;
};

}  // namespace heapscape::gui
