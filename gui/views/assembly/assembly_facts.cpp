// SPDX-License-Identifier: MIT
#include "views/assembly/assembly_facts.h"

#include <QFileInfo>
#include <QObject>
#include <algorithm>
#include <utility>

#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::LayoutRow;
using engine::MissingAssembly;
using engine::UsedAssembly;

std::vector<AssemblyReference> referencesOf(const std::vector<UsedAssembly>& found,
                                            const std::vector<MissingAssembly>& missing) {
  std::vector<AssemblyReference> references;
  for (const MissingAssembly& one : missing) {
    AssemblyReference& reference = references.emplace_back();
    reference.found.name = one.assembly;
    reference.why = one.why;
    reference.neededBy = one.neededBy;
  }
  for (std::size_t i = 1; i < found.size(); ++i) references.emplace_back().found = found[i];
  return references;
}

}  // namespace

engine::Outcome<AssemblyFacts> readAssemblyFacts(const engine::DeclaredLayouts& layouts, std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<LayoutRow> types, layouts.types(stop));
  // Asked for only now: it is the types that need them.
  const std::vector<UsedAssembly> assemblies = layouts.assemblies();
  const std::vector<MissingAssembly> missing = layouts.missing();
  AssemblyFacts facts;
  if (!assemblies.empty()) facts.assembly = assemblies.front();
  facts.runtimeMajor = layouts.runtime().majorVersion;
  facts.framework = layouts.framework();
  facts.types = types.size();
  std::erase_if(types, [](const LayoutRow& type) { return type.failure.empty(); });
  facts.failing = types.size();
  facts.openDefinitions = layouts.openDefinitions().size();
  facts.found = assemblies.empty() ? 0 : assemblies.size() - 1;
  facts.missing = missing.size();
  facts.references = makeRowList(referencesOf(assemblies, missing), referenceSchema());
  facts.failures = makeRowList(std::move(types), failureSchema());
  return facts;
}

RowSchema<AssemblyReference> referenceSchema() {
  using Reference = AssemblyReference;
  RowSchema<Reference> schema;
  schema.columns = {
      {.setup = {.title = u"Assembly"_s, .letters = 34, .isSearched = true, .holdsContents = false},
       .words = [](const Reference& row) { return fromEngine(row.found.name); },
       .isWarning = [](const Reference& row) { return !row.why.empty(); }},
      {.setup = {.title = u"Version"_s, .letters = 12, .holdsContents = false},
       .words = [](const Reference& row) { return fromEngine(row.found.version); }},
      {.setup = {.title = u"Where it is, or was looked for"_s,
                 .letters = 60,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words =
           [](const Reference& row) { return row.why.empty() ? fromEngine(row.found.path) : fromEngine(row.why); }},
      {.setup = {.title = u"Needed by"_s, .kind = engine::ColumnKind::TypeName, .letters = 28, .isSearched = true},
       .words = [](const Reference& row) { return fromEngine(row.neededBy); }},
  };
  schema.kinds = {{.name = u"Missing"_s, .tip = u"Types that need them have no layout"_s},
                  {.name = u"Found"_s, .tip = u"Read as far as layouts need it"_s}};
  schema.kindOf = [](const Reference& row) -> std::size_t { return row.why.empty() ? 1 : 0; };
  return schema;
}

RowSchema<LayoutRow> failureSchema() {
  RowSchema<LayoutRow> schema;
  schema.columns = {
      {.setup = {.title = u"Type"_s, .kind = engine::ColumnKind::TypeName, .letters = 40, .isSearched = true},
       .words = [](const LayoutRow& row) { return fromEngine(row.name); }},
      {.setup = {.title = u"Why it has no layout"_s,
                 .letters = 60,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = [](const LayoutRow& row) { return fromEngine(row.failure); }},
      {.setup = {.title = u"Assembly"_s, .letters = 24, .isSearched = true, .holdsContents = false},
       .words = [](const LayoutRow& row) { return fromEngine(row.assembly); }},
  };
  return schema;
}

QString assemblyStatusLine(const AssemblyFacts& facts) {
  QStringList parts{countedText(facts.types, u"type"_s)};
  if (facts.failing > 0) parts << u"%1 without a layout"_s.arg(countText(facts.failing));
  if (facts.missing > 0) parts << countedText(facts.missing, u"assembly missing"_s, u"assemblies missing"_s);
  return parts.join(u" · "_s);
}

QString assemblyTitleLine(const AssemblyFacts& facts) {
  const QString file = QFileInfo(fromEngine(facts.assembly.path)).fileName();
  QStringList parts{file.isEmpty() ? fromEngine(facts.assembly.name) : file};
  if (!facts.assembly.version.empty()) parts << fromEngine(facts.assembly.version);
  parts << u"rules of .NET %1"_s.arg(facts.runtimeMajor);
  return parts.join(u" · "_s);
}

}  // namespace heapscape::gui
