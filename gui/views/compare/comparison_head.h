// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <optional>

#include "insight/comparison/comparison.h"
#include "models/rows/row_list.h"
#include "views/compare/growth_chart.h"

class QMenu;
class QPushButton;

namespace heapscape::gui {

/// The dump that is compared with, and which of the two is the earlier one.
struct ComparedWith {
  QString path;
  bool isEarlier = true;

  QString name() const;
  bool operator==(const ComparedWith&) const = default;
};

/// A comparison ready to be shown; made on the engine thread.
struct ComparedDumps {
  engine::Snapshot open;
  engine::Snapshot other;
  bool isOtherEarlier = true;
  engine::Comparison comparison;
  std::shared_ptr<const RowList> types;     // of engine::TypeChange
  std::shared_ptr<const RowList> figures;   // of engine::FigureChange
  std::shared_ptr<const RowList> insights;  // of engine::InsightChange
  std::shared_ptr<const RowList> layouts;   // of engine::LayoutChange
  std::vector<GrowthBar> bars;              // what grew and shrunk most

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

class ElidedText;

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
  void showResult(const ComparedDumps& compared, const ComparedWith& with);
  void showNoResult();

 Q_SIGNALS:
  /// One dump to compare with, or several for a row.
  void picked(const QStringList& paths);
  /// Files were picked, to be put in a row with the two that are compared.
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
  QMenu* m_others;
  ElidedText* m_question;
  ElidedText* m_figures;
  QPushButton* m_pick;
  QPushButton* m_swap;
  QPushButton* m_open;
  QPushButton* m_more;
};

}  // namespace heapscape::gui
