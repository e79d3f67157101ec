// SPDX-License-Identifier: MIT
#include "views/overview/health_items.h"

#include <QObject>
#include <algorithm>

#include "session/open/missing_files.h"
#include "session/snapshot/heap_presence.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/finding_text.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

namespace {

std::uint64_t unreadBytes(const engine::Snapshot& snapshot) {
  std::uint64_t unread = 0;
  for (const engine::SegmentContents& contents : snapshot.segmentContents()) unread += contents.unreadBytes;
  return unread;
}

}  // namespace

HealthReport healthReport(const engine::Snapshot& snapshot, std::size_t limit) {
  HealthReport report{.items = {}, .leftOut = snapshot.findingsLeftOut(), .isComplete = snapshot.isComplete()};
  const auto add = [&report, limit](HealthItem item) {
    report.items.size() < limit ? report.items.push_back(std::move(item)) : static_cast<void>(++report.leftOut);
  };
  for (const engine::Missing& missing : snapshot.summary().missing) {
    if (isMissingMetadata(missing)) continue;  // MissingFiles tells of these
    add({.title = fromEngine(missing.what), .text = fromEngine(missing.help), .address = {}});
  }
  for (const engine::Finding& finding : snapshot.findings()) {
    if (finding.kind == engine::FindingKind::MetadataMissing) continue;
    add({.title = findingTitle(finding.kind),
         .text = fromEngine(finding.message),
         .address = finding.address ? addressText(finding.address) : QString()});
  }
  return report;
}

QString bannerText(const engine::Snapshot& snapshot) {
  if (!engine::hasHeap(snapshot)) return QString::fromStdString(engine::noHeapIn(snapshot).what);
  if (snapshot.isComplete()) return {};
  QStringList parts;
  if (snapshot.summary().runtime.gcInProgress) {
    parts << QStringLiteral("This dump was taken in the middle of a collection.");
  }
  if (snapshot.has(engine::Stage::Objects) && snapshot.coverage() < 1) {
    const std::uint64_t unread = unreadBytes(snapshot);
    parts << QStringLiteral("%1 of the heap could be walked; %2 could not.")
                 .arg(shareText(snapshot.coverage()), unread > 0 ? bytesText(unread) : QStringLiteral("the rest"));
    parts << QStringLiteral("All figures are about what could be.");
  }
  const auto nameless =
      std::ranges::count(snapshot.modules(), engine::MetadataSource::Missing, &engine::ModuleRow::metadata);
  if (nameless > 0) {
    parts << QStringLiteral("Names of %1 are missing: drop the folder that has the program's files here.")
                 .arg(countedText(static_cast<std::uint64_t>(nameless), QStringLiteral("module")));
  }
  if (parts.isEmpty()) parts << QStringLiteral("Not everything in this dump could be read.");
  return parts.join(QLatin1Char(' '));
}

}  // namespace heapscape::gui
