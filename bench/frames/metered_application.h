// SPDX-License-Identifier: MIT
#pragma once

#include <QApplication>

#include "frames/frame_meter.h"

namespace heapscape::gui {

/// The application, with a clock around every event of the GUI thread if asked for.
class MeteredApplication : public QApplication {
 public:
  using QApplication::QApplication;

  /// Null, as at first, measures nothing; outlives the application or is taken away before.
  void setMeter(FrameMeter* meter) { m_meter = meter; }

  bool notify(QObject* receiver, QEvent* event) override;

 private:
  FrameMeter* m_meter = nullptr;
};

}  // namespace heapscape::gui
