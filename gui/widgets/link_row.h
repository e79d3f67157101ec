// SPDX-License-Identifier: MIT
#pragma once

#include "widgets/painted_button.h"

namespace heapscape::gui {

/// A line of text that leads somewhere; cut in its middle where room is short.
class LinkRow : public PaintedButton {
  Q_OBJECT

 public:
  explicit LinkRow(const QString& text, QWidget* parent = nullptr);

  /// In the colour of warnings.
  void setWarning(bool isWarning);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_isWarning = false;
};

}  // namespace heapscape::gui
