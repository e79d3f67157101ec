// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include <chrono>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/references/dominators_output.h"
#include "output/references/paths_output.h"
#include "output/references/retained_output.h"
#include "output/row_writers.h"
#include "session/dominators/collapsed_stacks.h"
#include "session/dominators/dominators_query.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/garbage_tree.h"
#include "session/open/retained_stage.h"
#include "session/references/paths_query.h"
#include "session/references/reference_query.h"
#include "session/snapshot/stage_clock.h"
#include "session/types/type_details.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::Outcome;
using engine::Snapshot;
using engine::StageClock;

class PathVerb : public Verb {
 public:
  const char* name() const override { return "path"; }
  const char* summary() const override { return "Why an object is alive: the shortest ways from the roots to it"; }

  void addOptions(CLI::App& app) override {
    auto* question = app.add_option_group("question");
    addOptionalAddressArgument(*question, m_address, "Address of an object, or inside it");
    auto* file = question->add_option("--addresses", m_addressFile, "All objects in FILE, an address a line");
    file->type_name("FILE");
    auto* type = question->add_option("--type", m_type, "All objects of a type, their shortest paths laid together");
    type->type_name("NAME");
    question->require_option(1);
    auto* to = app.add_option_function<std::string>(
        "--to", [this](const std::string& text) { parseTarget(text); },
        "Instead of from the roots: from ADDRESS on to this object");
    to->type_name("ADDRESS")->excludes(file)->excludes(type);
    m_cuts
        .addOptions(app, "The paths that would be left if this were released, as retained takes it; several together")
        ->excludes(to)
        ->excludes(type);
    addNumber(app, "--paths", m_options.paths, "At most so many, each from another object that roots refer to",
              {.least = 1});
    app.add_flag("--all-steps", m_allSteps, "All steps of a path, where it is very long, too");
    m_roots.addOptions(app);
  }

  Outcome<void> run(Context& context) override {
    engine::RetainedOptions options{.byType = false};
    HEAPSCAPE_TRY(options.roots, m_roots.read());
    HEAPSCAPE_TRY(const Snapshot snapshot, context.open(engine::Stage::Retained, options, HeapUse::Graph));
    if (m_allSteps) m_options.steps = SIZE_MAX;
    {
      const StageClock clock(m_timings, "reverse");
      HEAPSCAPE_CHECK(engine::prepareReferrers(snapshot, nullptr, context.stop()));
    }
    if (m_target) return runBetween(context, snapshot);
    {
      const StageClock clock(m_timings, "distances");
      HEAPSCAPE_CHECK(engine::preparePaths(snapshot, nullptr, context.stop()));
    }
    if (!m_type.empty()) return runMerged(context, snapshot);
    if (m_cuts.isAsked()) {
      const StageClock clock(m_timings, "cuts");
      HEAPSCAPE_TRY(m_whatIf, m_cuts.read(snapshot, context.stop()));
      m_options.without = &*m_whatIf;
    }
    return m_addressFile.empty() ? runOne(context, snapshot) : runAll(context, snapshot);
  }

 private:
  static constexpr std::size_t kMergedNodes = 200;

  void parseTarget(const std::string& text) {
    Address address;
    if (!engine::tryParseAddress(text, address)) throw CLI::ValidationError("--to", "'" + text + "' is no address");
    m_target = address;
  }

  static engine::Result<Address> objectAround(const Snapshot& snapshot, Address address) {
    const auto row = engine::objectAt(snapshot, address);
    if (!row) return tl::unexpected(noObjectAt(address));
    return row->address;
  }

  Outcome<engine::PathsAnswer> answer(Context& context, const Snapshot& snapshot, Address object) {
    const auto start = std::chrono::steady_clock::now();
    HEAPSCAPE_TRY(auto paths, engine::pathsToRoots(snapshot, object, m_options, nullptr, context.stop()));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return engine::PathsAnswer{object, std::move(paths), elapsed.count(), m_cuts.isAsked()};
  }

