// SPDX-License-Identifier: MIT
#include "app/inspector/stack_holders_part.h"

#include <QVBoxLayout>
#include <algorithm>

#include "widgets/bar_row.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr auto kHoldersChannel = "inspector.stacks";
constexpr std::size_t kMostLines = 5;

QString shortText(const engine::StackHolder& holder) {
  const QString method = holder.type.empty() ? fromEngine(holder.method)
                                             : u"%1.%2"_s.arg(shortTypeName(holder.type), fromEngine(holder.method));
  return u"%1, thread %2"_s.arg(method.isEmpty() ? fromEngine(holder.frame) : method).arg(holder.managedId);
}

QString fullText(const engine::StackHolder& holder) {
  const QString what = holder.variable.empty() ? fromEngine(holder.place) : fromEngine(holder.variable);
  QString text = u"%1 of %2\nThread %3 %4"_s.arg(what, fromEngine(holder.frame))
                     .arg(holder.managedId)
                     .arg(fromEngine(holder.threadName))
                     .trimmed();
  if (!holder.isExact) text += u"\nNot exact: a word of the stack that may be left over from before"_s;
  return text;
}

}  // namespace

StackHoldersPart::StackHoldersPart(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator), m_lines(new QVBoxLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 12, 0, 0);
  column->setSpacing(4);
  column->addWidget(makeNote(u"Local of"_s, this));
  column->addLayout(m_lines);
  m_lines->setSpacing(0);
  setObjectName(u"onStacks"_s);
  hide();
}

void StackHoldersPart::showObject(engine::Address object) {
  const auto& snapshot = m_bridge.snapshot();
  if (!object || !snapshot || !snapshot->has(engine::Stage::Objects)) {
    m_object = {};
    m_bridge.stopAsking(this, kHoldersChannel);
    hide();
    return;
  }
  if (object == m_object) return;
  m_object = object;
  hide();
  m_bridge.ask(
      this, kHoldersChannel,
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
  auto* row = makeLinkRow(holder.isExact ? shortText(holder) : u"⚠ %1"_s.arg(shortText(holder)), this, !holder.isExact);
  row->setObjectName(u"stackHolder%1"_s.arg(m_lines->count()));
  row->setToolTip(fullText(holder));
  connect(row, &QAbstractButton::clicked, this, [this, thread = holder.thread] {
    m_navigator.showListed(PlaceId::Threads, thread, m_navigator.location().selection);
  });
  m_lines->addWidget(row);
}

void StackHoldersPart::show(const std::vector<engine::StackHolder>& holders) {
  removeLines();
  for (std::size_t i = 0; i < std::min(holders.size(), kMostLines); ++i) addLine(holders[i]);
  if (holders.size() > kMostLines) {
    m_lines->addWidget(makeNote(u"and %1 more"_s.arg(countText(holders.size() - kMostLines)), this));
  }
  setVisible(!holders.empty());
}

}  // namespace heapscape::gui
