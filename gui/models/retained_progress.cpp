// SPDX-License-Identifier: MIT
#include "models/retained_progress.h"

#include "models/lacking_heap.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

QString retainedStateText(const EngineBridge& bridge) {
  switch (bridge.retainedState()) {
    case RetainedState::None:
      return u"Waiting for the objects of the heap"_s;
    case RetainedState::Computing: {
      const engine::Progress& progress = bridge.retainedProgress();
      const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
      return progress.activity.empty()
                 ? u"Finding who holds what"_s
                 : u"Finding who holds what: %1, %2"_s.arg(fromEngine(progress.activity), percent);
    }
    case RetainedState::Stopped:
      return u"Finding who holds what was stopped."_s;
    case RetainedState::Failed:
      return bridge.retainedError() ? fromEngine(bridge.retainedError()->message())
                                    : u"Retained sizes could not be computed."_s;
    case RetainedState::Ready:
      break;
  }
  return {};
}

QString computeAgainText(const EngineBridge& bridge) {
  return bridge.lacksMemory() ? u"Compute anyway"_s : u"Try again"_s;
}

void showRetainedState(StatePanel& panel, EngineBridge& bridge) {
  if (bridge.snapshot() && lacksHeap(*bridge.snapshot())) {
    showLackingHeap(panel, *bridge.snapshot());
    return;
  }
  const auto compute = [&bridge] { bridge.computeRetainedAnyway(); };
  switch (bridge.retainedState()) {
    case RetainedState::None:
    case RetainedState::Computing:
    case RetainedState::Ready:
      panel.showLoading(retainedStateText(bridge));
      break;
    case RetainedState::Stopped:
      panel.showEmpty(u"Not computed"_s, u"Who holds what is not known, because finding it out was stopped."_s);
      panel.setAction(u"Compute it now"_s, compute);
      break;
    case RetainedState::Failed:
      panel.showFailed(bridge.lacksMemory() ? u"There is not enough memory for retained sizes"_s
                                            : u"Retained sizes could not be computed"_s,
                       retainedStateText(bridge));
      panel.setAction(computeAgainText(bridge), compute);
      break;
  }
}

}  // namespace heapscape::gui
