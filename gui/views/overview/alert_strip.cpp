// SPDX-License-Identifier: MIT
#include "views/overview/alert_strip.h"

#include <QLabel>
#include <QStringList>
#include <algorithm>

#include "models/lacking_heap.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr auto kAlertsChannel = "overview.alerts";

QString deadlockText(const std::vector<std::uint32_t>& threads) {
  QStringList names;
  for (const std::uint32_t thread : threads) names << QString::number(thread);
  if (names.size() < 2) return u"⚠ Deadlock: thread %1 waits for itself"_s.arg(names.join(QString()));
  const QString last = names.takeLast();
  return u"⚠ Deadlock: threads %1 and %2 wait for each other"_s.arg(names.join(u", "_s), last);
}

}  // namespace

AlertStrip::AlertStrip(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator), m_line(new FlowLayout(this, 16)) {
  setObjectName(u"alerts"_s);
  setAccessibleName(u"Alerts"_s);
  // A line of links is the highest that it has as a rule.
  const BarRow highest(BarLine{.form = RowForm::Link, .text = u"⚠"_s});
  setMinimumHeight(highest.sizeHint().height());
  clear();
}

void AlertStrip::clear() {
  m_bridge.stopAsking(this, kAlertsChannel);
  m_isAsked = false;
  m_alerts.reset();
  m_hasFailed = false;
  showAlerts();
}

void AlertStrip::showSnapshot(const engine::Snapshot& snapshot) {
  const bool isUntold = lacksHeap(snapshot) || snapshot.isRecorded();
  if (!snapshot.has(engine::Stage::Objects) || isUntold) {
    if (isUntold) m_hasFailed = true;
    showAlerts();
    return;
  }
  showAlerts();
  if (m_isAsked) return;
  m_isAsked = true;
  m_bridge.ask(
      this, kAlertsChannel,
      [](const engine::Snapshot& open, std::stop_token stop) { return engine::findAlerts(open, std::move(stop)); },
      [this](engine::Outcome<engine::Alerts> alerts) {
        if (alerts)
          m_alerts = std::move(*alerts);
        else
          m_hasFailed = true;
        showAlerts();
      });
}

void AlertStrip::showAlerts() {
  while (QLayoutItem* item = m_line->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  const auto& snapshot = m_bridge.snapshot();
  const bool isIncomplete = snapshot && !snapshot->isComplete();
  if (m_alerts) {
    if (m_alerts->isWithoutContents)
      addNote(u"alertRedacted"_s, m_alerts->redactedOn.empty()
                                      ? u"A copy without contents"_s
                                      : u"A copy without contents, of %1"_s.arg(fromEngine(m_alerts->redactedOn)));
    for (const std::vector<std::uint32_t>& threads : m_alerts->deadlocks)
      addAlert(u"alertDeadlock"_s, deadlockText(threads), PlaceId::Threads);
    if (m_alerts->readyFinalizers > 0)
      addAlert(u"alertFinalizers"_s,
               u"⚠ Finalizers pending: %1"_s.arg(countedText(m_alerts->readyFinalizers, u"object"_s)), PlaceId::Roots,
               FinalizerQueue{});
  }
  if (isIncomplete)
    addAlert(u"alertIncomplete"_s,
             u"⚠ Dump incomplete: %1"_s.arg(
                 countedText(snapshot->findings().size() + snapshot->findingsLeftOut(), u"finding"_s)),
             PlaceId::Findings);
  if (m_hasFailed) return;
  if (!m_alerts) return addNote(u"alertNote"_s, u"Looking for deadlocks and pending finalizers"_s);
  if (m_line->count() == (m_alerts->isWithoutContents ? 1 : 0))
    addNote(u"alertNote"_s, u"✓ No deadlock, no pending finalizers, and the dump is complete"_s);
}

void AlertStrip::addNote(const QString& name, const QString& text) {
  QLabel* note = makeNote(text, this);
  note->setObjectName(name);
  note->setWordWrap(false);
  m_line->addWidget(note);
}

void AlertStrip::addAlert(const QString& name, const QString& text, PlaceId place, Listed listed) {
  BarRow* link = makeLinkRow(text, this, true);
  link->setObjectName(name);
  connect(link, &QAbstractButton::clicked, this, [this, place, listed = std::move(listed)] {
    if (listed == Listed())
      m_navigator.goTo(place);
    else
      m_navigator.showListed(place, listed, m_navigator.location().selection);
  });
  m_line->addWidget(link);
}

}  // namespace heapscape::gui
