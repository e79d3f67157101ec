// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_list.h"
#include "session/heap/gc_query.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"

class QLabel;
class QStackedLayout;
class QTabWidget;

namespace heapscape::gui {

class Banner;
class FigureTile;
class RowsPanel;
class StatePanel;

/// Lists of a GC report. `report` null: only the columns are wanted, there are no rows.
using SharedGcReport = std::shared_ptr<const engine::GcReport>;

RowSchema<engine::GenerationFigures> gcGenerationSchema();
RowSchema<engine::GapRow> gcGapSchema();
RowSchema<engine::PinGroup> gcPinSchema();
RowSchema<engine::RecordedCollection> gcCollectionSchema();
RowSchema<engine::FinalizerBacklog::Type> gcFinalizerSchema();

/// How the GC was set up, where each figure came from, and what it has counted.
std::shared_ptr<const RowList> gcSettingRows(const SharedGcReport& report);
/// Budget, survival and free space by generation and heap.
std::shared_ptr<const RowList> gcGenerationRows(const SharedGcReport& report);
/// Types of the objects that stand behind gaps.
std::shared_ptr<const RowList> gcGapRows(const SharedGcReport& report);
/// Pinned objects by who pins them.
std::shared_ptr<const RowList> gcPinRows(const SharedGcReport& report);
/// The collections that the GC has kept a record of.
std::shared_ptr<const RowList> gcCollectionRows(const SharedGcReport& report);
/// Types of objects whose finalizer is due.
std::shared_ptr<const RowList> gcFinalizerRows(const SharedGcReport& report);

/// Page on the GC: its figures, its settings and where each came from, free objects and what stands behind them, pins,
/// finalizers that are due, and allocations that failed.
class GcPage : public QWidget {
  Q_OBJECT

 public:
  GcPage(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  /// Brings the list of recorded collections to the front.
  void showRecords();

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
