// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bridge/navigator.h"
#include "views/place.h"

class QTabWidget;

namespace heapscape::gui {

class RootTreePanel;
class RowsPanel;
struct RowsPanelSetup;

/// Where references begin outside of objects, and what each keeps alive: all roots by owner and one by one; statics,
/// handles, and the queue of what is to be finalized.
class RootsPlace : public Place {
  Q_OBJECT

 public:
  RootsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Roots; }
  QString title() const override { return u"Roots"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  RowsPanel* buildStatics();
  RowsPanel* buildHandles();
  RowsPanel* buildFinalizers();
  RowsPanel* buildRoots();
  void addTab(RowsPanel* panel, const QString& title);
  void load();
  void loadRoots();
  /// Roots are listed with what they hold: nothing without it.
  void showLacking();

  QTabWidget* m_tabs;
  RootTreePanel* m_tree;
  RowsPanel* m_roots;
  RowsPanel* m_finalizers;
  std::vector<RowsPanel*> m_panels;
  Listed m_listed;
  bool m_hasObjects = false;
  bool m_hasNoHeap = false;    // statics and handles are there all the same
  bool m_areListsOld = false;  // retained sizes have come since they were read
  bool m_areRootsOld = false;
};

}  // namespace heapscape::gui
