// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "views/place.h"

class QTabWidget;

namespace heapscape::gui {

class RowsPanel;
struct RowsPanelSetup;

/// Where references begin outside of objects: statics, handles, and the queue of what is to be finalized.
class RootsPlace : public Place {
  Q_OBJECT

 public:
  RootsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  PlaceId id() const override { return PlaceId::Roots; }
  QString title() const override { return tr("Roots"); }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  RowsPanel* buildStatics();
  RowsPanel* buildHandles();
  RowsPanel* buildFinalizers();
  void addTab(RowsPanel* panel, const QString& title);
  void load();

  QTabWidget* m_tabs;
  std::vector<RowsPanel*> m_panels;
  engine::Address m_listed;
  bool m_hasObjects = false;
};

}  // namespace heapscape::gui
