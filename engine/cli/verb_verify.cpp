// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "cli/context.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "report/finding_text.h"
#include "report/layout_check_report.h"
#include "report/text.h"
#include "session/heap_check.h"

namespace heapscape::cli {

namespace {

// Missing names and offsets that nobody has verified yet do not make a heap unsound.
bool isAboutHeap(const engine::Finding& finding) {
  return finding.kind != engine::FindingKind::MetadataMissing &&
         finding.kind != engine::FindingKind::ContractNotVerified;
}

class VerifyVerb : public Verb {
 public:
  const char* name() const override { return "verify"; }
  const char* summary() const override { return "Check every object, reference, header, handle, static and layout"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const engine::HeapCheck check, checkWithProgress(snapshot, context.stop()));
    const bool isHealthy = check.findings.items().empty() && std::ranges::none_of(snapshot.findings(), isAboutHeap);
    const auto writeJson = [&](engine::JsonWriter& json) {
      json.key("verify");
      json.beginObject();
      json.member("healthy", isHealthy);
      json.member("objects", check.objects);
      json.member("references", check.references);
      json.member("handles", check.handles);
      json.member("syncBlocks", check.syncBlocks);
      json.member("statics", check.statics);
      engine::writeLayoutCheck(json, "layouts", check.layouts);
      json.endObject();
    };
    const auto writeText = [&](engine::Output& output) {
      output.write(fmt::format("Checked {}, {}, {}, {} and {}.\n", engine::countOf(check.objects, "object"),
                               engine::countOf(check.references, "reference"), engine::countOf(check.handles, "handle"),
                               engine::countOf(check.syncBlocks, "sync block"),
                               engine::countOf(check.statics, "static field")));
      output.write(engine::summaryOf(check.layouts) + '\n');
      if (isHealthy) output.write("All are sound.\n");
      engine::writeFindingsText(output, snapshot.findings(), context.options().rowLimit());
      engine::writeFindingsText(output, check.findings.items(), context.options().rowLimit());
    };
    return context.write(snapshot, {.json = writeJson, .text = writeText, .findings = check.findings});
  }

 private:
  static engine::Outcome<engine::HeapCheck> checkWithProgress(const engine::Snapshot& snapshot,
                                                              const std::stop_token& stop) {
    ProgressLine progress;
    return engine::checkHeap(snapshot, &progress, stop);
  }
};

}  // namespace

std::unique_ptr<Verb> makeVerifyVerb() {
  return std::make_unique<VerifyVerb>();
}

}  // namespace heapscape::cli
