// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "cli/verbs/list_verb.h"
#include "output/heap/gc_output.h"
#include "output/heap/memory_output.h"
#include "output/heap/snapshot_output.h"
#include "output/layouts/layout_reports.h"
#include "output/table_output.h"
#include "output/text.h"
#include "session/heap/heap_check.h"
#include "session/objects/object_query.h"
#include "session/process/process_memory.h"
#include "session/references/reference_query.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/stage_clock.h"
#include "tables/memory_table.h"
#include "tables/root_tables.h"

namespace heapscape::cli {
namespace {

class InfoVerb : public Verb {
 public:
  const char* name() const override { return "info"; }
  const char* summary() const override { return "The runtime, the dump and the heap as a whole"; }

  void addOptions(CLI::App& app) override {
    static constexpr std::array kStages{engine::Stage::Summary, engine::Stage::Segments, engine::Stage::Objects,
                                        engine::Stage::Layouts};
    addChoice(app, "--stop-after", m_stage, kStages, "Open no further than a stage, for measurements");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(m_stage.value_or(engine::Stage::Objects), {}, HeapUse::Any));
    engine::Crash crash;
    if (!snapshot.isRecorded()) {
      HEAPSCAPE_TRY(crash, engine::readCrash(snapshot, context.stop()));
    }
    const bool isRedacted = context.options().redact;
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeInfo(json, snapshot, crash, isRedacted); },
         .text = [&](engine::Output& output) { engine::writeInfoText(output, snapshot, crash, isRedacted); }});
  }

 private:
  std::optional<engine::Stage> m_stage;
};

}  // namespace

std::unique_ptr<Verb> makeInfoVerb() {
  return std::make_unique<InfoVerb>();
}

namespace {

class GcVerb : public Verb {
 public:
  const char* name() const override { return "gc"; }
  const char* summary() const override { return "What the GC was doing: collections, free objects, pins, failures"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    HEAPSCAPE_TRY(const engine::GcReport report, engine::readGcReport(snapshot, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeGc(json, report, rows); },
                                    .text = [&](engine::Output& output) { engine::writeGcText(output, report, rows); },
                                    .findings = report.findings});
  }
};

}  // namespace

std::unique_ptr<Verb> makeGcVerb() {
  return std::make_unique<GcVerb>();
}

namespace {

using engine::Address;
using engine::Outcome;
using engine::Snapshot;

class SizeVerb : public Verb {
 public:
  const char* name() const override { return "size"; }
  const char* summary() const override { return "Everything that can be reached from an object, each once"; }

  void addOptions(CLI::App& app) override {
    auto* question = app.add_option_group("question");
    addOptionalAddressArgument(*question, m_address, "Address of an object, or inside it");
    question->add_option("--addresses", m_addressFile, "Each object in FILE, an address a line")->type_name("FILE");
    question->require_option(1);
  }

  Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Graph));
    std::vector<Address> addresses;
    if (m_address) {
      addresses.push_back(*m_address);
    } else {
      HEAPSCAPE_TRY(addresses, readAddressFile(m_addressFile, "file of addresses"));
    }
    std::vector<Row> rows;
    for (const Address address : addresses) {
      const auto object = engine::objectAt(snapshot, address);
      if (!object) return tl::unexpected(engine::Unfinished(noObjectAt(address)));
      HEAPSCAPE_TRY(const engine::TransitiveSize size,
                    engine::transitiveSize(snapshot, {object->address}, context.stop()));
      rows.push_back({object->address, snapshot.types()[object->type.value].name, size});
    }
    return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { writeJson(json, rows); },
                                    .text = [&](engine::Output& output) { writeText(output, rows); }});
  }

 private:
  struct Row {
    Address object;
    std::string type;
    engine::TransitiveSize size;
  };

  void writeJson(engine::JsonWriter& json, const std::vector<Row>& rows) const {
    json.key(m_address ? "size" : "sizes");
    if (!m_address) json.beginRows();
    for (const Row& row : rows) {
      json.beginObject();
      json.member("address", row.object);
      json.member("type", row.type);
      json.member("objects", row.size.objects);
      json.member("bytes", row.size.bytes);
      json.endObject();
    }
    if (!m_address) json.endArray();
  }

  static void writeText(engine::Output& output, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      output.write(engine::printable(row.type) + " at ");
      output.writeAddress(row.object);
      output.write(" reaches " + engine::countOf(row.size.objects, "object") + ", " +
                   engine::readableCount(row.size.bytes) + " bytes, itself included.\n");
    }
  }

  std::optional<Address> m_address;
  std::string m_addressFile;
};

}  // namespace

std::unique_ptr<Verb> makeSizeVerb() {
  return std::make_unique<SizeVerb>();
}

namespace {

class MemoryVerb : public Verb {
 public:
  const char* name() const override { return "memory"; }
  const char* summary() const override { return "Where the memory of the whole process is, by owner"; }
  bool hasTsv() const override { return true; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    std::vector<engine::StageTiming> timings;
    HEAPSCAPE_TRY(const engine::ProcessMemory memory, measure(snapshot, timings, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeMemory(json, memory, rows); },
                          .tsv =
                              [&](engine::Output& output) {
                                engine::writeTableTsv(output, engine::memoryTable().with(memory.parts), rows);
                              },
                          .text = [&](engine::Output& output) { engine::writeMemoryText(output, memory, rows); },
                          .timings = timings});
  }

