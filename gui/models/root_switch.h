// SPDX-License-Identifier: MIT
#pragma once

#include <QCheckBox>

#include "bridge/engine_bridge.h"

namespace heapscape::gui {

/// Whether words of stacks count as roots where frames do not tell what they refer to; all figures follow.
class RootSwitch : public QCheckBox {
  Q_OBJECT

 public:
  explicit RootSwitch(EngineBridge& bridge, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void follow();
  void updateLook();

  EngineBridge& m_bridge;
};

}  // namespace heapscape::gui
