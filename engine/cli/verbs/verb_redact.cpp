// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <span>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/verb.h"
#include "output/text.h"
#include "redact/redacted_copy.h"

namespace heapscape::cli {
namespace {

using engine::Outcome;

void writeKept(engine::JsonWriter& json, const char* member, std::span<const engine::KeptBytes> kept) {
  json.key(member);
  json.beginArray();
  for (const engine::KeptBytes& one : kept) {
    json.beginObject();
    json.member("what", one.what);
    json.member("bytes", one.bytes);
    json.member("why", one.why);
    json.endObject();
  }
  json.endArray();
}

void writeKeptText(engine::Output& output, std::span<const engine::KeptBytes> kept) {
  for (const engine::KeptBytes& one : kept)
    output.write(fmt::format("  {:>10}  {:<18}{}\n", engine::sizeText(one.bytes), one.what, one.why));
}

class RedactVerb : public Verb {
 public:
  const char* name() const override { return "redact"; }
  const char* summary() const override { return "A copy of a dump that may be shared: without contents, much smaller"; }

  void addOptions(CLI::App& app) override {
    app.add_option("OUT", m_target, "Copy to write; packed if its name ends in .zst")->type_name("");
    app.add_flag("--check", m_isCheck, "Read a copy as bytes and tell what is left in it, and why");
    app.add_flag("--slim", m_options.isSlim, "Keep all contents; leave out only memory that nothing reads");
    app.add_flag("--round-lengths", m_roundsLengths,
                 "Round lengths of strings and arrays up to what their size allows");
    app.add_flag("--hash-strings", m_options.hashesStrings,
                 "Give equal strings equal characters that cannot be turned back");
    app.add_option("--rename", m_options.renamedNamespaces,
                   "Give types, members and assemblies of these namespaces other names")
        ->type_name("NAMESPACE")
        ->delimiter(',');
    app.add_flag("--keep-enums", m_options.keepsEnums, "Keep values of enums");
    app.add_flag("--keep-booleans", m_options.keepsBooleans, "Keep booleans");
    app.add_flag("--keep-counts", m_options.keepsCounts, "Keep what of collections is in use");
  }

  Outcome<void> run(Context& context) override {
    m_options.keepsLengths = !m_roundsLengths;
    m_isUsageWrong = m_isCheck == !m_target.empty();
    if (m_isUsageWrong) {
      return tl::unexpected(engine::Unfinished(
          {engine::ErrorCode::BadQuery, m_isCheck ? "--check writes no copy." : "There is no name for the copy.",
           "Give IN and OUT, or --check and a copy."}));
    }
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    return m_isCheck ? check(context, snapshot) : write(context, snapshot);
  }

  ExitStatus successStatus() const override { return m_isClean ? kDone : kBudgetExceeded; }
  ExitStatus failureStatus() const override { return m_isUsageWrong ? kWrongUsage : kInputUnusable; }

 private:
  Outcome<void> write(Context& context, const engine::Snapshot& snapshot) const {
    ProgressLine progress;
    HEAPSCAPE_TRY(const engine::RedactionReport report,
                  engine::writeRedacted(snapshot, m_target, m_options, &progress, context.stop()));
    return context.write(snapshot, {.json =
                                        [&](engine::JsonWriter& json) {
                                          json.key("redact");
                                          json.beginObject();
                                          json.member("file", m_target);
                                          json.member("dumpBytes", report.dumpBytes);
                                          json.member("copyBytes", report.copyBytes);
                                          json.member("fileBytes", report.fileBytes);
                                          json.key("choices");
                                          json.beginArray();
                                          for (const std::string& choice : report.choices) json.value(choice);
                                          json.endArray();
                                          writeKept(json, "kept", report.kept);
                                          json.key("removed");
                                          json.beginObject();
                                          for (const engine::RemovedBytes& one : report.removed)
                                            json.member(one.kind, one.bytes);
                                          json.endObject();
                                          json.endObject();
                                        },
                                    .text = [&](engine::Output& output) { writeText(output, report); }});
  }

  void writeText(engine::Output& output, const engine::RedactionReport& report) const {
    output.write(
        fmt::format("{}: {} of {}", m_target, engine::sizeText(report.copyBytes), engine::sizeText(report.dumpBytes)));
    output.write(
        report.fileBytes == report.copyBytes ? "\n" : fmt::format(", packed {}\n", engine::sizeText(report.fileBytes)));
    output.write("\nKept by choice:");
    for (std::size_t i = 0; i < report.choices.size(); ++i) output.write((i ? ", " : " ") + report.choices[i]);
    output.write("\n\nLeft in it, in bytes other than zero:\n");
    writeKeptText(output, report.kept);
    output.write("\nRemoved:\n");
    for (const engine::RemovedBytes& one : report.removed)
      output.write(fmt::format("  {:>10}  {}\n", engine::sizeText(one.bytes), one.kind));
  }

  Outcome<void> check(Context& context, const engine::Snapshot& snapshot) {
    ProgressLine progress;
    HEAPSCAPE_TRY(const engine::RedactionCheck check, engine::checkRedacted(snapshot, &progress, context.stop()));
    m_isClean = check.isClean();
    return context.write(
        snapshot, {.json =
                       [&](engine::JsonWriter& json) {
                         json.key("redact");
                         json.beginObject();
                         json.member("redaction", check.redaction);
                         json.member("clean", check.isClean());
                         writeKept(json, "kept", check.kept);
                         writeKept(json, "suspicious", check.suspicious);
                         json.endObject();
                       },
                   .text =
                       [&](engine::Output& output) {
                         output.write(check.redaction.empty() ? "The file does not say that it was redacted.\n"
                                                              : fmt::format("Redacted: {}\n", check.redaction));
                         output.write("\nLeft in it, in bytes other than zero:\n");
                         writeKeptText(output, check.kept);
                         output.write(check.isClean() ? "\nNothing else.\n" : "\nLeft though nothing needs it:\n");
                         writeKeptText(output, check.suspicious);
                       }});
  }

  std::string m_target;
  engine::RedactOptions m_options;
  bool m_isCheck = false;
  bool m_roundsLengths = false;
  bool m_isClean = true;
  bool m_isUsageWrong = false;
};

}  // namespace

std::unique_ptr<Verb> makeRedactVerb() {
  return std::make_unique<RedactVerb>();
}

}  // namespace heapscape::cli