 private:
  static engine::Outcome<engine::ProcessMemory> measure(const engine::Snapshot& snapshot,
                                                        std::vector<engine::StageTiming>& timings,
                                                        const std::stop_token& stop) {
    const engine::StageClock clock(timings, "memory");
    return engine::processMemoryOf(snapshot, stop);
  }
};

}  // namespace

std::unique_ptr<Verb> makeMemoryVerb() {
  return std::make_unique<MemoryVerb>();
}

namespace {

class RootsVerb : public Verb {
 public:
  const char* name() const override { return "roots"; }
  const char* summary() const override { return "What keeps objects alive from outside the heap, by name"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override { app.add_flag("!--no-stacks", m_options.includeStacks, "Without stacks"); }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(engine::Stage::Retained, {.roots = m_options, .byType = false}, HeapUse::Graph));
    HEAPSCAPE_TRY(engine::HeldRoots held, engine::listHeldRoots(snapshot, context.stop()));
    const engine::Table table = engine::rootsTable().with(std::move(held.roots), snapshot.roots().findings);
    return writeList(context, snapshot, table);
  }

 private:
  engine::RootOptions m_options;
};

}  // namespace

std::unique_ptr<Verb> makeRootsVerb() {
  return std::make_unique<RootsVerb>();
}

namespace {

// Missing names and offsets that nobody has verified yet do not make a heap unsound.
bool isAboutHeap(const engine::Finding& finding) {
  return finding.kind != engine::FindingKind::MetadataMissing &&
         finding.kind != engine::FindingKind::ContractNotVerified;
}

void writeRemains(engine::JsonWriter& json, const char* name, const engine::Remains& remains) {
  json.key(name);
  json.beginObject();
  json.member("objects", remains.objects);
  json.member("references", remains.references);
  json.member("headers", remains.headers);
  json.endObject();
}

std::string remainsText(const engine::Remains& remains, const char* which) {
  return fmt::format("{} {}: {} to swept memory, {} with the sync block of another or of none. That is normal.\n",
                     engine::countOf(remains.objects, "object"), which,
                     engine::countOf(remains.references, "reference"), engine::countOf(remains.headers, "header"));
}

class VerifyVerb : public Verb {
 public:
  const char* name() const override { return "verify"; }
  const char* summary() const override { return "Check every object, reference, header, handle, static and layout"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const engine::HeapCheck check, checkWithProgress(snapshot, context.stop()));
    const bool isHealthy = check.findings.items().empty() && std::ranges::none_of(snapshot.findings(), isAboutHeap);
    std::vector<engine::Finding> findings = snapshot.findings();
    findings.insert(findings.end(), check.findings.items().begin(), check.findings.items().end());
    const std::vector<engine::BadObject> bad = engine::badObjects(snapshot, findings);
    const bool redact = context.options().redact;
    const auto writeJson = [&](engine::JsonWriter& json) {
      json.key("verify");
      json.beginObject();
      json.member("healthy", isHealthy);
      json.member("objects", check.objects);
      json.member("references", check.references);
      json.member("handles", check.handles);
      json.member("syncBlocks", check.syncBlocks);
      json.member("statics", check.statics);
      engine::writeLayoutCheck(json, "layouts", check.layouts);
      writeRemains(json, "dead", check.ofDead);
      writeRemains(json, "doubtful", check.ofDoubtful);
      json.member("findings", check.findings.items().size() + check.findings.leftOut());
      engine::writeBadObjects(json, bad, redact);
      json.endObject();
    };
    const auto writeText = [&](engine::Output& output) {
      output.write(fmt::format("Checked {}, {}, {}, {} and {}.\n", engine::countOf(check.objects, "object"),
                               engine::countOf(check.references, "reference"), engine::countOf(check.handles, "handle"),
                               engine::countOf(check.syncBlocks, "sync block"),
                               engine::countOf(check.statics, "static field")));
      output.write(engine::summaryOf(check.layouts) + '\n');
      if (check.ofDead.objects)
        output.write(remainsText(check.ofDead, "that nothing holds, as a background collection left them"));
      if (check.ofDoubtful.objects)
        output.write(remainsText(check.ofDoubtful, "that only words of stacks lead to, which may be dead as well"));
      if (isHealthy) output.write("All are sound.\n");
      const std::size_t limit = context.options().rowLimit();
      engine::writeFindingsText(output, snapshot.findings(), snapshot.findingsLeftOut(), limit);
      engine::writeFindingsText(output, check.findings.items(), check.findings.leftOut(), limit);
      engine::writeBadObjectsText(output, bad, redact);
    };
    return context.write(snapshot, {.json = writeJson, .text = writeText, .findings = check.findings});
  }

 private:
  static engine::Outcome<engine::HeapCheck> checkWithProgress(const engine::Snapshot& snapshot,
                                                              const std::stop_token& stop) {
    ProgressLine progress;
    return engine::checkHeap(snapshot, &progress, stop);
  }
};

}  // namespace

std::unique_ptr<Verb> makeVerifyVerb() {
  return std::make_unique<VerifyVerb>();
}

}  // namespace heapscape::cli
