// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/address_argument.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/types/type_output.h"
#include "session/types/type_parts.h"

namespace heapscape::cli {

namespace {

/// Keeps the methods whose name holds the text, and the instantiation at that MethodDesc.
void keepMethods(engine::TypeDetails& type, const std::string& text) {
  engine::Address methodDesc;
  const bool isAddress = engine::tryParseAddress(text, methodDesc);
  const auto isOther = [&](const auto& method) {
    return method.name.find(text) == std::string::npos && !(isAddress && method.methodDesc == methodDesc);
  };
  // Of a generic method that is not meant itself only those of its instantiations that are.
  const auto isOtherMethod = [&](engine::TypeMethod& method) {
    if (!isOther(method)) return false;
    std::erase_if(method.instantiations, isOther);
    return method.instantiations.empty();
  };
  std::erase_if(type.methods, isOtherMethod);
  std::erase_if(type.methodLookups, isOther);
}

class TypeVerb : public Verb {
 public:
  const char* name() const override { return "type"; }
  const char* summary() const override { return "Everything about one type: fields, statics, methods and their code"; }

  void addOptions(CLI::App& app) override {
    app.add_option("TYPE", m_type, "Name as C# or the runtime writes it, a part of it, or a method table")->required();
    addAddressOption(app, "--object", m_object, "What the fields of this object hold, which is of the type");
    app.add_option("--method", m_method, "Only methods whose name holds the text, or the one at this MethodDesc")
        ->type_name("TEXT");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    HEAPSCAPE_TRY(const engine::Address methodTable, engine::findType(snapshot, m_type, context.stop()));
    HEAPSCAPE_TRY(engine::TypeDetails type, engine::typeDetails(snapshot, methodTable, m_object));
    if (!m_method.empty()) keepMethods(type, m_method);
    engine::StaticsFilter filter;
    filter.methodTable = methodTable;
    HEAPSCAPE_TRY(const engine::StaticList statics, engine::listStatics(snapshot, filter, context.stop()));
    engine::addStaticValues(type, statics);
    engine::FindingList findings = statics.findings;
    for (const engine::Finding& finding : type.findings) findings.add(finding.kind, finding.address, finding.message);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeType(json, type, statics, rows); },
                          .text = [&](engine::Output& output) { engine::writeTypeText(output, type, statics, rows); },
                          .findings = findings});
  }

 private:
  std::string m_type, m_method;
  engine::Address m_object;
};

}  // namespace

std::unique_ptr<Verb> makeTypeVerb() {
  return std::make_unique<TypeVerb>();
}

}  // namespace heapscape::cli