  Outcome<void> runOne(Context& context, const Snapshot& snapshot) {
    HEAPSCAPE_TRY(const Address object, objectAround(snapshot, *m_address));
    HEAPSCAPE_TRY(const engine::PathsAnswer paths, answer(context, snapshot, object));
    m_timings.push_back({"path", paths.seconds});
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot, {.json = [&](engine::JsonWriter& json) { engine::writePaths(json, snapshot, paths, rows); },
                   .text = [&](engine::Output& output) { engine::writePathsText(output, snapshot, paths, rows); },
                   .timings = m_timings});
  }

  Outcome<void> runAll(Context& context, const Snapshot& snapshot) {
    HEAPSCAPE_TRY(const std::vector<Address> addresses, readAddressFile(m_addressFile, "file of addresses"));
    std::vector<engine::PathsAnswer> answers;
    double seconds = 0;
    for (const Address address : addresses) {
      HEAPSCAPE_TRY(const Address object, objectAround(snapshot, address));
      HEAPSCAPE_TRY(engine::PathsAnswer one, answer(context, snapshot, object));
      seconds += one.seconds;
      answers.push_back(std::move(one));
    }
    m_timings.push_back({"path", seconds});
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writePathsOfAll(json, snapshot, answers, rows); },
         .text = [&](engine::Output& output) { engine::writePathsOfAllText(output, snapshot, answers, rows); },
         .timings = m_timings});
  }

  Outcome<void> runBetween(Context& context, const Snapshot& snapshot) {
    HEAPSCAPE_TRY(const Address from, objectAround(snapshot, *m_address));
    HEAPSCAPE_TRY(const Address to, objectAround(snapshot, *m_target));
    engine::ObjectPath path;
    {
      const StageClock clock(m_timings, "path");
      HEAPSCAPE_TRY(path, engine::pathBetween(snapshot, from, to, m_options.steps, nullptr, context.stop()));
    }
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot, {.json = [&](engine::JsonWriter& json) { engine::writePathBetween(json, snapshot, path, rows); },
                   .text = [&](engine::Output& output) { engine::writePathBetweenText(output, snapshot, path, rows); },
                   .timings = m_timings});
  }

  Outcome<void> runMerged(Context& context, const Snapshot& snapshot) {
    HEAPSCAPE_TRY(const Address methodTable, engine::findType(snapshot, m_type, context.stop()));
    const auto row = std::ranges::find(snapshot.types(), methodTable, &engine::TypeRow::methodTable);
    if (row == snapshot.types().end()) {
      return tl::unexpected(engine::Unfinished(engine::Error{engine::ErrorCode::NotFound,
                                                             "There is no object of the type " + m_type + ".",
                                                             "The list of types has those with objects."}));
    }
    const engine::TypeId type{static_cast<std::uint32_t>(row - snapshot.types().begin())};
    engine::MergedPaths merged;
    {
      const StageClock clock(m_timings, "path");
      const std::size_t nodes = context.options().top.value_or(kMergedNodes);
      HEAPSCAPE_TRY(merged, engine::mergedPathsOfType(snapshot, type, nodes, nullptr, context.stop()));
    }
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeMergedPaths(json, snapshot, type, merged, rows); },
         .text = [&](engine::Output& output) { engine::writeMergedPathsText(output, snapshot, type, merged, rows); },
         .timings = m_timings});
  }

  std::optional<Address> m_address;
  std::optional<Address> m_target;
  std::string m_addressFile;
  std::string m_type;
  bool m_allSteps = false;
  engine::PathOptions m_options;
  RootChoice m_roots;
  CutChoice m_cuts;
  std::optional<engine::WhatIf> m_whatIf;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makePathVerb() {
  return std::make_unique<PathVerb>();
}

