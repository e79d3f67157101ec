// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/verb.h"
#include "report/retained_json.h"
#include "report/retained_text.h"
#include "session/roots_query.h"

namespace heapscape::cli {

namespace {

class RootsVerb : public Verb {
 public:
  const char* name() const override { return "roots"; }
  const char* summary() const override { return "What keeps objects alive from outside the heap, by name"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_flag("!--no-stacks", m_options.includeStacks, "Without words of stacks, which may be no references");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const engine::RootList list, engine::listRoots(snapshot, m_options, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeRoots(json, list, rows); },
                                    .tsv = [&](engine::Output& output) { engine::writeRootsTsv(output, list, rows); },
                                    .text = [&](engine::Output& output) { engine::writeRootsText(output, list, rows); },
                                    .findings = list.findings});
  }

 private:
  engine::RootOptions m_options;
};

}  // namespace

std::unique_ptr<Verb> makeRootsVerb() {
  return std::make_unique<RootsVerb>();
}

}  // namespace heapscape::cli
