// SPDX-License-Identifier: MIT
#pragma once

#include "insight/insight.h"
#include "widgets/painted_button.h"

namespace heapscape::gui {

/// One who holds what an insight is about: its name, its bytes, and a bar as long as its share. A button where there is
/// an object or a type to go to.
class OwnerRow : public PaintedButton {
  Q_OBJECT

 public:
  OwnerRow(const engine::InsightOwner& owner, std::uint64_t wholeBytes, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_bytes;
  QString m_objects;
  double m_share;
};

}  // namespace heapscape::gui
