// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "base/result.h"

class QLabel;

namespace heapscape::gui {

/// Why a dump could not be opened, and what would help.
class FailurePanel : public QWidget {
  Q_OBJECT

 public:
  explicit FailurePanel(QWidget* parent = nullptr);

  void showError(const QString& path, const engine::Error& error);

 Q_SIGNALS:
  void chooseRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* m_heading;
  QLabel* m_what;
  QLabel* m_help;
};

}  // namespace heapscape::gui
