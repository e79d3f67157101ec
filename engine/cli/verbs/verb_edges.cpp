// SPDX-License-Identifier: MIT
#include "cli/context.h"
#include "cli/verb.h"
#include "output/references/edge_rows.h"
#include "session/references/reference_query.h"

namespace heapscape::cli {

namespace {

using EdgeForm = engine::EdgeRowWriter::Form;

class EdgesVerb : public Verb {
 public:
  const char* name() const override { return "edges"; }
  const char* summary() const override { return "Every reference between two objects, by address of the first"; }
  bool hasTsv() const override { return true; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    // Rows are written while they are read, what is wrong with them before that: References tells of damage, and takes
    // room that healthy dumps do not need.
    if (engine::hasDamagedEdge(snapshot, context.stop())) {
      HEAPSCAPE_TRY(snapshot, context.open(engine::Stage::References));
    }
    const auto write = [&](engine::Output& output, EdgeForm form) {
      engine::EdgeRowWriter writer(output, form);
      writer.writeHeader();
      std::size_t left = context.options().rowLimit();
      if (left > 0) {
        engine::forEachEdge(
            snapshot,
            [&](const engine::Edge& edge) {
              writer.write(edge);
              return --left > 0 && !output.hasFailed();
            },
            context.stop());
      }
      writer.finish();
    };
    return context.write(snapshot, {.json =
                                        [&](engine::JsonWriter& json) {
                                          json.key("edges");
                                          json.beginArray();
                                          write(json.output(), EdgeForm::Json);
                                          json.endArray();
                                        },
                                    .tsv = [&](engine::Output& output) { write(output, EdgeForm::Tsv); },
                                    .text = [&](engine::Output& output) { write(output, EdgeForm::Text); }});
  }
};

}  // namespace

std::unique_ptr<Verb> makeEdgesVerb() {
  return std::make_unique<EdgesVerb>();
}

}  // namespace heapscape::cli
