// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;

namespace heapscape::gui {

/// A sentence that must not be missed: what is shown below is not the whole.
class Banner : public QWidget {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);

  /// An empty text hides it.
  void setText(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* m_text;
};

}  // namespace heapscape::gui
