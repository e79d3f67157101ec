// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/address_argument.h"
#include "cli/choice_option.h"
#include "cli/context.h"
#include "cli/number_option.h"
#include "cli/root_choice.h"
#include "cli/verb.h"
#include "output/references/dominated_rows.h"
#include "output/references/dominators_output.h"
#include "session/dominators/collapsed_stacks.h"
#include "session/dominators/dominators_query.h"
#include "session/objects/object_query.h"

namespace heapscape::cli {

namespace {

using engine::DominatorGrouping;
using engine::DominatorNode;
using engine::Outcome;
using DominatedForm = engine::DominatedRowWriter::Form;

class DominatorsVerb : public Verb {
 public:
  const char* name() const override { return "dominators"; }
  const char* summary() const override { return "Who keeps what alive alone: the dominator tree, from the roots down"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    addOptionalAddressArgument(app, m_address, "Only what this object dominates");
    addChoice(app, "--by", m_grouping,
              std::array{DominatorGrouping::Object, DominatorGrouping::Type, DominatorGrouping::Namespace},
              "How siblings are put together");
    addNumber(app, "--depth", m_depth, "Levels below the top", {.most = kDeepest})
        ->default_str(std::to_string(m_outline.depth));
    app.add_flag("--collapsed", m_isCollapsed, "As stacks of flame graph tools: a;b;c BYTES; by type if not told how");
    app.add_flag("--flat", m_isFlat, "Every reachable object with its immediate dominator, by address");
    m_roots.addOptions(app);
  }

  Outcome<void> run(Context& context) override {
    if (m_isCollapsed && (m_isFlat || context.options().asJson || context.options().asTsv)) {
      return tl::unexpected(engine::Unfinished(engine::Error{
          engine::ErrorCode::BadQuery, "--collapsed is a form of its own.", "Leave out --flat, --json and --tsv."}));
    }
    engine::RetainedOptions options{.byType = false};
    HEAPSCAPE_TRY(options.roots, m_roots.read());
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Retained, options));
    if (m_isCollapsed) return writeCollapsed(context, snapshot);
    return m_isFlat || context.options().asTsv ? writeFlat(context, snapshot) : writeTree(context, snapshot);
  }

 private:
  static constexpr std::uint32_t kDeepest = 1000;
  // As much as flame graph tools can show.
  static constexpr std::uint32_t kDeepestFrame = 100;
  static constexpr std::size_t kMostFrames = 50'000;
  static constexpr double kSmallestFrame = 0.00001;

  Outcome<void> writeFlat(Context& context, const engine::Snapshot& snapshot) const {
    const auto write = [&](engine::Output& output, DominatedForm form) {
      engine::DominatedRowWriter writer(output, form);
      writer.writeHeader();
      std::size_t left = context.options().rowLimit();
      const auto visit = [&](const engine::DominatedObject& row) {
        if (left == 0) return false;
        --left;
        writer.write(row);
        return !output.hasFailed();
      };
      engine::forEachDominated(snapshot, visit, context.stop());
      writer.finish();
    };
    const auto writeJson = [&](engine::JsonWriter& json) {
      json.key("dominators");
      json.beginArray();
      write(json.output(), DominatedForm::Json);
      json.endArray();
    };
    return context.write(snapshot, {.json = writeJson,
                                    .tsv = [&](engine::Output& output) { write(output, DominatedForm::Tsv); },
                                    .text = [&](engine::Output& output) { write(output, DominatedForm::Text); }});
  }

  Outcome<void> writeCollapsed(Context& context, const engine::Snapshot& snapshot) const {
    const DominatorGrouping grouping = m_grouping.value_or(DominatorGrouping::Type);
    HEAPSCAPE_TRY(const DominatorNode top, topOf(snapshot, grouping, context.stop()));
    const engine::DominatorPictureOptions options{.top = top.node,
                                                  .smallestShare = kSmallestFrame,
                                                  .depth = m_depth.value_or(kDeepestFrame),
                                                  .shapes = kMostFrames};
    HEAPSCAPE_TRY(const auto shapes, engine::dominatorPicture(snapshot, grouping, options, context.stop()));
    const auto write = [&](engine::Output& output) {
      engine::forEachCollapsedStack(shapes, context.options().redact,
                                    [&](std::string_view frames, std::uint64_t bytes) {
                                      output.write(frames);
                                      output.write(' ');
                                      output.writeNumber(bytes);
                                      output.write('\n');
                                      return !output.hasFailed();
                                    });
    };
    return context.write(snapshot, {.json = {}, .text = write});  // never asked for as JSON
  }

  Outcome<void> writeTree(Context& context, const engine::Snapshot& snapshot) {
    HEAPSCAPE_TRY(const DominatorNode top, topOf(snapshot, grouping(), context.stop()));
    m_outline.top = context.options().top.value_or(m_outline.top);
    m_outline.depth = m_depth.value_or(m_outline.depth);
    const bool isRedacted = context.options().redact;
    const auto writeRows = [&](auto& writer, engine::Output& output) {
      const auto visit = [&](const engine::DominatorOutlineRow& row) {
        writer.write(row);
        return !output.hasFailed();
      };
      // What was stopped is told by the context; nothing else can fail below a node that is there.
      const auto written = engine::outlineDominators(snapshot, grouping(), top, m_outline, visit, context.stop());
      static_cast<void>(written);
      writer.finish();
    };
    const auto writeJson = [&](engine::JsonWriter& json) {
      engine::DominatorJsonWriter writer(json, snapshot, isRedacted);
      writeRows(writer, json.output());
    };
    const auto writeText = [&](engine::Output& output) {
      engine::DominatorTextWriter writer(output, isRedacted);
      writeRows(writer, output);
    };
    return context.write(snapshot, {.json = writeJson, .text = writeText});
  }

  DominatorGrouping grouping() const { return m_grouping.value_or(DominatorGrouping::Object); }

  Outcome<DominatorNode> topOf(const engine::Snapshot& snapshot, DominatorGrouping grouping,
                               std::stop_token stop) const {
    if (!m_address) return engine::wholeOf(snapshot, grouping, stop);
    const auto row = engine::objectAt(snapshot, *m_address);
    if (!row) return tl::unexpected(engine::Unfinished(noObjectAt(*m_address)));
    HEAPSCAPE_TRY(const auto node, engine::dominatorNodeOf(snapshot, grouping, row->address, stop));
    if (node) return *node;
    return tl::unexpected(engine::Unfinished(engine::Error{
        engine::ErrorCode::NotFound, "The object at " + toString(row->address) + " cannot be reached from any root.",
        "What holds nothing alive is not in the dominator tree."}));
  }

  std::optional<engine::Address> m_address;
  std::optional<DominatorGrouping> m_grouping;
  engine::DominatorOutlineOptions m_outline;
  std::optional<std::uint32_t> m_depth;
  bool m_isFlat = false;
  bool m_isCollapsed = false;
  RootChoice m_roots;
};

}  // namespace

std::unique_ptr<Verb> makeDominatorsVerb() {
  return std::make_unique<DominatorsVerb>();
}

}  // namespace heapscape::cli
