// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/verb.h"
#include "cli/verbs/list_verb.h"
#include "session/roots/roots_query.h"
#include "tables/root_tables.h"

namespace heapscape::cli {

namespace {

class RootsVerb : public Verb {
 public:
  const char* name() const override { return "roots"; }
  const char* summary() const override { return "What keeps objects alive from outside the heap, by name"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override { app.add_flag("!--no-stacks", m_options.includeStacks, "Without stacks"); }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(engine::Stage::Retained, {.roots = m_options, .byType = false}));
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

}  // namespace heapscape::cli
