// SPDX-License-Identifier: MIT
#include "views/generations/collection_strip.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "tables/gc_tables.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

QString countsText(const engine::GenerationReport& report) {
  const std::vector<std::uint64_t>& counts = report.collections;
  if (counts.size() < 3) return u"How often the GC ran was not found in this dump."_s;
  if (counts[0] == 0) return u"There was no collection so far."_s;
  // Each is counted for younger generations as well.
  return u"%1 so far: %2 of gen0, %3 of gen1, %4 of gen2"_s.arg(countedText(counts[0], u"collection"_s),
                                                                countText(counts[0] - counts[1]),
                                                                countText(counts[1] - counts[2]), countText(counts[2]));
}

QString mannerText(const engine::RecordedCollection& collection) {
  switch (engine::mannerOf(collection)) {
    case engine::CollectionManner::Background:
      break;
    case engine::CollectionManner::Compacting:
      return u"compacting"_s;
    case engine::CollectionManner::Sweeping:
      return u"sweeping"_s;
  }
  return u"background"_s;
}

BarLine lineOfCollection(const engine::RecordedCollection& collection, const engine::GenerationReport& report,
                         std::uint64_t longestPause) {
  const std::uint64_t pause = engine::pauseOf(collection);
  const bool isReasonKnown = report.plan && report.plan->index == collection.index;
  const QString reason =
      isReasonKnown ? u", %1"_s.arg(fromEngine(engine::collectionReason(report.plan->reason))) : QString();
  BarLine line{.form = RowForm::Chip};
  line.text = u"%1: gen%2, %3%4"_s.arg(countText(collection.index))
                  .arg(collection.generation)
                  .arg(mannerText(collection), reason);
  line.figures = {{.text = u"%1 ms"_s.arg(static_cast<double>(pause) / 1000, 0, 'f', 2)}};
  line.share = longestPause == 0 ? 0 : static_cast<double>(pause) / static_cast<double>(longestPause);
  line.tip =
      u"Collection %1 of generation %2 stood the program still for %3 µs.\nHeap after it: %4, %5 survived.\n"
      "Click: all that was recorded"_s.arg(countText(collection.index))
          .arg(collection.generation)
          .arg(countText(pause), bytesText(collection.heapSizeBytes), bytesText(collection.promotedBytes));
  line.spoken = u"Collection %1"_s.arg(line.text);
  return line;
}

}  // namespace

CollectionStrip::CollectionStrip(QWidget* parent)
    : QWidget(parent), m_counts(makeNote({}, this)), m_chips(new FlowLayout(nullptr, 8)) {
  setObjectName(u"collectionStrip"_s);
  m_counts->setObjectName(u"collectionCounts"_s);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_counts);
  column->addLayout(m_chips);
}

void CollectionStrip::clear() {
  m_counts->clear();
  while (QLayoutItem* item = m_chips->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void CollectionStrip::showReport(const engine::GenerationReport& report) {
  clear();
  m_counts->setText(countsText(report));
  std::uint64_t longest = 0;
  for (const engine::RecordedCollection& each : report.recorded) longest = std::max(longest, engine::pauseOf(each));
  for (auto each = report.recorded.rbegin(); each != report.recorded.rend(); ++each) {
    auto* chip = new BarRow(lineOfCollection(*each, report, longest), this);
    chip->setObjectName(u"collection%1"_s.arg(each->index));
    connect(chip, &QAbstractButton::clicked, this, &CollectionStrip::recordsWanted);
    m_chips->addWidget(chip);
  }
}

}  // namespace heapscape::gui
