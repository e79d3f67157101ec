// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/heap/snapshot_json.h"
#include "output/heap/snapshot_text.h"

namespace heapscape::cli {

namespace {

class SegmentsVerb : public Verb {
 public:
  const char* name() const override { return "segments"; }
  const char* summary() const override { return "Segments and regions of the heap, with what lies in them"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    const std::size_t limit = context.options().rowLimit();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeSegments(json, snapshot, limit); },
                          .text = [&](engine::Output& output) { engine::writeSegmentsText(output, snapshot, limit); }});
  }
};

}  // namespace

std::unique_ptr<Verb> makeSegmentsVerb() {
  return std::make_unique<SegmentsVerb>();
}

}  // namespace heapscape::cli
