// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "views/place.h"

class QSplitter;
class QStackedLayout;
class QTabWidget;
class QTimer;

namespace heapscape::gui {

class ElidedText;
class LayoutCompareView;
class LayoutPanel;
class LayoutTypesList;
class StatePanel;
class WasteView;
struct PreparedLayout;
struct TypePopulation;

/// Shows what objects look like inside: type by type, what layouts cost this heap, and against another dump or runtime.
class LayoutsPlace : public Place {
  Q_OBJECT

 public:
  LayoutsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~LayoutsPlace() override;

  PlaceId id() const override { return PlaceId::Layouts; }
  QString title() const override { return u"Layouts"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void showAssembly(const engine::DeclaredLayouts& layouts) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void showFramework(const engine::DeclaredLayouts& layouts);
  void addParts();
  void buildTabs();
  void addStepKeys();
  void showType(const Selection& type);
  void takeActual(const Selection& type, engine::Result<PreparedLayout> layout);
  void study(const Selection& type, const TypePopulation& population);
  void takeStudy(engine::Result<PreparedLayout> layouts);
  void showActual();
  void showLayout(PreparedLayout layout);
  void fill();
  void showFailed(const engine::Error& error);
  void showWhole(QWidget* page);

  LayoutTypesList* m_types;
  LayoutPanel* m_panel;
  WasteView* m_waste;
  LayoutCompareView* m_compare;
  StatePanel* m_state;      // of the whole place
  StatePanel* m_typeState;  // of the type
  QSplitter* m_splitter;
  ElidedText* m_framework;  // that an assembly was read with
  QTabWidget* m_tabs;
  QStackedLayout* m_pages;
  QStackedLayout* m_typePages;
  QTimer* m_patience;
  Selection m_asked;                         // a type alone
  std::unique_ptr<PreparedLayout> m_actual;  // until its study has come, and if that fails
  std::unique_ptr<PreparedLayout> m_toShow;  // not in the panel yet, since the place is hidden
  bool m_isReady = false;
  bool m_isFirstShown = false;  // of the list, for nobody has picked one
};

}  // namespace heapscape::gui
