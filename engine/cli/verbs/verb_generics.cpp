// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/types/type_json.h"
#include "output/types/type_text.h"

namespace heapscape::cli {

namespace {

class GenericsVerb : public Verb {
 public:
  const char* name() const override { return "generics"; }
  const char* summary() const override { return "Generic types, what was made of each, and what it costs"; }

  void addOptions(CLI::App& app) override {
    app.add_option("--type", m_text, "Only definitions whose name holds TEXT, with all instantiations")
        ->type_name("TEXT");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const std::vector<engine::GenericDefinition> definitions,
                  engine::listGenerics(snapshot, m_text, context.stop()));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeGenerics(json, definitions, rows); },
         .text =
             [&](engine::Output& output) { engine::writeGenericsText(output, definitions, rows, !m_text.empty()); }});
  }

 private:
  std::string m_text;
};

}  // namespace

std::unique_ptr<Verb> makeGenericsVerb() {
  return std::make_unique<GenericsVerb>();
}

}  // namespace heapscape::cli
