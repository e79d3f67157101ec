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
  std::uint64_t usedInAll = 0;  // bytes of objects in all of them
};

enum GenerationColumn : int {
  HeapColumn,
  GenerationNameColumn,
  GenerationObjectsColumn,
  UsedColumn,
  FreeColumn,
  FreeShareColumn,
  UsedShareColumn
};
/// Roles for the delegate of that table: a Generation as int, nothing for the sum; whether nothing lies there.
enum GenerationCellRole { kGenerationRole = Qt::UserRole + 100, kEmptyRole };

RowSchema<GenerationLine> generationSchema();
/// A line for each row, and their sum; none for no rows.
std::vector<GenerationLine> generationLines(const std::vector<engine::GenerationRow>& rows);

/// The part of the heap that a line is about; the whole for the sum.
engine::HeapScope scopeOf(const std::vector<engine::GenerationRow>& rows, std::size_t line);

/// How old memory is and whether the heaps are balanced: bytes by heap and generation, objects by size, and the
/// figures. On a page of its own, what the GC was doing.
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
  RowsTable* m_table;
  std::vector<engine::GenerationRow> m_rows;
  std::vector<engine::SizeBucket> m_buckets;
};

}  // namespace heapscape::gui
