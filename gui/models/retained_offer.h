// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "bridge/engine_bridge.h"

class QLabel;
class QPushButton;

namespace heapscape::gui {

/// Over what shows retained sizes: a line that offers to compute them. Hidden unless nobody does, because that was
/// stopped or failed.
class RetainedOffer : public QWidget {
  Q_OBJECT

 public:
  explicit RetainedOffer(EngineBridge& bridge, QWidget* parent = nullptr);

 private:
  void follow();

  EngineBridge& m_bridge;
  QLabel* m_text;
  QPushButton* m_compute;
};

}  // namespace heapscape::gui
