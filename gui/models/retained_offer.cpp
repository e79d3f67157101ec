// SPDX-License-Identifier: MIT
#include "models/retained_offer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "bridge/literals.h"
#include "models/lacking_heap.h"
#include "models/retained_progress.h"

namespace heapscape::gui {

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
