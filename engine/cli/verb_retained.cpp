// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "cli/context.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "report/retained_json.h"
#include "report/retained_text.h"
#include "session/retained_query.h"
#include "session/roots_query.h"

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
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const std::vector<Address> roots, findRoots(context, snapshot));
    HEAPSCAPE_TRY(const engine::RetainedList list, compute(context, snapshot, roots));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeRetained(json, snapshot, list, rows); },
         .text = [&](engine::Output& output) { engine::writeRetainedText(output, snapshot, list, m_byType, rows); },
         .findings = list.findings});
  }

 private:
  static constexpr std::size_t kObjectsUnlessAsked = 1000;

  Outcome<std::vector<Address>> findRoots(Context& context, const engine::Snapshot& snapshot) const {
    if (!m_rootsFile.empty()) return readRoots();
    HEAPSCAPE_TRY(const engine::RootList list, engine::listRoots(snapshot, m_rootOptions, context.stop()));
    std::vector<Address> roots;
    for (const engine::RootRow& root : list.roots) roots.push_back(root.object);
    return roots;
  }

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

  Outcome<engine::RetainedList> compute(Context& context, const engine::Snapshot& snapshot,
                                        const std::vector<Address>& roots) const {
    ProgressLine progress;
    return engine::retainedSizes(snapshot, roots,
                                 {.objects = context.options().top.value_or(kObjectsUnlessAsked), .byType = m_byType},
                                 &progress, context.stop());
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
