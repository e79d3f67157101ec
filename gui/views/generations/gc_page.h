// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/generations/gc_rows.h"

class QLabel;
class QStackedLayout;
class QTabWidget;

namespace heapscape::gui {

class Banner;
class FigureTile;
class RowsPanel;
class StatePanel;

/// Page on the GC: its figures, its settings and where each came from, free objects and what stands behind them, pins,
/// finalizers that are due, and allocations that failed.
class GcPage : public QWidget {
  Q_OBJECT

 public:
  GcPage(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct List {
    RowsPanel* panel;
    QString title;
    std::shared_ptr<const RowList> (*rowsOf)(const SharedGcReport&);
    bool isOfHeap;  // told by objects alone
  };

  QWidget* makeHead();
  void addList(const QString& name, const QString& title, const QString& noun, const QString& emptyHeading,
               const QString& emptyText, std::shared_ptr<const RowList> (*rowsOf)(const SharedGcReport&),
               bool isOfHeap);
  void ask();
  void take(SharedGcReport report);
  void showFigures(const engine::GcReport& report);
  void showSentences(const engine::GcReport& report);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  bool m_isReady = false;  // the dump is far enough
  bool m_isAsked = false;
  Banner* m_phase;
  FigureTile* m_collections;
  FigureTile* m_last;
  FigureTile* m_free;
  FigureTile* m_pinned;
  FigureTile* m_finalizers;
  QLabel* m_sentences;
  QTabWidget* m_tabs;
  std::vector<List> m_lists;
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
