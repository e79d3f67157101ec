// SPDX-License-Identifier: MIT
#include "views/overview/dump_facts.h"

#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "models/names/frame_place.h"
#include "session/heap/gc_settings.h"
#include "session/open/missing_files.h"
#include "session/open/summarise.h"
#include "session/snapshot/heap_presence.h"
#include "session/stacks/folded_frames.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/marks.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/finding_text.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

constexpr auto kDeathChannel = "overview.death";
constexpr int kMargin = 12;
constexpr double kHeadingFactor = 1.15;
constexpr double kSignHeight = 1.2;  // in lines of text
constexpr std::size_t kMostFrames = 6;
constexpr std::size_t kMostCauses = 4;

QString frameLine(const engine::FrameRow& frame, const engine::WrittenFrame& written) {
  const QString source = frameSourceName(frame);
  QString name = fromEngine(engine::nameOf(frame));
  if (!source.isEmpty()) name += u"  "_s + source;
  return written.times > 1 ? u"%1  × %2"_s.arg(name, countText(written.times)) : name;
}

std::uint64_t unreadBytes(const engine::Snapshot& snapshot) {
  std::uint64_t unread = 0;
  for (const engine::SegmentContents& contents : snapshot.segmentContents()) unread += contents.unreadBytes;
  return unread;
}

}  // namespace

DeathNotice::DeathNotice(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator) {
  setObjectName(u"death"_s);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kMargin * 2 + qRound(fontMetrics().height() * kSignHeight), kMargin, kMargin, kMargin);
  hide();
}

void DeathNotice::clear() {
  m_bridge.stopAsking(this, kDeathChannel);
  m_isAsked = false;
  hide();
}

void DeathNotice::showSnapshot(const engine::Snapshot&) {
  if (m_isAsked) return;
  m_isAsked = true;
  m_bridge.ask(
      this, kDeathChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::readCrash(snapshot, std::move(stop));
      },
      [this](const engine::Outcome<engine::Crash>& crash) {
        if (crash && crash->cause.state == engine::ProcessState::Died) show(*crash);
      });
}

void DeathNotice::show(const engine::Crash& crash) {
  if (m_body) {
    m_body->hide();
    m_body->deleteLater();
  }
  m_body = new QWidget(this);
  m_lines = new QVBoxLayout(m_body);
  m_lines->setContentsMargins(0, 0, 0, 0);
  m_lines->setSpacing(4);
  const QString sentence = fromEngine(engine::crashSentence(crash));
  auto* heading = makeHeading(sentence, m_body, kHeadingFactor);
  heading->setObjectName(u"deathSentence"_s);
  heading->setWordWrap(true);
  m_lines->addWidget(heading);
  setAccessibleName(sentence);
  if (crash.message) addText(fromEngine(*crash.message));
  if (crash.exception) addException(*crash.exception);
  addFrames(crash);
  for (const std::string& note : engine::crashNotes(crash)) m_lines->addWidget(makeNote(fromEngine(note), m_body));
  if (crash.cause.thread) {
    auto* link = makeLinkRow(u"Show the thread"_s, m_body);
    link->setObjectName(u"deathThread"_s);
    connect(link, &QAbstractButton::clicked, this, [this, thread = crash.cause.thread] {
      m_navigator.showListed(PlaceId::Threads, thread, m_navigator.location().selection);
    });
    m_lines->addWidget(link);
  }
  layout()->addWidget(m_body);
  QWidget::show();
}

void DeathNotice::addText(const QString& text) {
  auto* label = new ElidedText(text, m_body);
  label->setWraps();
  m_lines->addWidget(label);
}

// The sentence has named its type.
void DeathNotice::addException(const engine::ExceptionDetails& exception) {
  if (!exception.message.empty()) addText(fromEngine(exception.message));
  const engine::ExceptionDetails* cause = &exception;
  for (std::size_t i = 0; i < kMostCauses && !cause->causes.empty(); ++i) {
    cause = &cause->causes.front();
    const QString message = cause->message.empty() ? QString() : u": "_s + fromEngine(cause->message);
    auto* label = new ElidedText(u"because of %1%2"_s.arg(fromEngine(cause->type), message), m_body);
    label->setWraps();
    m_lines->addWidget(label);
  }
}

void DeathNotice::addFrames(const engine::Crash& crash) {
  if (!crash.stack) return;
  const std::vector<engine::WrittenFrame> written = engine::writtenFrames(crash.runs);
  std::size_t shown = 0;
  for (const engine::WrittenFrame& each : written) {
    const engine::FrameRow& frame = crash.stack->frames[each.frame];
    if (frame.kind == engine::FrameKind::Runtime) continue;
    if (shown++ == kMostFrames) break;
    auto* line = new ElidedText(frameLine(frame, each), m_body);
    line->setFont(fixedFont(font()));
    line->setDimmed(frame.owner == engine::CodeOwner::Framework || frame.kind == engine::FrameKind::Native);
    m_lines->addWidget(line);
  }
}

