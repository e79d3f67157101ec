// SPDX-License-Identifier: MIT
#include "views/overview/dump_facts.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <optional>

#include "session/heap/gc_heaps.h"
#include "session/open/missing_metadata.h"
#include "session/snapshot/heap_presence.h"
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
    if (report.items.size() < limit) {
      report.items.push_back(std::move(item));
    } else {
      ++report.leftOut;
    }
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

namespace {

QString kindText(engine::DumpKind kind) {
  switch (kind) {
    case engine::DumpKind::Heap:
      return QStringLiteral("heap dump of createdump");
    case engine::DumpKind::Full:
      return QStringLiteral("full dump of createdump");
    case engine::DumpKind::Mini:
      return QStringLiteral("mini dump of createdump");
    case engine::DumpKind::Triage:
      return QStringLiteral("triage dump of createdump");
    case engine::DumpKind::Gcore:
      return QStringLiteral("gcore's");
    case engine::DumpKind::Unknown:
      return QStringLiteral("of an unknown program");
    case engine::DumpKind::Kernel:
      break;
  }
  return QStringLiteral("the kernel's");
}

QString contractText(const engine::RuntimeSummary& runtime) {
  const QString version = fromEngine(runtime.contractVersion);
  const QString known =
      runtime.contractVerified ? QStringLiteral("known build") : QStringLiteral("not verified on this build");
  switch (runtime.contract) {
    case engine::ContractSource::Dump:
      return QStringLiteral("described in the dump, %1").arg(known);
    case engine::ContractSource::File:
      return QStringLiteral("described in libcoreclr.so, %1").arg(known);
    case engine::ContractSource::Shipped:
      break;
  }
  return QStringLiteral("as .NET %1, %2").arg(version, known);
}

QString contractDetail(const engine::RuntimeSummary& runtime) {
  QStringList releases;
  for (const std::string& release : runtime.contractVerifiedOn) releases << fromEngine(release);
  return QStringLiteral(
             "Where the offsets that the runtime was read with came from.\nThose of .NET %1 were verified on %2.")
      .arg(fromEngine(runtime.contractVersion), releases.join(QStringLiteral(", ")));
}

/// Words for what told where the runtime's globals are, where it was not the dump's own symbols.
std::optional<Fact> globalsFact(const engine::RuntimeSummary& runtime) {
  const QString label = QStringLiteral("Runtime's globals");
  switch (runtime.globals) {
    case engine::GlobalsSource::Dump:
      break;
    case engine::GlobalsSource::File:
      return Fact{.label = label,
                  .value = QStringLiteral("found by symbols of its file"),
                  .detail = QStringLiteral("The dump does not hold the runtime's symbols; they were read from the file "
                                           "on this disk that has the same build id.")};
    case engine::GlobalsSource::Shape:
      return Fact{
          .label = label,
          .value = QStringLiteral("found by their shape, no symbols"),
          .detail = QStringLiteral("Neither the dump nor a file on this disk has the runtime's symbols. Its table "
                                   "of globals was told by what stands in it, and leads to what it must.")};
  }
  return std::nullopt;
}

QString gcText(const engine::RuntimeSummary& runtime, const engine::GcHeaps& heaps) {
  const QString layout = runtime.hasRegions ? QStringLiteral("regions") : QStringLiteral("segments");
  if (!runtime.isServerGc) return QStringLiteral("workstation, %1").arg(layout);
  if (heaps.active != heaps.created)
    return QStringLiteral("server, %1 of %2 heaps, %3").arg(countText(heaps.active), countText(heaps.created), layout);
  return heaps.active == 1 ? QStringLiteral("server, 1 heap, %1").arg(layout)
                           : QStringLiteral("server, %1 heaps, %2").arg(countText(heaps.active), layout);
}

QString adaptationText(engine::DynamicAdaptation adaptation) {
  switch (adaptation) {
    case engine::DynamicAdaptation::Off:
      return QStringLiteral("off");
    case engine::DynamicAdaptation::On:
      return QStringLiteral("on");
    case engine::DynamicAdaptation::None:
    case engine::DynamicAdaptation::Unknown:
      break;
  }
  return QStringLiteral("unknown");
}

Fact adaptationFact(const engine::GcHeaps& heaps) {
  QString detail = QStringLiteral(
                       "Dynamic adaptation to application sizes: the GC uses more of its heaps as the program "
                       "grows, and sets them aside as it shrinks.\n%1 of %2 heaps are active.")
                       .arg(countText(heaps.active), countText(heaps.created));
  if (heaps.adaptation == engine::DynamicAdaptation::Unknown)
    detail += QStringLiteral(
        "\nThis version of .NET does not publish whether it is on, and that all heaps are active "
        "proves nothing.");
  return {.label = QStringLiteral("DATAS"), .value = adaptationText(heaps.adaptation), .detail = detail};
}

}  // namespace

