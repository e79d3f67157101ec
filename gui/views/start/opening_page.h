// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <array>

#include "base/progress.h"
#include "session/snapshot/snapshot.h"

class QLabel;
class QProgressBar;

namespace heapscape::gui {

class ElidedText;

/// How far opening is: the stages that are done, the one that runs, and those to come.
class OpeningPage : public QWidget {
  Q_OBJECT

 public:
  explicit OpeningPage(QWidget* parent = nullptr);

  void start(const QString& path);
  /// An assembly: too quick for stages.
  void startAssembly(const QString& path);
  void showProgress(const engine::Progress& progress);
  void showStage(engine::Stage done);

 Q_SIGNALS:
  void cancelRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    QLabel* icon;
    QLabel* text;
  };

  QWidget* buildStages();
  void updateLook();

  int m_stagesDone = 0;
  ElidedText* m_name;
  QWidget* m_stages = nullptr;
  std::array<Row, 4> m_rows{};
  QProgressBar* m_bar;
  ElidedText* m_activity;
};

}  // namespace heapscape::gui
