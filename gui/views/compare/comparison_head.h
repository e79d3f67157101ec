// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <optional>

#include "insight/comparison/comparison.h"
#include "insight/comparison/dominator_difference.h"
#include "insight/comparison/dump_order.h"
#include "models/rows/row_list.h"
#include "views/compare/comparison_rows.h"
#include "views/compare/growth_chart.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

class QMenu;
class QPushButton;

namespace heapscape::gui {

/// The dump that is compared with, and which of the two is the earlier one.
struct ComparedWith {
  QString path;
  std::optional<bool> isEarlier = {};  // of the user's choice; without one the dumps themselves tell

  QString name() const;
  bool operator==(const ComparedWith&) const = default;
};

/// A comparison ready to be shown; made on the engine thread.
struct ComparedDumps {
  engine::Snapshot open;
  engine::Snapshot other;
  bool isOtherEarlier = true;
  engine::OrderSource orderSource = engine::OrderSource::Nothing;
  bool isOrderChosen = false;  // by the user
  engine::Comparison comparison;
  std::shared_ptr<const RowList> types;     // of engine::TypeChange
  std::shared_ptr<const RowList> owners;    // of engine::OwnerChange
  std::shared_ptr<const RowList> roots;     // of engine::RootChange
  std::shared_ptr<const RowList> figures;   // of engine::FigureChange
  std::shared_ptr<const RowList> insights;  // of engine::InsightChange
  std::shared_ptr<const RowList> layouts;   // of engine::LayoutChange
  std::vector<GrowthBar> bars;              // what grew and shrunk most
  std::vector<engine::DifferenceShape> dominators = {};

  const engine::Snapshot& before() const { return isOtherEarlier ? other : open; }
  const engine::Snapshot& after() const { return isOtherEarlier ? open : other; }
};

/// Opens the other dump, unless it is given, and compares; takes long.
engine::Outcome<std::shared_ptr<const ComparedDumps>> compareDumps(const engine::Snapshot& open,
                                                                   const ComparedWith& with,
                                                                   std::optional<engine::Snapshot> other,
                                                                   engine::ProgressSink* progress,
                                                                   std::stop_token stop);

/// Objects of one type of a comparison in both dumps, so many of each at most.
struct ComparedObjects {
  std::shared_ptr<const RowList> rows;
  bool isCut = false;  // there are more
};
ComparedObjects objectsOfType(const ComparedDumps& compared, std::uint32_t row, std::stop_token stop);

/// "before-10.core".
QString dumpName(const engine::Snapshot& snapshot);

/// How a root leads to an object, in the dump that it is of.
struct ComparedWay {
  QString root;        // "static Shop.Cache.entries"; empty if nothing holds it
  QString expression;  // as C#
  std::shared_ptr<const RowList> steps;
};
engine::Outcome<ComparedWay> wayTo(const ComparedDumps& compared, const ComparedObject& object, std::stop_token stop);

/// Both layouts of a type that is laid out otherwise.
engine::Result<std::vector<DiagramColumn>> layoutsOfType(const ComparedDumps& compared, std::uint32_t row);

class ElidedText;
class OrderBanner;

/// The head of the page: what to compare the open dump with, and what came of it in two lines.
class ComparisonHead : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonHead(QWidget* parent = nullptr);

  /// The open dump; empty for none.
  void showFile(const QString& path);
  /// Whether retained sizes are known, without which nothing is compared.
  void setReady(bool isReady);
  /// Offered to compare with, but for the one that is open; assemblies among them are left out.
  void setRecentDumps(const QStringList& paths);
  void showResult(const ComparedDumps& compared);
  void showNoResult();
  /// As a click on the button that picks: a menu of dumps, shown there, or a dialog where none is known.
  void offer(const QPoint& globalPosition);

 Q_SIGNALS:
  /// One dump to compare with, or several for a row.
  void picked(const QStringList& paths);
  /// Files were picked, to be put in a row with the two that are compared, behind these in their order.
  void morePicked(const QStringList& paths);
  void swapWanted();
  void openWanted();

 private:
  void pickFiles();
  void pickMore();
  QStringList askForFiles(const QString& title);
  void showRecent();

  QString m_path;
  QStringList m_recent;
  QStringList m_beside;  // dumps in the folder of the open one
  QMenu* m_others;
  ElidedText* m_question;  // before there is a result
  OrderBanner* m_order;    // of the result
  ElidedText* m_figures;
  QPushButton* m_pick;
  QPushButton* m_open;
  QPushButton* m_more;
};

}  // namespace heapscape::gui
