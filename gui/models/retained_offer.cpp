// SPDX-License-Identifier: MIT
#include "models/retained_offer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "models/lacking_heap.h"
#include "models/retained_progress.h"

namespace heapscape::gui {

RetainedOffer::RetainedOffer(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_text(new QLabel(this)), m_compute(new QPushButton(this)) {
  setObjectName(QStringLiteral("retainedOffer"));
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_compute->setObjectName(QStringLiteral("computeRetained"));
  m_compute->setToolTip(QStringLiteral("Find out who holds what, and what would be freed with it"));
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
  m_text->setText(isFailed ? QStringLiteral("⚠ Retained sizes are not known: %1").arg(retainedStateText(m_bridge))
                           : QStringLiteral("Retained sizes were not computed."));
  m_compute->setText(isFailed ? computeAgainText(m_bridge) : QStringLiteral("Compute them"));
}

}  // namespace heapscape::gui
