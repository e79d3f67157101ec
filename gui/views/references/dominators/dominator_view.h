// SPDX-License-Identifier: MIT
#pragma once

#include <QTimer>
#include <QWidget>
#include <array>
#include <functional>
#include <optional>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/zoom_steps.h"
#include "session/references/what_if.h"
#include "views/references/dominators/dominator_scene.h"
#include "views/references/dominators/dominator_toolbar.h"

class QStackedWidget;

namespace heapscape::gui {

class DominatorBreadcrumbs;
class DominatorCuts;
class DominatorIcicle;
class DominatorPicture;
class DominatorSunburst;
class DominatorTable;
class DominatorToolbar;
class DominatorTreemap;
class LegendChip;
class StatePanel;

/// The dominator tree, as a table and as pictures. A page of the place References, which shows it only once
/// retained sizes are known.
class DominatorView : public QWidget {
  Q_OBJECT

 public:
  DominatorView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Shows a snapshot of stage Retained; again whenever it is seen from other roots.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  /// Hatches what these cuts would free; null for none.
  void showCuts(std::shared_ptr<const engine::WhatIf> whatIf);
  /// The navigator's location changed, also while the page is hidden: what costs time waits until it is shown.
  void follow(const Location& location);

  /// Scene that is shown; null while nothing is.
  const DominatorScene* scene() const { return m_scene.get(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildPage();
  QWidget* buildLegend();
  void connectPicture(DominatorPicture* picture);
  void showForm();

  /// Asks for what is not shown yet, if anybody looks.
  void catchUp();
  /// Shows the tree from a node down; the whole for a way of none.
  void look(DominatorWay way);
  /// The same at the user's wish, as a step of the history; what was picked by the same click belongs to it.
  void goDown(DominatorWay way);
  /// Shows what a step of the history did; false if there is nothing of it.
  bool showStep(std::uint32_t step);
  /// What is shown, for the history.
  void keepStep();
  /// Shows what the set dominates.
  void lookAtSet();
  void reveal(engine::Address object);
  void search(const QString& text);
  void showMatches();
  void askForFreed();
  void step(int step);
  void await();
  void receive(engine::Outcome<SharedScene> answer, engine::Address wanted);
  void setScene(SharedScene scene);
  void showFailure(const engine::Error& error);
  void showNothing(const QString& why);
  /// Asks for a scene of the side that is chosen. `make`: on the engine's thread.
  using MakeScene = std::function<engine::Outcome<SharedScene>(const engine::Snapshot& seen, std::stop_token stop)>;
  void askForScene(const MakeScene& make, engine::Address wanted);
  /// Bytes of all that the side that is chosen has.
  std::uint64_t wholeBytes() const;

  void zoomTo(std::uint32_t shape);
  void zoomOut();
  void goToStep(std::size_t step);
  void pick(const engine::DominatorNode& node);
  void mark(const std::optional<engine::DominatorNode>& node);
  std::optional<engine::DominatorNode> markedIn(const DominatorScene& scene) const;
  void openMenu(const engine::DominatorNode& node, std::optional<std::uint32_t> shape, const QWidget& source,
                QPoint globalPosition);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  DominatorToolbar* m_toolbar;
  DominatorBreadcrumbs* m_way;
  DominatorTable* m_table;
  DominatorIcicle* m_icicle;
  DominatorSunburst* m_sunburst;
  DominatorTreemap* m_treemap;
  std::array<DominatorPicture*, 3> m_pictures;
  DominatorCuts* m_cuts;
  LegendChip* m_freedChip = nullptr;  // in the legend
  QWidget* m_legend;
  StatePanel* m_state;
  QStackedWidget* m_forms;  // in the order of DominatorForm
  QStackedWidget* m_pages;  // the forms, or the state
  QTimer m_patience;        // a short answer needs no notice that it is awaited

  std::optional<engine::Snapshot> m_snapshot;
  SharedScene m_scene;
  DominatorSearch m_search;
  std::shared_ptr<const engine::WhatIf> m_whatIf;  // null for no cuts
  std::optional<engine::DominatorNode> m_marked;
  QString m_set;              // what the tree is limited to; empty for nothing
  bool m_isStale = false;     // the scene belongs to another snapshot or grouping
  engine::Address m_awaited;  // to be shown as soon as somebody looks
  /// Where a step of the history was. Nodes are those of one snapshot.
  struct Seen {
    engine::DominatorGrouping grouping = engine::DominatorGrouping::Object;
    bool isOfGarbage = false;
    DominatorWay way;
  };
  ZoomSteps<Seen> m_steps;
  std::uint32_t m_step = 0;     // of the history, that is shown or on its way
  bool m_isStepWanted = false;  // m_step is on its way
  bool m_isJustPicked = false;  // by a click that may zoom, too
  engine::Address m_followed;   // the object picked last, here or elsewhere: it is shown once, not at every step
};

}  // namespace heapscape::gui
