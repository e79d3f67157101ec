// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/snapshot_json.h"
#include "output/snapshot_text.h"
#include "session/types/type_query.h"

namespace heapscape::cli {

namespace {

class TypesVerb : public Verb {
 public:
  const char* name() const override { return "types"; }
  const char* summary() const override { return "Types on the heap, the largest first"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_flag("--retained", m_wantsRetained, "With what each type retains, those that retain most first");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(m_wantsRetained ? engine::Stage::Retained : engine::Stage::Layouts));
    engine::TypeQuery query;
    if (m_wantsRetained) query.sortBy = engine::TypeColumn::RetainedBytes;
    HEAPSCAPE_TRY(const engine::TypeSelection selection,
                  engine::selectTypes(snapshot, snapshot.typeCounts(), query, context.stop()));
    const auto types = std::span(selection.types).first(std::min(selection.types.size(), context.options().rowLimit()));
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeTypes(json, snapshot, types); },
                          .tsv = [&](engine::Output& output) { engine::writeTypesTsv(output, snapshot, types); },
                          .text = [&](engine::Output& output) { engine::writeTypesText(output, snapshot, types); }});
  }

 private:
  bool m_wantsRetained = false;
};

}  // namespace

std::unique_ptr<Verb> makeTypesVerb() {
  return std::make_unique<TypesVerb>();
}

}  // namespace heapscape::cli