namespace {

using EdgeForm = engine::EdgeRowWriter::Form;

class EdgesVerb : public Verb {
 public:
  const char* name() const override { return "edges"; }
  const char* summary() const override { return "Every reference between two objects, by address of the first"; }
  bool hasTsv() const override { return true; }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Graph));
    // Rows are written while they are read, what is wrong with them before that: References tells of damage, and takes
    // room that healthy dumps do not need.
    if (engine::hasDamagedEdge(snapshot, context.stop())) {
      HEAPSCAPE_TRY(snapshot, context.open(engine::Stage::References, {}, HeapUse::Graph));
    }
    const auto write = [&](engine::Output& output, EdgeForm form) {
      engine::EdgeRowWriter writer(output, form);
      writer.writeHeader();
      std::size_t left = context.options().rowLimit();
      if (left > 0) {
        engine::forEachEdge(
            snapshot,
            [&](const engine::Edge& edge) {
              writer.write(edge);
              return --left > 0 && !output.hasFailed();
            },
            context.stop());
      }
      writer.finish();
    };
    return context.write(snapshot, {.json =
                                        [&](engine::JsonWriter& json) {
                                          json.key("edges");
                                          json.beginArray();
                                          write(json.output(), EdgeForm::Json);
                                          json.endArray();
                                        },
                                    .tsv = [&](engine::Output& output) { write(output, EdgeForm::Tsv); },
                                    .text = [&](engine::Output& output) { write(output, EdgeForm::Text); }});
  }
};

}  // namespace

std::unique_ptr<Verb> makeEdgesVerb() {
  return std::make_unique<EdgesVerb>();
}

namespace {

constexpr const char* kGarbageHelp =
    "Of the objects that no root leads to, seen from those that nothing else refers to";

class RetainedVerb : public Verb {
 public:
  const char* name() const override { return "retained"; }
  const char* summary() const override { return "The objects or types that keep the most alive, exactly"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    m_roots.addOptions(app);
    app.add_flag("--by-type", m_byType, "Types instead of objects");
    app.add_flag("--garbage", m_isOfGarbage, kGarbageHelp);
    CLI::Option* without = m_cuts.addOptions(app,
                                             "What would be freed if this were released: \"0xFROM->0xTO\", "
                                             "\"root:NAME\", \"root:0xSLOT\", 0xOBJECT, \"type:NAME\" "
                                             "or \"set:FILE\" with an address a line; several together");
    m_set.addOptions(app, *without);
  }

  Outcome<void> run(Context& context) override {
    if (m_isOfGarbage && (m_set.isAsked() || m_cuts.isAsked())) {
      return tl::unexpected(engine::Unfinished(
          engine::Error{engine::ErrorCode::BadQuery, "--garbage is about all garbage, as it is.",
                        "Leave it out to ask for a set, or for what would be freed without something."}));
    }
    engine::RetainedOptions options{.byType = m_byType};
    HEAPSCAPE_TRY(options.roots, m_roots.read());
    HEAPSCAPE_TRY(engine::Snapshot snapshot, context.open(engine::Stage::Retained, options, HeapUse::Graph));
    if (m_isOfGarbage) {
      HEAPSCAPE_TRY(snapshot, engine::seenFromGarbage(snapshot, nullptr, context.stop()));
    }
    if (m_set.isAsked()) return runSet(context, snapshot);
    if (m_cuts.isAsked()) return runCuts(context, snapshot);
    const engine::RetainedList list =
        engine::largestRetained(snapshot, context.options().top.value_or(kObjectsUnlessAsked));
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeRetained(json, snapshot, list, rows); },
         .tsv = [&](engine::Output& output) { engine::writeRetainedTsv(output, snapshot, list, m_byType, rows); },
         .text = [&](engine::Output& output) { engine::writeRetainedText(output, snapshot, list, m_byType, rows); },
         .findings = list.findings});
  }

 private:
  static constexpr std::size_t kObjectsUnlessAsked = 1000;

  Outcome<void> runSet(Context& context, const engine::Snapshot& snapshot) const {
    HEAPSCAPE_TRY(const engine::RetainedSet set, m_set.measure(snapshot, context.stop()));
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeRetainedSet(json, snapshot, set); },
                          .tsv = [&](engine::Output& output) { engine::writeRetainedSetTsv(output, set); },
                          .text = [&](engine::Output& output) { engine::writeRetainedSetText(output, set); },
                          .findings = snapshot.roots().findings});
  }

  Outcome<void> runCuts(Context& context, const engine::Snapshot& snapshot) const {
    std::vector<engine::StageTiming> timings;
    std::optional<engine::WhatIf> whatIf;
    {
      const engine::StageClock clock(timings, "cuts");
      HEAPSCAPE_TRY(whatIf, m_cuts.read(snapshot, context.stop()));
    }
    engine::WhatIfAnswer answer{*whatIf, {}, {}};
    {
      const engine::StageClock clock(timings, "freed");
      answer.objects = whatIf->outermost(context.options().top.value_or(kObjectsUnlessAsked));
      HEAPSCAPE_TRY(answer.types, whatIf->types(context.stop()));
    }
    const engine::RowSelection rows = context.rowSelection();
    return context.write(
        snapshot, {.json = [&](engine::JsonWriter& json) { engine::writeWhatIf(json, answer, rows); },
                   .tsv = [&](engine::Output& output) { engine::writeWhatIfTsv(output, answer, m_byType, rows); },
                   .text = [&](engine::Output& output) { engine::writeWhatIfText(output, answer, m_byType, rows); },
                   .findings = snapshot.roots().findings,
                   .timings = timings});
  }

  RootChoice m_roots;
  SetChoice m_set;
  CutChoice m_cuts;
  bool m_byType = false;
  bool m_isOfGarbage = false;
};

}  // namespace

