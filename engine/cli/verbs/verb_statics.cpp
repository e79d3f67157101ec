// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/roots_json.h"
#include "output/roots_text.h"

namespace heapscape::cli {

namespace {

class StaticsVerb : public Verb {
 public:
  const char* name() const override { return "statics"; }
  const char* summary() const override { return "Static fields with their values, thread statics for each thread"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("--type", m_filter.typeText, "Only types whose name holds TEXT")->type_name("TEXT");
    app.add_flag("--initialised", m_onlyInitialised, "Only of types, and on threads, that have used them");
  }

  engine::Outcome<void> run(Context& context) override {
    m_filter.includeUninitialised = !m_onlyInitialised;
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained());
    HEAPSCAPE_TRY(const engine::StaticList list, engine::listStatics(snapshot, m_filter, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeStatics(json, list, rows); },
                          .tsv = [&](engine::Output& output) { engine::writeStaticsTsv(output, list, rows); },
                          .text = [&](engine::Output& output) { engine::writeStaticsText(output, list, rows); },
                          .findings = list.findings});
  }

 private:
  engine::StaticsFilter m_filter;
  bool m_onlyInitialised = false;
};

}  // namespace

std::unique_ptr<Verb> makeStaticsVerb() {
  return std::make_unique<StaticsVerb>();
}

}  // namespace heapscape::cli
