// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "models/rows/row_list.h"
#include "session/heap/size_histogram.h"
#include "session/snapshot/snapshot.h"
#include "session/types/type_query.h"
#include "views/generations/generation_stacks.h"
#include "views/place.h"

class QBoxLayout;
class QButtonGroup;
class QLabel;
class QStackedWidget;
class QTabWidget;

namespace heapscape::gui {

class CollectionStrip;
class GcPage;
class LegendChip;
class RowsTable;
class Section;
class StackedChart;
class StatePanel;

/// A line of the figures below the generations' picture: a generation of a heap, or the sum of all.
struct GenerationLine {
  std::optional<engine::GenerationRow> part;  // nothing for the sum
  engine::ObjectTotals totals;
  std::uint64_t usedInAll = 0;                       // bytes of objects in all of them
  std::optional<engine::RetainedTotals> reach = {};  // nothing while it is not known
};

enum GenerationColumn : int {
  HeapColumn,
  GenerationNameColumn,
  GenerationObjectsColumn,
  UsedColumn,
  GenerationLiveColumn,
  GenerationGarbageColumn,
  FreeColumn,
  FreeShareColumn,
  UsedShareColumn
};
/// Roles for the delegate of that table: a Generation as int, nothing for the sum; whether nothing lies there.
enum GenerationCellRole { kGenerationRole = Qt::UserRole + 100, kEmptyRole };

RowSchema<GenerationLine> generationSchema();
/// A line for each row, and their sum; none for no rows. `reach`: of the same rows, empty while it is not known.
std::vector<GenerationLine> generationLines(const std::vector<engine::GenerationRow>& rows,
                                            const std::vector<engine::RetainedTotals>& reach = {});

/// The part of the heap that a line is about; the whole for the sum.
engine::HeapScope scopeOf(const std::vector<engine::GenerationRow>& rows, std::size_t line);

/// How old memory is, how much of it is garbage and whether the heaps are balanced: bytes by heap and generation,
/// objects by size, the last collections, and the figures. On a page of its own, what the GC was doing.
class GenerationsPlace : public Place {
  Q_OBJECT

 public:
  GenerationsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~GenerationsPlace() override;

  PlaceId id() const override { return PlaceId::Generations; }
  QString title() const override { return u"Generations"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makePage();
  QWidget* makeTopRow();
  QWidget* makeCharts();
  RowsTable* makeTable();
  void setupConnections();
  void askForSizes();
  void askForReport();
  void showCharts();
  void showSizes();
  void showBalance(const engine::Snapshot& snapshot);
  void fitTable();
  void arrange();
  Measure measure() const;

  QTabWidget* m_tabs;
  GcPage* m_gc;
  QStackedWidget* m_pages;
  StatePanel* m_state;
  QButtonGroup* m_measure;
  QLabel* m_balance;
  Section* m_generationsSection;
  Section* m_sizesSection;
  QBoxLayout* m_charts = nullptr;
  StackedChart* m_generations;
  StackedChart* m_sizes;
  std::vector<LegendChip*> m_legend;  // by generation, then free space
  LegendChip* m_garbageChip = nullptr;
  LegendChip* m_committedChip = nullptr;
  LegendChip* m_dueChip = nullptr;
  CollectionStrip* m_strip = nullptr;
  RowsTable* m_table;
  std::vector<engine::GenerationRow> m_rows;
  std::vector<engine::RetainedTotals> m_reach;       // as m_rows; empty while it is not known
  std::optional<engine::GenerationReport> m_report;  // comes later
  std::vector<engine::SizeBucket> m_buckets;
};

}  // namespace heapscape::gui