void DeathNotice::paintEvent(QPaintEvent*) {
  const int side = qRound(fontMetrics().height() * kSignHeight);
  paintWarningGround(*this, {kMargin, kMargin}, side);
}

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
    parts << u"This dump was taken in the middle of a collection."_s;
  }
  if (snapshot.has(engine::Stage::Objects) && snapshot.coverage() < 1) {
    const std::uint64_t unread = unreadBytes(snapshot);
    parts << u"%1 of the heap could be walked; %2 could not."_s.arg(shareText(snapshot.coverage()),
                                                                    unread > 0 ? bytesText(unread) : u"the rest"_s);
    parts << u"All figures are about what could be."_s;
  }
  const auto nameless =
      std::ranges::count(snapshot.modules(), engine::MetadataSource::Missing, &engine::ModuleRow::metadata);
  if (nameless > 0) {
    parts << u"Names of %1 are missing: drop the folder that has the program's files here."_s.arg(
        countedText(static_cast<std::uint64_t>(nameless), u"module"_s));
  }
  return parts.join(QLatin1Char(' '));
}

namespace {

QString kindText(engine::DumpKind kind) {
  switch (kind) {
    case engine::DumpKind::Heap:
      return u"heap dump of createdump"_s;
    case engine::DumpKind::Full:
      return u"full dump of createdump"_s;
    case engine::DumpKind::Mini:
      return u"mini dump of createdump"_s;
    case engine::DumpKind::Triage:
      return u"triage dump of createdump"_s;
    case engine::DumpKind::Gcore:
      return u"gcore's"_s;
    case engine::DumpKind::GcDump:
      return u"graph of the heap (.gcdump)"_s;
    case engine::DumpKind::Unknown:
      return u"of an unknown program"_s;
    case engine::DumpKind::Kernel:
      break;
  }
  return u"the kernel's"_s;
}

QString contractText(const engine::RuntimeSummary& runtime) {
  const QString version = fromEngine(runtime.contractVersion);
  const QString known = runtime.contractVerified ? u"known build"_s : u"not verified on this build"_s;
  switch (runtime.contract) {
    case engine::ContractSource::Dump:
      return u"described in the dump, %1"_s.arg(known);
    case engine::ContractSource::File:
      return u"described in libcoreclr.so, %1"_s.arg(known);
    case engine::ContractSource::Shipped:
      break;
  }
  return u"as .NET %1, %2"_s.arg(version, known);
}

QString contractDetail(const engine::RuntimeSummary& runtime) {
  QStringList releases;
  for (const std::string& release : runtime.contractVerifiedOn) releases << fromEngine(release);
  return u"Where the offsets that the runtime was read with came from.\nThose of .NET %1 were verified on %2."_s.arg(
      fromEngine(runtime.contractVersion), releases.join(u", "_s));
}

/// Words for what told where the runtime's globals are, where it was not the dump's own symbols.
std::optional<Fact> globalsFact(const engine::RuntimeSummary& runtime) {
  const QString label = u"Runtime's globals"_s;
  switch (runtime.globals) {
    case engine::GlobalsSource::Dump:
      break;
    case engine::GlobalsSource::File:
      return Fact{.label = label,
                  .value = u"found by symbols of its file"_s,
                  .detail =
                      u"The dump does not hold the runtime's symbols; they were read from the file "
                      "on this disk that has the same build id."_s};
    case engine::GlobalsSource::Shape:
      return Fact{.label = label,
                  .value = u"found by their shape, no symbols"_s,
                  .detail =
                      u"Neither the dump nor a file on this disk has the runtime's symbols. Its table "
                      "of globals was recognised by its contents, and leads to what it must."_s};
  }
  return std::nullopt;
}

QString gcText(const engine::RuntimeSummary& runtime, const engine::GcHeaps& heaps) {
  const QString layout = runtime.hasRegions ? u"regions"_s : u"segments"_s;
  if (!runtime.isServerGc) return u"workstation, %1"_s.arg(layout);
  if (heaps.active != heaps.created)
    return u"server, %1 of %2 heaps, %3"_s.arg(countText(heaps.active), countText(heaps.created), layout);
  return heaps.active == 1 ? u"server, 1 heap, %1"_s.arg(layout)
                           : u"server, %1 heaps, %2"_s.arg(countText(heaps.active), layout);
}

QString adaptationText(engine::DynamicAdaptation adaptation) {
  switch (adaptation) {
    case engine::DynamicAdaptation::Off:
      return u"off"_s;
    case engine::DynamicAdaptation::On:
      return u"on"_s;
    case engine::DynamicAdaptation::None:
    case engine::DynamicAdaptation::Unknown:
      break;
  }
  return u"unknown"_s;
}

Fact adaptationFact(const engine::GcHeaps& heaps) {
  QString detail =
      u"Dynamic adaptation to application sizes: the GC uses more of its heaps as the program "
      "grows, and sets them aside as it shrinks.\n%1 of %2 heaps are active."_s.arg(countText(heaps.active),
                                                                                    countText(heaps.created));
  if (heaps.adaptation == engine::DynamicAdaptation::Unknown)
    detail +=
        u"\nThis version of .NET does not publish whether it is on, and that all heaps are active "
        "proves nothing."_s;
  return {.label = u"DATAS"_s, .value = adaptationText(heaps.adaptation), .detail = detail};
}

}  // namespace

