// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/heap/gc_output.h"

namespace heapscape::cli {

namespace {

class GcVerb : public Verb {
 public:
  const char* name() const override { return "gc"; }
  const char* summary() const override { return "What the GC was doing: settings, collections, gaps, pins, failures"; }

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

}  // namespace heapscape::cli
