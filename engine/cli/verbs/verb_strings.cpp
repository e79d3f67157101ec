// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/count_text.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/strings_json.h"
#include "output/strings_text.h"
#include "session/objects/strings_query.h"

namespace heapscape::cli {

namespace {

class StringsVerb : public Verb {
 public:
  const char* name() const override { return "strings"; }
  const char* summary() const override { return "Strings by their characters, those that waste most first"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("--text", m_text, "Only strings that hold TEXT")->type_name("TEXT");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const engine::StringList list,
                  engine::listStrings(snapshot, m_text, context.options().rowLimit(), context.stop()));
    const engine::RowSelection selection = context.rowSelection();
    engine::FindingList findings;
    if (list.unreadable) {
      findings.add(
          engine::FindingKind::MemoryMissing, {},
          fmt::format("The characters of {} are not in the dump.", engine::countOf(list.unreadable, "string")));
    }
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeStrings(json, list, selection); },
                          .tsv = [&](engine::Output& output) { engine::writeStringsTsv(output, list, selection); },
                          .text = [&](engine::Output& output) { engine::writeStringsText(output, list, selection); },
                          .findings = findings});
  }

 private:
  std::string m_text;
};

}  // namespace

std::unique_ptr<Verb> makeStringsVerb() {
  return std::make_unique<StringsVerb>();
}

}  // namespace heapscape::cli
