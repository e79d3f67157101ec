// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "base/progress.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace heapscape::gui {

/// Above the findings: what is known of the dump's health, and the button that checks the whole heap.
class CheckBar : public QWidget {
  Q_OBJECT

 public:
  explicit CheckBar(QWidget* parent = nullptr);

  enum class Health { Unknown, Good, Bad };

  void showIdle(const QString& headline, const QString& text, Health health);
  void showProgress(const engine::Progress& progress);
  void setCheckable(bool isCheckable);
  bool isRunning() const { return m_isRunning; }

 Q_SIGNALS:
  void checkWanted();
  void stopWanted();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void setRunning(bool isRunning);
  void updateLook();

  bool m_isRunning = false;
  Health m_health = Health::Unknown;
  QLabel* m_icon;
  QLabel* m_headline;
  QLabel* m_text;
  QProgressBar* m_progress;
  QPushButton* m_button;
};

}  // namespace heapscape::gui