std::unique_ptr<Verb> makeRetainedVerb() {
  return std::make_unique<RetainedVerb>();
}

namespace {

using engine::DominatorGrouping;
using engine::DominatorNode;
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
    app.add_flag("--collapsed", m_isCollapsed, "As stacks of flame graph tools: a;b;c BYTES; by type by default");
    app.add_flag("--flat", m_isFlat, "Every reachable object with its immediate dominator, by address");
    app.add_flag("--garbage", m_isOfGarbage, kGarbageHelp);
    m_roots.addOptions(app);
  }

  Outcome<void> run(Context& context) override {
    if (m_isCollapsed && (m_isFlat || context.options().asJson || context.options().asTsv)) {
      return tl::unexpected(engine::Unfinished(engine::Error{
          engine::ErrorCode::BadQuery, "--collapsed is a form of its own.", "Leave out --flat, --json and --tsv."}));
    }
    engine::RetainedOptions options{.byType = false};
    HEAPSCAPE_TRY(options.roots, m_roots.read());
    HEAPSCAPE_TRY(engine::Snapshot snapshot, context.open(engine::Stage::Retained, options, HeapUse::Graph));
    if (m_isOfGarbage) {
      HEAPSCAPE_TRY(snapshot, engine::seenFromGarbage(snapshot, nullptr, context.stop()));
    }
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
      // The context reports what was stopped; nothing else can fail below a node that is there.
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
    const std::string object = "The object at " + toString(row->address);
    return tl::unexpected(engine::Unfinished(
        m_isOfGarbage
            ? engine::Error{engine::ErrorCode::NotFound, object + " is live.",
                            "Leave out --garbage to see what it dominates."}
            : engine::Error{
                  engine::ErrorCode::NotFound, object + " cannot be reached from any root.",
                  "If it is garbage, and not frozen, --garbage has it: the dominator tree of what no root leads to."}));
  }

  std::optional<engine::Address> m_address;
  std::optional<DominatorGrouping> m_grouping;
  engine::DominatorOutlineOptions m_outline;
  std::optional<std::uint32_t> m_depth;
  bool m_isFlat = false;
  bool m_isOfGarbage = false;
  bool m_isCollapsed = false;
  RootChoice m_roots;
};

}  // namespace

std::unique_ptr<Verb> makeDominatorsVerb() {
  return std::make_unique<DominatorsVerb>();
}

}  // namespace heapscape::cli
