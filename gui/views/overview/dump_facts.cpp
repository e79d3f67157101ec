// SPDX-License-Identifier: MIT
#include "views/overview/dump_facts.h"

#include <QObject>

#include "widgets/figures.h"

namespace heapscape::gui {

namespace {

QString kindText(engine::DumpKind kind) {
  switch (kind) {
    case engine::DumpKind::Heap:
      return QObject::tr("heap dump of createdump");
    case engine::DumpKind::Full:
      return QObject::tr("full dump of createdump");
    case engine::DumpKind::Mini:
      return QObject::tr("mini dump of createdump");
    case engine::DumpKind::Triage:
      return QObject::tr("triage dump of createdump");
    case engine::DumpKind::Gcore:
      return QObject::tr("gcore's");
    case engine::DumpKind::Kernel:
      break;
  }
  return QObject::tr("the kernel's");
}

QString contractText(const engine::RuntimeSummary& runtime) {
  switch (runtime.contract) {
    case engine::ContractSource::Dump:
      return QObject::tr("described in the dump");
    case engine::ContractSource::File:
      return QObject::tr("described in libcoreclr.so");
    case engine::ContractSource::Shipped:
      break;
  }
  return runtime.contractVerified ? QObject::tr("known build") : QObject::tr("known version, other build");
}

QString gcText(const engine::RuntimeSummary& runtime) {
  const QString layout = runtime.hasRegions ? QObject::tr("regions") : QObject::tr("segments");
  if (!runtime.isServerGc) return QObject::tr("workstation, %1").arg(layout);
  return QObject::tr("server, %1 heaps, %2").arg(countText(runtime.heaps), layout);
}

}  // namespace

std::vector<Fact> dumpFacts(const engine::Snapshot& snapshot) {
  const engine::RuntimeSummary& runtime = snapshot.summary().runtime;
  const engine::DumpSummary& dump = snapshot.summary().dump;
  std::vector<Fact> facts{
      {.label = QObject::tr("Runtime"),
       .value = QObject::tr(".NET %1, %2").arg(fromEngine(runtime.version), fromEngine(runtime.architecture))},
      {.label = QObject::tr("Garbage collector"), .value = gcText(runtime)},
      {.label = QObject::tr("Collection running"),
       .value = runtime.gcInProgress ? QObject::tr("yes: objects were being moved") : QObject::tr("no"),
       .detail = {},
       .isFixed = false,
       .isWarning = runtime.gcInProgress},
      {.label = QObject::tr("Runtime's data"),
       .value = contractText(runtime),
       .detail = QObject::tr("Where the offsets that the runtime was read with came from")}};
  if (!dump.command.empty()) facts.push_back({.label = QObject::tr("Program"), .value = fromEngine(dump.command)});
  if (dump.pid > 0) facts.push_back({.label = QObject::tr("Process"), .value = QString::number(dump.pid)});
  if (dump.threads > 0) facts.push_back({.label = QObject::tr("Threads"), .value = countText(dump.threads)});
  facts.push_back({.label = QObject::tr("Dump"), .value = kindText(dump.kind)});
  facts.push_back({.label = QObject::tr("Core size"),
                   .value = dump.isCompressed ? QObject::tr("%1, decompressed").arg(bytesText(dump.fileBytes))
                                              : bytesText(dump.fileBytes),
                   .detail = exactBytesText(dump.fileBytes)});
  if (!runtime.buildId.empty()) {
    facts.push_back({.label = QObject::tr("Build id"),
                     .value = fromEngine(runtime.buildId),
                     .detail = fromEngine(runtime.libraryPath),
                     .isFixed = true});
  }
  return facts;
}

}  // namespace heapscape::gui