Fact memoryFact(const engine::ProcessMemory& memory) {
  const QString least = bytesText(memory.resident.atLeastBytes);
  return {.label = u"Process's memory"_s,
          .value = memory.isWhole ? u"in memory %1 or more; %2 mapped"_s.arg(least, bytesText(memory.mappedBytes))
                                  : u"resident: at least %1 (this dump gives no upper bound)"_s.arg(least),
          .detail = fromEngine(engine::residentText(memory))};
}

std::vector<Fact> dumpFacts(const engine::Snapshot& snapshot) {
  const engine::RuntimeSummary& runtime = snapshot.summary().runtime;
  const engine::DumpSummary& dump = snapshot.summary().dump;
  if (snapshot.isRecorded()) {
    std::vector<Fact> facts{{.label = u"File"_s, .value = kindText(dump.kind)}};
    if (!dump.command.empty()) facts.push_back({.label = u"Program"_s, .value = fromEngine(dump.command)});
    if (dump.pid > 0) facts.push_back({.label = u"Process"_s, .value = QString::number(dump.pid)});
    facts.push_back({.label = u"Size"_s, .value = bytesText(dump.fileBytes), .detail = exactBytesText(dump.fileBytes)});
    return facts;
  }
  const engine::GcHeaps heaps = gcHeaps(snapshot);
  std::vector<Fact> facts{
      {.label = u"Runtime"_s,
       .value = u".NET %1, %2"_s.arg(fromEngine(runtime.version), fromEngine(engine::platformText(runtime)))},
      {.label = u"Garbage collector"_s, .value = gcText(runtime, heaps)},
      {.label = u"Collection running"_s,
       .value = runtime.gcInProgress ? u"yes: objects were being moved"_s : u"no"_s,
       .detail = {},
       .isFixed = false,
       .isWarning = runtime.gcInProgress},
      {.label = u"Runtime's data"_s, .value = contractText(runtime), .detail = contractDetail(runtime)}};
  if (const auto globals = globalsFact(runtime)) facts.push_back(*globals);
  if (heaps.adaptation != engine::DynamicAdaptation::None) facts.insert(facts.begin() + 2, adaptationFact(heaps));
  if (!dump.command.empty()) facts.push_back({.label = u"Program"_s, .value = fromEngine(dump.command)});
  if (dump.pid > 0) facts.push_back({.label = u"Process"_s, .value = QString::number(dump.pid)});
  if (dump.threads > 0) facts.push_back({.label = u"Threads"_s, .value = countText(dump.threads)});
  facts.push_back({.label = u"Dump"_s, .value = kindText(dump.kind)});
  facts.push_back(
      {.label = u"Core size"_s,
       .value = dump.isCompressed ? u"%1, decompressed"_s.arg(bytesText(dump.fileBytes)) : bytesText(dump.fileBytes),
       .detail = exactBytesText(dump.fileBytes)});
  if (!snapshot.nameInArchive().empty()) {
    facts.push_back({.label = u"In the archive"_s,
                     .value = fromEngine(snapshot.nameInArchive()),
                     .detail = snapshot.coresInArchive() > 1
                                   ? u"The largest of %1 core dumps in it"_s.arg(countText(snapshot.coresInArchive()))
                                   : QString()});
  }
  if (!runtime.buildId.empty()) {
    facts.push_back({.label = u"Build id"_s,
                     .value = fromEngine(runtime.buildId),
                     .detail = fromEngine(runtime.libraryPath),
                     .isFixed = true});
  }
  return facts;
}

}  // namespace heapscape::gui
