// SPDX-License-Identifier: MIT
#include "app/inspector/stack_holders_part.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/link_row.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

namespace {

constexpr auto kStackHoldersPartChannel = "inspector.stacks";
constexpr std::size_t kMostLines = 5;

QString shortText(const engine::StackHolder& holder) {
  const QString method = holder.type.empty()
                             ? fromEngine(holder.method)
                             : QStringLiteral("%1.%2").arg(shortTypeName(holder.type), fromEngine(holder.method));
  return QStringLiteral("%1, thread %2")
      .arg(method.isEmpty() ? fromEngine(holder.frame) : method)
      .arg(holder.managedId);
}

QString fullText(const engine::StackHolder& holder) {
  const QString what = holder.variable.empty() ? fromEngine(holder.place) : fromEngine(holder.variable);
  QString text = QStringLiteral("%1 of %2\nThread %3 %4")
                     .arg(what, fromEngine(holder.frame))
                     .arg(holder.managedId)
                     .arg(fromEngine(holder.threadName))
                     .trimmed();
  if (!holder.isExact) text += QStringLiteral("\nNot exact: a word of the stack that may be left over from before");
  return text;
}

}  // namespace

StackHoldersPart::StackHoldersPart(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator), m_lines(new QVBoxLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 12, 0, 0);
  column->setSpacing(4);
  column->addWidget(makeNote(QStringLiteral("Local of"), this));
  column->addLayout(m_lines);
  m_lines->setSpacing(0);
  setObjectName(QStringLiteral("onStacks"));
  hide();
}

void StackHoldersPart::showObject(engine::Address object) {
  const auto& snapshot = m_bridge.snapshot();
  if (!object || !snapshot || !snapshot->has(engine::Stage::Objects)) {
    m_object = {};
    m_bridge.stopAsking(this, kStackHoldersPartChannel);
    return hide();
  }
  if (object == m_object) return;
  m_object = object;
  hide();
  m_bridge.ask(
      this, kStackHoldersPartChannel,
      [object](const engine::Snapshot& open, std::stop_token stop) { return engine::stackHolders(open, object, stop); },
      [this, object](const engine::Outcome<std::vector<engine::StackHolder>>& holders) {
        if (holders && object == m_object) show(*holders);
      });
}

void StackHoldersPart::removeLines() {
  while (QLayoutItem* item = m_lines->takeAt(0)) {
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void StackHoldersPart::addLine(const engine::StackHolder& holder) {
  auto* row = new LinkRow(holder.isExact ? shortText(holder) : QStringLiteral("⚠ %1").arg(shortText(holder)), this);
  row->setObjectName(QStringLiteral("stackHolder%1").arg(m_lines->count()));
  row->setToolTip(fullText(holder));
  row->setWarning(!holder.isExact);
  connect(row, &QAbstractButton::clicked, this, [this, thread = holder.thread] {
    m_navigator.showListed(PlaceId::Threads, thread, m_navigator.location().selection);
  });
  m_lines->addWidget(row);
}

void StackHoldersPart::show(const std::vector<engine::StackHolder>& holders) {
  removeLines();
  for (std::size_t i = 0; i < std::min(holders.size(), kMostLines); ++i) addLine(holders[i]);
  if (holders.size() > kMostLines) {
    m_lines->addWidget(makeNote(QStringLiteral("and %1 more").arg(countText(holders.size() - kMostLines)), this));
  }
  setVisible(!holders.empty());
}

}  // namespace heapscape::gui
