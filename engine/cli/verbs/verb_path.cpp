// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <chrono>

#include "cli/address_argument.h"
#include "cli/address_file.h"
#include "cli/context.h"
#include "cli/cut_choice.h"
#include "cli/number_option.h"
#include "cli/root_choice.h"
#include "cli/verb.h"
#include "output/references/paths_output.h"
#include "session/objects/object_query.h"
#include "session/references/paths_query.h"
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
    m_cuts.addOptions(app, "The ways that would be left if this let go, as retained takes it; several together")
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
    HEAPSCAPE_TRY(const Snapshot snapshot, context.open(engine::Stage::Retained, options));
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
                                                             "heapscape-cli types INPUT lists those with objects."}));
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

}  // namespace heapscape::cli
