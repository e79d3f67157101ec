// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QMenu;
class QPushButton;

namespace heapscape::gui {

class ElidedText;
struct ComparedDumps;
struct ComparedWith;

/// What to compare the open dump with, and what came of it in two lines.
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
  /// To be put in a row with the two that are compared.
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
