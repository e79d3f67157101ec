// SPDX-License-Identifier: MIT
#include "models/retained_progress.h"

#include "models/lacking_heap.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

QString retainedStateText(const EngineBridge& bridge) {
  switch (bridge.retainedState()) {
    case RetainedState::None:
      return QStringLiteral("Waiting for the objects of the heap");
    case RetainedState::Computing: {
      const engine::Progress& progress = bridge.retainedProgress();
      const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
      return progress.activity.empty()
                 ? QStringLiteral("Finding who holds what")
                 : QStringLiteral("Finding who holds what: %1, %2").arg(fromEngine(progress.activity), percent);
    }
    case RetainedState::Stopped:
      return QStringLiteral("Finding who holds what was stopped.");
    case RetainedState::Failed:
      return bridge.retainedError() ? fromEngine(bridge.retainedError()->message())
                                    : QStringLiteral("Retained sizes could not be computed.");
    case RetainedState::Ready:
      break;
  }
  return {};
}

QString computeAgainText(const EngineBridge& bridge) {
  return bridge.lacksMemory() ? QStringLiteral("Compute anyway") : QStringLiteral("Try again");
}

void showRetainedState(StatePanel& panel, EngineBridge& bridge) {
  if (bridge.snapshot() && lacksHeap(*bridge.snapshot())) return showLackingHeap(panel, *bridge.snapshot());
  const auto compute = [&bridge] { bridge.computeRetainedAnyway(); };
  switch (bridge.retainedState()) {
    case RetainedState::None:
    case RetainedState::Computing:
    case RetainedState::Ready:
      panel.showLoading(retainedStateText(bridge));
      break;
    case RetainedState::Stopped:
      panel.showEmpty(QStringLiteral("Not computed"),
                      QStringLiteral("Who holds what is not known, because finding it out was stopped."));
      panel.setAction(QStringLiteral("Compute it now"), compute);
      break;
    case RetainedState::Failed:
      panel.showFailed(bridge.lacksMemory() ? QStringLiteral("There is not enough memory for retained sizes")
                                            : QStringLiteral("Retained sizes could not be computed"),
                       retainedStateText(bridge));
      panel.setAction(computeAgainText(bridge), compute);
      break;
  }
}

}  // namespace heapscape::gui
