// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>

#include "base/result.h"

class QVBoxLayout;

namespace heapscape::gui {

class DropZone;
class FailurePanel;

/// What can be opened: a dump to drop or pick, those of last time, and the sample; and how to make one.
class WelcomePage : public QWidget {
  Q_OBJECT

 public:
  explicit WelcomePage(QWidget* parent = nullptr);

  void setRecentDumps(const QStringList& paths);
  /// What was open last, and where one was in it, in words; an empty path if nothing is to be offered.
  void setLast(const QString& path, const QString& where);
  /// Empty if there is no sample.
  void setSample(const QString& path);
  void showFailure(const QString& path, const engine::Error& error);
  void hideFailure();
  void setDropHovered(bool isHovered);

 Q_SIGNALS:
  void openRequested(const QString& path);
  void continueRequested();
  void chooseRequested();
  void chooseAssemblyRequested();

 private:
  QWidget* buildTitle();
  QWidget* buildLast();
  QWidget* buildColumns();
  QWidget* buildAdvice();
  void addDump(QVBoxLayout* list, const QString& path, const QString& symbol, const QString& note);

  FailurePanel* m_failure;
  QWidget* m_last = nullptr;
  QVBoxLayout* m_lastList = nullptr;
  DropZone* m_drop;
  QWidget* m_recent = nullptr;
  QVBoxLayout* m_recentList = nullptr;
  QWidget* m_sample = nullptr;
  QVBoxLayout* m_sampleList = nullptr;
};

}  // namespace heapscape::gui
