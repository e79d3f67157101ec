// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "widgets/painted_button.h"

namespace heapscape::gui {

/// A kind of rows with their number and, as a bar below, their share of all. Checked, it limits a list to its kind.
class KindChip : public PaintedButton {
  Q_OBJECT

 public:
  KindChip(const QString& name, std::uint64_t count, std::uint64_t all, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_count;
  double m_share;
};

}  // namespace heapscape::gui
