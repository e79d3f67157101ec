// SPDX-License-Identifier: MIT
#pragma once

#include <QSignalSpy>
#include <QString>
#include <QTest>

#include "bridge/engine_bridge.h"
#include "support/dumps.h"

namespace heapscape::gui {

constexpr int kEngineBridgePatience = 40'000;

inline QString smallDump() {
  return test::dataFile(QStringLiteral("shop-10.core.zst"));
}
inline QString otherDump() {
  return test::dataFile(QStringLiteral("shop-8.core.zst"));
}

inline bool openAndWait(EngineBridge& bridge, const QString& path) {
  QSignalSpy finished(&bridge, &EngineBridge::openFinished);
  bridge.open(path);
  return finished.wait(kEngineBridgePatience);
}

inline bool waitForRetained(EngineBridge& bridge) {
  return QTest::qWaitFor([&] { return bridge.retainedState() == RetainedState::Ready; }, kEngineBridgePatience);
}

}  // namespace heapscape::gui
