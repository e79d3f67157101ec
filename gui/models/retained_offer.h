// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QWidget>

#include "bridge/engine_bridge.h"

class QLabel;
class QPushButton;

namespace heapscape::gui {

class StatePanel;

/// "Retained sizes are being computed: finding dominators, 62%", or why there are none; empty once they are there.
QString retainedStateText(const EngineBridge& bridge);

/// Text of a button that has them computed once more after a failure.
QString computeAgainText(const EngineBridge& bridge);

/// Shows that text as a page, with a button where the user can go on: for what cannot be shown without retained sizes.
void showRetainedState(StatePanel& panel, EngineBridge& bridge);

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
