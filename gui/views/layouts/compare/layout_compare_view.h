// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_list.h"
#include "session/layouts/layout_comparison.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

class QStackedLayout;

namespace heapscape::gui {

class CompareHead;
class RowsPanel;
class SideBySideDiagram;
class StatePanel;

/// The kinds of rows of comparedTypeSchema().
enum class ComparedKind : std::size_t { Changed, OnlyThere, OnlyHere };
RowSchema<engine::ComparedLayout> comparedTypeSchema();

/// The kinds of rows of fieldDifferenceSchema().
enum class FieldDifferenceKind : std::size_t { Different, Same };
RowSchema<engine::FieldDifference> fieldDifferenceSchema();

/// Partner that the open file's layouts are compared with: another file, or the rules of another runtime.
struct ComparisonPartner {
  QString path;
  std::uint32_t runtimeMajor = 0;

  QString name() const;
};

/// One side of a comparison: whose types, and laid out how.
struct ComparedSide {
  engine::DeclaredLayouts layouts;
  engine::LayoutQuestion question;
  QString name;
};

/// A comparison ready to be listed; made on the engine thread.
struct ComparedLayouts {
  ComparedSide here;
  ComparedSide there;
  std::size_t changed = 0, added = 0, removed = 0;
  std::uint64_t same = 0;
  std::vector<std::string> failures;
  std::shared_ptr<const RowList> rows;  // of ComparedLayout
};

/// `path` is the open file's. Opens the partner if it is a file, which may take long.
engine::Outcome<std::shared_ptr<const ComparedLayouts>> compareLayoutsWith(const engine::DeclaredLayouts& layouts,
                                                                           const QString& path,
                                                                           const ComparisonPartner& partner,
                                                                           engine::ProgressSink* progress,
                                                                           std::stop_token stop);

/// Both layouts of one type side by side, and its fields.
struct ComparedType {
  std::vector<DiagramColumn> columns;
  std::shared_ptr<const RowList> fields;  // of FieldDifference
};
engine::Result<ComparedType> readComparedType(const ComparedLayouts& compared, std::uint32_t row);

/// The layouts of what is open against those of another dump, assembly or runtime: the types that differ, and of the
/// one picked both layouts side by side and its fields.
class LayoutCompareView : public QWidget {
  Q_OBJECT

 public:
  LayoutCompareView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void showAssembly();
  void clear();
  void compareWith(const ComparisonPartner& partner);

 private:
  QWidget* buildBody();
  void invite();
  void stop();
  void showProgress(const engine::Progress& progress);
  void take(std::shared_ptr<const ComparedLayouts> compared);
  void release();
  void showType(std::uint32_t row);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  CompareHead* m_head;
  RowsPanel* m_types;
  SideBySideDiagram* m_diagram;
  RowsPanel* m_fields;
  StatePanel* m_state;
  StatePanel* m_typeState;
  QStackedLayout* m_pages;
  QStackedLayout* m_typePages;
  std::shared_ptr<const ComparedLayouts> m_compared;
  ComparisonPartner m_partner;
  bool m_isReady = false;
};

}  // namespace heapscape::gui
