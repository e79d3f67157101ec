// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/context.h"
#include "cli/verb.h"
#include "report/type_json.h"
#include "report/type_text.h"

namespace heapscape::cli {

namespace {

class TypeVerb : public Verb {
 public:
  const char* name() const override { return "type"; }
  const char* summary() const override { return "Everything about one type: fields, statics, methods and their code"; }

  void addOptions(CLI::App& app) override {
    app.add_option("TYPE", m_type, "Name as C# or the runtime writes it, a part of it, or a method table")->required();
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const engine::Address methodTable, engine::findType(snapshot, m_type, context.stop()));
    HEAPSCAPE_TRY(const engine::TypeDetails type, engine::typeDetails(snapshot, methodTable));
    engine::StaticsFilter filter;
    filter.methodTable = methodTable;
    HEAPSCAPE_TRY(const engine::StaticList statics, engine::listStatics(snapshot, filter, context.stop()));
    engine::FindingList findings = statics.findings;
    for (const engine::Finding& finding : type.findings) findings.add(finding.kind, finding.address, finding.message);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeType(json, type, statics, rows); },
                          .text = [&](engine::Output& output) { engine::writeTypeText(output, type, statics, rows); },
                          .findings = findings});
  }

 private:
  std::string m_type;
};

}  // namespace

std::unique_ptr<Verb> makeTypeVerb() {
  return std::make_unique<TypeVerb>();
}

}  // namespace heapscape::cli
