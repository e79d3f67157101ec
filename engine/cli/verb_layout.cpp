// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/context.h"
#include "cli/layout_selection.h"
#include "cli/verb.h"
#include "report/layout_json.h"
#include "report/layout_text.h"
#include "report/text.h"
#include "session/type_query.h"

namespace heapscape::cli {

namespace {

using engine::Address;
using engine::Outcome;
using engine::Snapshot;

class LayoutVerb : public Verb {
 public:
  const char* name() const override { return "layout"; }
  const char* summary() const override { return "How objects of a type lie in memory: fields and padding"; }
  void addOptions(CLI::App& app) override;
  Outcome<void> run(Context& context) override;

 private:
  bool asksForLoadedTypes() const { return m_all || !m_type.empty() || !m_typesFile.empty(); }
  Outcome<NamedTypes> select(Context& context, const Snapshot& snapshot) const;
  Outcome<NamedTypes> selectFromHeap(Context& context, const Snapshot& snapshot) const;

  std::string m_type;
  bool m_all = false;
  std::string m_typesFile;
  std::string m_rules = "actual";
};

void LayoutVerb::addOptions(CLI::App& app) {
  CLI::Option* type =
      app.add_option("TYPE", m_type, "Full name or method table; without it all types on the heap, the largest first");
  CLI::Option* all = app.add_flag("--all", m_all, "All types that are loaded, on the heap or not")->excludes(type);
  app.add_option("--types", m_typesFile, "Types named in FILE, one a line")->type_name("FILE")->excludes(type, all);
  const auto isKnownRule = [](const std::string& rules) {
    return rules == "actual"
               ? std::string()
               : "'" + rules + "' is no rule set for a core dump, which has 'actual': as the runtime did it";
  };
  app.add_option("--rules", m_rules, "Rule set of the layout; for a core dump: actual")
      ->type_name("RULES")
      ->check(isKnownRule);
}

Outcome<void> LayoutVerb::run(Context& context) {
  const auto stage = asksForLoadedTypes() ? engine::Stage::Segments : engine::Stage::Objects;
  HEAPSCAPE_TRY(const Snapshot snapshot, context.open(stage));
  HEAPSCAPE_TRY(NamedTypes selected, select(context, snapshot));
  auto& methodTables = selected.methodTables;
  methodTables.resize(std::min(methodTables.size(), context.options().rowLimit()));

  // Findings stand in front of the layouts, so all layouts are made first.
  std::vector<engine::TypeLayout> layouts;
  Answer answer;
  for (const Address methodTable : methodTables) {
    if (context.stop().stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
    auto layout = engine::layoutOf(snapshot, methodTable);
    if (layout) {
      layouts.push_back(std::move(*layout));
    } else if (!m_type.empty()) {
      return tl::unexpected(std::move(layout.error()));
    } else {
      answer.findings.add(engine::FindingKind::RuntimeDataDamaged, methodTable, layout.error().message());
    }
  }
  answer.json = [&](engine::JsonWriter& json) {
    json.key("layouts");
    json.beginRows();
    for (const engine::TypeLayout& layout : layouts) engine::writeLayout(json, layout);
    json.endArray();
    if (selected.notFound.empty()) return;
    json.key("notFound");
    json.beginArray();
    for (const std::string& name : selected.notFound) json.value(name);
    json.endArray();
  };
  answer.text = [&](engine::Output& output) {
    for (const engine::TypeLayout& layout : layouts) {
      if (output.hasFailed()) return;
      if (&layout != &layouts.front()) output.write('\n');
      engine::writeLayoutText(output, layout);
    }
    for (const std::string& name : selected.notFound) output.write("Not loaded: " + engine::printable(name) + '\n');
  };
  return context.write(snapshot, answer);
}

Outcome<NamedTypes> LayoutVerb::select(Context& context, const Snapshot& snapshot) const {
  if (!asksForLoadedTypes()) return selectFromHeap(context, snapshot);
  HEAPSCAPE_TRY(const auto loaded, engine::loadedTypes(snapshot, context.stop()));
  if (m_all) {
    NamedTypes all;
    for (const engine::LoadedType& type : loaded) all.methodTables.push_back(type.methodTable);
    return all;
  }
  if (!m_typesFile.empty()) {
    HEAPSCAPE_TRY(const auto names, readNames(m_typesFile));
    return findTypes(loaded, names);
  }
  NamedTypes found = findTypes(loaded, {m_type});
  if (!found.notFound.empty()) return tl::unexpected(engine::Unfinished(notFoundError(loaded, m_type)));
  return found;
}

Outcome<NamedTypes> LayoutVerb::selectFromHeap(Context& context, const Snapshot& snapshot) const {
  engine::TypeQuery query;
  query.includeFree = false;
  HEAPSCAPE_TRY(const auto selection, engine::selectTypes(snapshot, snapshot.typeCounts(), query, context.stop()));
  NamedTypes found;
  for (const engine::TypeId type : selection.types)
    found.methodTables.push_back(snapshot.types()[type.value].methodTable);
  return found;
}

}  // namespace

std::unique_ptr<Verb> makeLayoutVerb() {
  return std::make_unique<LayoutVerb>();
}

}  // namespace heapscape::cli