Fact memoryFact(const engine::ProcessMemory& memory) {
  const QString least = bytesText(memory.resident.atLeastBytes);
  return {.label = QStringLiteral("Process's memory"),
          .value = memory.isWhole
                       ? QStringLiteral("in memory %1 or more; %2 mapped").arg(least, bytesText(memory.mappedBytes))
                       : QStringLiteral("in memory %1 or more; no upper bound").arg(least),
          .detail = fromEngine(engine::residentText(memory))};
}

std::vector<Fact> dumpFacts(const engine::Snapshot& snapshot) {
  const engine::RuntimeSummary& runtime = snapshot.summary().runtime;
  const engine::DumpSummary& dump = snapshot.summary().dump;
  const engine::GcHeaps heaps = gcHeaps(snapshot);
  std::vector<Fact> facts{
      {.label = QStringLiteral("Runtime"),
       .value = QStringLiteral(".NET %1, %2").arg(fromEngine(runtime.version), fromEngine(runtime.architecture))},
      {.label = QStringLiteral("Garbage collector"), .value = gcText(runtime, heaps)},
      {.label = QStringLiteral("Collection running"),
       .value = runtime.gcInProgress ? QStringLiteral("yes: objects were being moved") : QStringLiteral("no"),
       .detail = {},
       .isFixed = false,
       .isWarning = runtime.gcInProgress},
      {.label = QStringLiteral("Runtime's data"), .value = contractText(runtime), .detail = contractDetail(runtime)}};
  if (const auto globals = globalsFact(runtime)) facts.push_back(*globals);
  if (heaps.adaptation != engine::DynamicAdaptation::None) facts.insert(facts.begin() + 2, adaptationFact(heaps));
  if (!dump.command.empty()) facts.push_back({.label = QStringLiteral("Program"), .value = fromEngine(dump.command)});
  if (dump.pid > 0) facts.push_back({.label = QStringLiteral("Process"), .value = QString::number(dump.pid)});
  if (dump.threads > 0) facts.push_back({.label = QStringLiteral("Threads"), .value = countText(dump.threads)});
  facts.push_back({.label = QStringLiteral("Dump"), .value = kindText(dump.kind)});
  facts.push_back({.label = QStringLiteral("Core size"),
                   .value = dump.isCompressed ? QStringLiteral("%1, decompressed").arg(bytesText(dump.fileBytes))
                                              : bytesText(dump.fileBytes),
                   .detail = exactBytesText(dump.fileBytes)});
  if (!snapshot.nameInArchive().empty()) {
    facts.push_back(
        {.label = QStringLiteral("In the archive"),
         .value = fromEngine(snapshot.nameInArchive()),
         .detail = snapshot.coresInArchive() > 1
                       ? QStringLiteral("The largest of %1 core dumps in it").arg(countText(snapshot.coresInArchive()))
                       : QString()});
  }
  if (!runtime.buildId.empty()) {
    facts.push_back({.label = QStringLiteral("Build id"),
                     .value = fromEngine(runtime.buildId),
                     .detail = fromEngine(runtime.libraryPath),
                     .isFixed = true});
  }
  return facts;
}

}  // namespace heapscape::gui
