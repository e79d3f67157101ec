// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "cli/context.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "output/finding_text.h"
#include "output/heap/bad_objects_output.h"
#include "output/layouts/layout_check_report.h"
#include "output/text.h"
#include "session/heap/heap_check.h"

namespace heapscape::cli {

namespace {

// Missing names and offsets that nobody has verified yet do not make a heap unsound.
bool isAboutHeap(const engine::Finding& finding) {
  return finding.kind != engine::FindingKind::MetadataMissing &&
         finding.kind != engine::FindingKind::ContractNotVerified;
}

void writeRemains(engine::JsonWriter& json, const char* name, const engine::Remains& remains) {
  json.key(name);
  json.beginObject();
  json.member("objects", remains.objects);
  json.member("references", remains.references);
  json.member("headers", remains.headers);
  json.endObject();
}

std::string remainsText(const engine::Remains& remains, const char* which) {
  return fmt::format("{} {}: {} to swept memory, {} with the sync block of another or of none. That is normal.\n",
                     engine::countOf(remains.objects, "object"), which,
                     engine::countOf(remains.references, "reference"), engine::countOf(remains.headers, "header"));
}

class VerifyVerb : public Verb {
 public:
  const char* name() const override { return "verify"; }
  const char* summary() const override { return "Check every object, reference, header, handle, static and layout"; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    HEAPSCAPE_TRY(const engine::HeapCheck check, checkWithProgress(snapshot, context.stop()));
    const bool isHealthy = check.findings.items().empty() && std::ranges::none_of(snapshot.findings(), isAboutHeap);
    std::vector<engine::Finding> findings = snapshot.findings();
    findings.insert(findings.end(), check.findings.items().begin(), check.findings.items().end());
    const std::vector<engine::BadObject> bad = engine::badObjects(snapshot, findings);
    const bool redact = context.options().redact;
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
      writeRemains(json, "dead", check.ofDead);
      writeRemains(json, "doubtful", check.ofDoubtful);
      json.member("findings", check.findings.items().size() + check.findings.leftOut());
      engine::writeBadObjects(json, bad, redact);
      json.endObject();
    };
    const auto writeText = [&](engine::Output& output) {
      output.write(fmt::format("Checked {}, {}, {}, {} and {}.\n", engine::countOf(check.objects, "object"),
                               engine::countOf(check.references, "reference"), engine::countOf(check.handles, "handle"),
                               engine::countOf(check.syncBlocks, "sync block"),
                               engine::countOf(check.statics, "static field")));
      output.write(engine::summaryOf(check.layouts) + '\n');
      if (check.ofDead.objects)
        output.write(remainsText(check.ofDead, "that nothing holds, as a background collection left them"));
      if (check.ofDoubtful.objects)
        output.write(remainsText(check.ofDoubtful, "that only words of stacks lead to, which may be dead as well"));
      if (isHealthy) output.write("All are sound.\n");
      const std::size_t limit = context.options().rowLimit();
      engine::writeFindingsText(output, snapshot.findings(), snapshot.findingsLeftOut(), limit);
      engine::writeFindingsText(output, check.findings.items(), check.findings.leftOut(), limit);
      engine::writeBadObjectsText(output, bad, redact);
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
