// SPDX-License-Identifier: MIT
#include "models/retained_offer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "bridge/literals.h"
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

RetainedOffer::RetainedOffer(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_text(new QLabel(this)), m_compute(new QPushButton(this)) {
  setObjectName(u"retainedOffer"_s);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_compute->setObjectName(u"computeRetained"_s);
  m_compute->setToolTip(u"Find out who holds what, and what would be freed with it"_s);
  connect(m_compute, &QPushButton::clicked, this, [this] { m_bridge.computeRetainedAnyway(); });
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 6, 12, 6);
  line->setSpacing(12);
  line->addWidget(m_text, 1);
  line->addWidget(m_compute);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &RetainedOffer::follow);
  for (const auto signal : {&EngineBridge::openCancelled, &EngineBridge::closed})
    connect(&bridge, signal, this, &RetainedOffer::follow);
  connect(&bridge, &EngineBridge::openStarted, this, &RetainedOffer::follow);
  follow();
}

void RetainedOffer::follow() {
  const bool isKnown = m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Retained);
  const bool isStopped = m_bridge.retainedState() == RetainedState::Stopped;
  const bool isFailed = m_bridge.retainedState() == RetainedState::Failed;
  const bool canBe = m_bridge.snapshot() && !lacksHeap(*m_bridge.snapshot());
  setVisible(!isKnown && canBe && (isStopped || isFailed));
  if (isKnown) return;
  m_text->setText(isFailed ? u"⚠ Retained sizes are not known: %1"_s.arg(retainedStateText(m_bridge))
                           : u"Retained sizes were not computed."_s);
  m_compute->setText(isFailed ? computeAgainText(m_bridge) : u"Compute them"_s);
}

}  // namespace heapscape::gui
