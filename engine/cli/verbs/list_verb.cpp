// SPDX-License-Identifier: MIT
#include "cli/verbs/list_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/context.h"
#include "output/table_output.h"
#include "output/text.h"

namespace heapscape::cli {

namespace {

using engine::ListOption;

class ListVerb : public Verb {
 public:
  explicit ListVerb(const engine::List& list) : m_list(list) {}

  const char* name() const override { return m_list.name; }
  const char* summary() const override { return m_list.summary; }
  bool hasTsv() const override { return !m_list.description().tsv.empty(); }

  void addOptions(CLI::App& app) override {
    for (const ListOption option : m_list.options) addOption(app, option);
  }

  engine::Outcome<void> run(Context& context) override {
    const engine::Stage stage = m_options.byRetained ? engine::Stage::Retained : m_list.stage;
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(stage, {.byType = m_list.needsRetainedByType}, m_list.heap));
    m_options.limit = context.options().rowLimit();
    HEAPSCAPE_TRY(const engine::Table table, m_list.read(snapshot, m_options, context.stop()));
    return writeList(context, snapshot, table);
  }

 private:
  void addOption(CLI::App& app, ListOption option) {
    switch (option) {
      case ListOption::IncludeNull:
        app.add_flag("--all", m_options.includeNull, "Also those that refer to nothing");
        break;
      case ListOption::HandleKind:
        addChoice(app, "--kind", m_options.handleKind, engine::kHandleKinds, "Only handles of a kind");
        break;
      case ListOption::TypeText:
        app.add_option("--type", m_options.typeText, "Only types whose name holds TEXT")->type_name("TEXT");
        break;
      case ListOption::DefinitionText:
        app.add_option("--type", m_options.typeText, "Only definitions whose name holds TEXT, with all instantiations")
            ->type_name("TEXT");
        break;
      case ListOption::OnlyInitialised:
        app.add_flag("--initialised", m_options.onlyInitialised, "Only of types, and on threads, that have used them");
        break;
      case ListOption::Text:
        app.add_option("--text", m_options.text, "Only strings that hold TEXT")->type_name("TEXT");
        break;
      case ListOption::Each:
        app.add_flag("--each", m_options.each, "Every one by itself, not equal ones together");
        break;
      case ListOption::ByRetained:
        app.add_flag("--retained", m_options.byRetained, "With what each type retains, those that retain most first");
        break;
    }
  }

  const engine::List& m_list;
  engine::ListOptions m_options;
};

}  // namespace

engine::Outcome<void> writeList(Context& context, const engine::Snapshot& snapshot, const engine::Table& table) {
  const engine::RowSelection rows = context.rowSelection();
  return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeTable(json, table, rows); },
                                  .tsv = [&](engine::Output& output) { engine::writeTableTsv(output, table, rows); },
                                  .text = [&](engine::Output& output) { engine::writeTableText(output, table, rows); },
                                  .findings = table.findings});
}

std::unique_ptr<Verb> makeListVerb(const engine::List& list) {
  return std::make_unique<ListVerb>(list);
}

}  // namespace heapscape::cli
