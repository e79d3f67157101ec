// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "cli/context.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "lists/budgets.h"
#include "output/insights/budgets_output.h"
#include "review/whole_file.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {

namespace {

using engine::Budget;
using engine::BudgetResult;
using engine::Outcome;
using engine::Snapshot;

constexpr std::size_t kLargestFile = 4 << 20;

class CheckVerb : public Verb {
 public:
  const char* name() const override { return "check"; }
  const char* summary() const override { return "Whether a dump keeps its budgets, for use in CI: status 3 if not"; }

  void addOptions(CLI::App& app) override {
    app.add_option("budgets", m_file, "What is allowed, see resources/manual/budgets.md")
        ->required()
        ->type_name("BUDGETS.json");
    app.add_option("--against", m_against, "Another dump that growth is measured from")->type_name("FILE");
  }

  Outcome<void> run(Context& context) override {
    m_failure = kWrongUsage;
    HEAPSCAPE_TRY(const std::string text, engine::readWholeFile(m_file, kLargestFile));
    HEAPSCAPE_TRY(std::vector<Budget> budgets, engine::parseBudgets(text));
    m_failure = kInputUnusable;
    engine::RetainedOptions retained;
    retained.byType = engine::needRetainedByType(budgets);
    HEAPSCAPE_TRY(const Snapshot snapshot, context.open(engine::Stage::Retained, retained));
    HEAPSCAPE_TRY(const auto others, openOthers(context, budgets));
    m_failure = kWrongUsage;
    std::vector<engine::StageTiming> timings;
    HEAPSCAPE_TRY(const std::vector<BudgetResult> results, check(context, snapshot, budgets, others, timings));
    m_isExceeded =
        std::any_of(results.begin(), results.end(), [](const BudgetResult& result) { return !result.isKept; });
    std::vector<const Snapshot*> dumps{&snapshot};
    for (const auto& [path, other] : others) dumps.push_back(&other);
    const engine::InputFacts facts = engine::factsOf(dumps);
    return context.write(
        facts, {.json = [&](engine::JsonWriter& json) { engine::writeBudgets(json, results); },
                .text = [&](engine::Output& output) { engine::writeBudgetsText(output, results, facts.isComplete); },
                .timings = timings});
  }

  ExitStatus failureStatus() const override { return m_failure; }
  ExitStatus successStatus() const override { return m_isExceeded ? kBudgetExceeded : kDone; }

 private:
  /// The dumps that budgets compare with, each opened once. Their paths count from the file of budgets.
  Outcome<std::map<std::string, Snapshot>> openOthers(Context& context, const std::vector<Budget>& budgets) const {
    std::map<std::string, Snapshot> others;
    for (const Budget& budget : budgets) {
      if (!budget.comparesDumps() || others.contains(budget.against)) continue;
      const std::filesystem::path path = budget.against.empty()
                                             ? std::filesystem::path(m_against)
                                             : std::filesystem::path(m_file).parent_path() / budget.against;
      if (path.empty()) continue;
      HEAPSCAPE_TRY(Snapshot other, context.openOneOf(path.string(), engine::Stage::Retained));
      others.emplace(budget.against, std::move(other));
    }
    return others;
  }

  static Outcome<std::vector<BudgetResult>> check(Context& context, const Snapshot& snapshot,
                                                  const std::vector<Budget>& budgets,
                                                  const std::map<std::string, Snapshot>& others,
                                                  std::vector<engine::StageTiming>& timings) {
    const engine::StageClock clock(timings, "budgets");
    ProgressLine progress;
    return engine::checkBudgets(snapshot, budgets, others, &progress, context.stop());
  }

  std::string m_file;
  std::string m_against;
  ExitStatus m_failure = kInputUnusable;
  bool m_isExceeded = false;
};

}  // namespace

std::unique_ptr<Verb> makeCheckVerb() {
  return std::make_unique<CheckVerb>();
}

}  // namespace heapscape::cli
