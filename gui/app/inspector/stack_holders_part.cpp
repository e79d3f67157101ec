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

std::vector<StackHolderLine> stackHolderLines(const std::vector<engine::StackHolder>& holders) {
  std::vector<StackHolderLine> lines;
  for (const engine::StackHolder& holder : holders) {
    const StackHolderLine line{shortText(holder), fullText(holder), holder.thread, holder.isExact};
    const auto same = std::ranges::find_if(lines, [&line](const StackHolderLine& other) {
      return other.text == line.text && other.thread == line.thread && other.isExact == line.isExact;
    });
    if (same == lines.end())
      lines.push_back(line);
    else
      same->tip += u"\n\n"_s + line.tip;
  }
  return lines;
}

void StackHoldersPart::addLine(const StackHolderLine& line) {
  auto* row = makeLinkRow(line.isExact ? line.text : u"⚠ %1"_s.arg(line.text), this, !line.isExact);
  row->setObjectName(u"stackHolder%1"_s.arg(m_lines->count()));
  row->setToolTip(line.tip);
  connect(row, &QAbstractButton::clicked, this, [this, thread = line.thread] {
    m_navigator.showListed(PlaceId::Threads, thread, m_navigator.location().selection);
  });
  m_lines->addWidget(row);
}

void StackHoldersPart::show(const std::vector<engine::StackHolder>& holders) {
  removeLines();
  const std::vector<StackHolderLine> lines = stackHolderLines(holders);
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) addLine(lines[i]);
  if (lines.size() > kMostLines) {
    m_lines->addWidget(makeNote(u"and %1 more"_s.arg(countText(lines.size() - kMostLines)), this));
  }
  setVisible(!lines.empty());
}

}  // namespace heapscape::gui
