// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "cli/context.h"
#include "cli/verb.h"
#include "report/retained_json.h"
#include "report/retained_text.h"
#include "session/retained_query.h"
#include "session/retained_stage.h"

namespace heapscape::cli {

namespace {

using engine::Address;
using engine::Outcome;

class RetainedVerb : public Verb {
 public:
  const char* name() const override { return "retained"; }
  const char* summary() const override { return "The objects or types that keep the most alive, exactly"; }

  void addOptions(CLI::App& app) override {
    auto* file = app.add_option("--roots", m_rootsFile, "Only the objects in FILE as roots, an address a line");
    file->type_name("FILE");
    app.add_flag("--by-type", m_byType, "Types instead of objects");
    app.add_flag("!--no-stacks", m_rootOptions.includeStacks, "Without words of stacks as roots")->excludes(file);
  }

  Outcome<void> run(Context& context) override {
    engine::RetainedOptions options{m_rootOptions, m_byType};
    if (!m_rootsFile.empty()) {
      HEAPSCAPE_TRY(options.roots.only, readRoots());
    }
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Retained, options));
    const engine::RetainedList list =
        engine::largestRetained(snapshot, context.options().top.value_or(kObjectsUnlessAsked));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeRetained(json, snapshot, list, rows); },
         .text = [&](engine::Output& output) { engine::writeRetainedText(output, snapshot, list, m_byType, rows); },
         .findings = list.findings});
  }

 private:
  static constexpr std::size_t kObjectsUnlessAsked = 1000;

  Outcome<std::vector<Address>> readRoots() const {
    std::ifstream file(m_rootsFile);
    if (!file) return unusable("cannot be read");
    std::vector<Address> roots;
    for (std::string line; std::getline(file, line);) {
      Address address;
      if (line.empty()) continue;
      if (!engine::tryParseAddress(line, address)) return unusable("holds '" + line + "', which is no address");
      roots.push_back(address);
    }
    return roots;
  }

  tl::unexpected<engine::Unfinished> unusable(const std::string& why) const {
    return tl::unexpected(engine::Unfinished(
        engine::Error{engine::ErrorCode::FileUnreadable, fmt::format("The file of roots {} {}.", m_rootsFile, why)}));
  }

  std::string m_rootsFile;
  bool m_byType = false;
  engine::RootOptions m_rootOptions;
};

}  // namespace

std::unique_ptr<Verb> makeRetainedVerb() {
  return std::make_unique<RetainedVerb>();
}

}  // namespace heapscape::cli
