// SPDX-License-Identifier: MIT
#include "views/segments/map_lines.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

#include "bridge/literals.h"
#include "views/segments/heap_strip.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kTypesTold = 2;
constexpr int kHighlightLetters = 48;

QString rangeName(engine::AddressRange range) {
  return u"%1–%2"_s.arg(addressText(range.start), addressText(range.end));
}

}  // namespace

QString highlightText(const engine::MapHighlight& highlight) {
  if (highlight.objects() == 0) return u"none on the heap"_s;
  return u"%1 of them in %2 · %3"_s.arg(countText(highlight.objects()),
                                        countedText(highlight.parts().size(), u"segment"_s),
                                        bytesText(highlight.bytes()));
}

QString rangeText(const engine::RangeSummary& summary, const engine::Snapshot& snapshot) {
  QStringList parts{countedText(summary.objects, u"object"_s), bytesText(summary.bytes)};
  if (summary.garbageBytes) parts << u"%1 garbage"_s.arg(bytesText(*summary.garbageBytes));
  if (summary.freeBytes > 0) parts << u"%1 free"_s.arg(bytesText(summary.freeBytes));
  QStringList types;
  for (std::size_t i = 0; i < std::min(kTypesTold, summary.types.size()); ++i) {
    const engine::RangeType& type = summary.types[i];
    types << u"%1 %2"_s.arg(shortTypeName(snapshot.typeName(type.type)), percentText(type.bytes, summary.bytes));
  }
  if (!types.isEmpty()) parts << types.join(u", "_s);
  return u"%1: %2"_s.arg(rangeName(summary.range), parts.join(u" · "_s));
}

HighlightLine::HighlightLine(QWidget* parent)
    : QWidget(parent), m_text(new ElidedText(this)), m_strip(new HeapStrip(this)) {
  setObjectName(u"mapHighlight"_s);
  m_text->setObjectName(u"mapHighlightText"_s);
  m_text->setMinimumWidth(fontMetrics().averageCharWidth() * kHighlightLetters);
  auto* clear = new QToolButton(this);
  setUpTextButton(clear, u"mapShowAll"_s, u"Show all"_s, u"Show all objects in full colour again"_s);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 0, 12, 8);
  row->setSpacing(12);
  row->addWidget(m_text, 1);
  row->addWidget(m_strip, 2);
  row->addWidget(clear);
  connect(clear, &QToolButton::clicked, this, &HighlightLine::clearWanted);
  connect(m_strip, &HeapStrip::clicked, this, &HighlightLine::placeWanted);
}

void HighlightLine::showSearching(const QString& name) {
  m_text->setText(u"%1: looking for them…"_s.arg(name));
  m_strip->show(nullptr);
}

void HighlightLine::show(const QString& name, std::shared_ptr<const engine::MapHighlight> highlight) {
  m_text->setText(u"%1: %2"_s.arg(name, highlightText(*highlight)));
  m_strip->show(std::move(highlight));
}

QString HighlightLine::text() const {
  return m_text->text();
}

RangeLine::RangeLine(QWidget* parent) : QWidget(parent), m_text(new ElidedText(this)), m_actions(new QWidget(this)) {
  setObjectName(u"mapRange"_s);
  m_text->setObjectName(u"mapRangeText"_s);
  auto* actions = new QHBoxLayout(m_actions);
  actions->setContentsMargins(0, 0, 0, 0);
  const auto add = [&](const QString& name, const QString& text, const QString& tip, auto signal) {
    auto* button = new QToolButton(m_actions);
    setUpTextButton(button, name, text, tip);
    actions->addWidget(button);
    connect(button, &QToolButton::clicked, this, signal);
  };
  add(u"rangeList"_s, u"List"_s, u"All objects that start in this range"_s, &RangeLine::listWanted);
  add(u"rangeCut"_s, u"What if"_s, u"What would be freed if nothing held these objects"_s, &RangeLine::cutWanted);
  add(u"rangePin"_s, u"Pin"_s, u"Pin the map with this range to the review"_s, &RangeLine::pinWanted);
  auto* close = new QToolButton(this);
  setUpSymbolButton(close, u"rangeClear"_s, u"close"_s, u"Select no range (Escape)"_s);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 2, 12, 2);
  row->setSpacing(12);
  row->addWidget(m_text, 1);
  row->addWidget(m_actions);
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &RangeLine::clearWanted);
}

void RangeLine::showSearching(engine::AddressRange range) {
  m_text->setText(u"%1: counting…"_s.arg(rangeName(range)));
}

void RangeLine::show(const engine::RangeSummary& summary, const engine::Snapshot& snapshot) {
  m_text->setText(rangeText(summary, snapshot));
  m_actions->setEnabled(summary.objects > 0);
}

QString RangeLine::text() const {
  return m_text->text();
}

}  // namespace heapscape::gui
