// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/layout_request.h"
#include "cli/verb.h"
#include "metadata/names/type_name.h"
#include "output/layouts/layout_reports.h"
#include "output/table_output.h"
#include "output/text.h"
#include "output/types/type_output.h"
#include "session/layouts/declared_layouts.h"
#include "session/layouts/layout_check.h"
#include "session/layouts/layout_comparison.h"
#include "session/layouts/waste_query.h"
#include "session/snapshot/stage_clock.h"
#include "session/types/type_parts.h"
#include "tables/waste_tables.h"

namespace heapscape::cli {
namespace {

/// Keeps the methods whose name holds the text, and the instantiation at that MethodDesc.
void keepMethods(engine::TypeDetails& type, const std::string& text) {
  engine::Address methodDesc;
  const bool isAddress = engine::tryParseAddress(text, methodDesc);
  const auto isOther = [&](const auto& method) {
    return method.name.find(text) == std::string::npos && !(isAddress && method.methodDesc == methodDesc);
  };
  // Leaves only those instantiations of a generic method that are meant, if it is not itself.
  const auto isOtherMethod = [&](engine::TypeMethod& method) {
    if (!isOther(method)) return false;
    std::erase_if(method.instantiations, isOther);
    return method.instantiations.empty();
  };
  std::erase_if(type.methods, isOtherMethod);
  std::erase_if(type.methodLookups, isOther);
}

class TypeVerb : public Verb {
 public:
  const char* name() const override { return "type"; }
  const char* summary() const override { return "Everything about one type: fields, statics, methods and their code"; }

  void addOptions(CLI::App& app) override {
    app.add_option("TYPE", m_type, "Name as C# or the runtime writes it, a part of it, or a method table")->required();
    addAddressOption(app, "--object", m_object, "What the fields of this object hold, which is of the type");
    app.add_option("--method", m_method, "Only methods whose name holds the text, or the one at this MethodDesc")
        ->type_name("TEXT");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    HEAPSCAPE_TRY(const engine::Address methodTable, engine::findType(snapshot, m_type, context.stop()));
    HEAPSCAPE_TRY(engine::TypeDetails type, engine::typeDetails(snapshot, methodTable, m_object));
    if (!m_method.empty()) keepMethods(type, m_method);
    engine::StaticsFilter filter;
    filter.methodTable = methodTable;
    HEAPSCAPE_TRY(const engine::StaticList statics, engine::listStatics(snapshot, filter, context.stop()));
    engine::addStaticValues(type, statics);
    engine::FindingList findings = statics.findings;
    for (const engine::Finding& finding : type.findings) findings.add(finding.kind, finding.address, finding.message);
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeType(json, type, statics, rows); },
                          .text = [&](engine::Output& output) { engine::writeTypeText(output, type, statics, rows); },
                          .findings = findings});
  }

 private:
  std::string m_type, m_method;
  engine::Address m_object;
};

}  // namespace

std::unique_ptr<Verb> makeTypeVerb() {
  return std::make_unique<TypeVerb>();
}

namespace {

using engine::DeclaredLayouts;
using engine::LayoutQuestion;
using engine::Outcome;
using engine::RuleSet;

constexpr std::array kRuleSets{RuleSet::Actual,     RuleSet::Declared, RuleSet::Auto,
                               RuleSet::Sequential, RuleSet::Best,     RuleSet::Classic};
const std::vector<std::string> kRuleSetWords{"actual", "declared", "auto", "sequential", "best", "classic"};
const std::string kRuleSetNames = fmt::format("{}", fmt::join(kRuleSetWords, ", "));
constexpr NumberRange<std::uint32_t> kRuntimes{.least = 8, .most = 11};

/// Nothing if one of the names between the commas is no rule set.
std::optional<std::vector<RuleSet>> parseRules(const std::string& text) {
  std::vector<RuleSet> rules;
  for (const std::string& name : CLI::detail::split(text, ',')) {
    const auto found = std::ranges::find_if(kRuleSets, [&](RuleSet set) { return name == toString(set); });
    if (found == kRuleSets.end()) return std::nullopt;
    rules.push_back(*found);
  }
  return rules;
}

std::string checkPack(const std::string& text) {
  const auto pack = engine::numberFrom<std::uint32_t>(text);
  return pack && std::has_single_bit(*pack) && *pack <= 128 ? std::string()
                                                            : "'" + text + "' is none of 1, 2, 4, 8, 16, 32, 64, 128";
}

std::string checkRules(const std::string& text) {
  return parseRules(text) ? std::string() : "'" + text + "' is none of " + kRuleSetNames;
}

/// "all", "none" or a number of levels; false if it is none of these.
bool parseNested(const std::string& text, std::optional<std::size_t>& levels) {
  levels.reset();
  if (text == "all") return true;
  levels = text == "none" ? 0 : engine::numberFrom<std::size_t>(text);
  return levels.has_value();
}

std::string checkNested(const std::string& text) {
  std::optional<std::size_t> levels;
  return parseNested(text, levels) ? std::string() : "'" + text + "' is none of all, none and a number of levels";
}

void writeAnswers(engine::JsonWriter& json, const LayoutAnswers& answers) {
  json.key("layouts");
  json.beginRows();
  for (const engine::LayoutAnswer& answer : answers.answers) engine::writeLayoutAnswer(json, answer);
  json.endArray();
  if (!answers.notFound.empty()) {
    json.key("notFound");
    json.beginArray();
    for (const std::string& name : answers.notFound) json.value(name);
    json.endArray();
  }
  if (answers.failed.empty()) return;
  json.key("failed");
  json.beginRows();
  for (const LayoutAnswers::Failure& failure : answers.failed) {
    json.beginObject();
    json.member("type", engine::metadataTypeName(failure.type));
    json.member("why", failure.why);
    json.endObject();
  }
  json.endArray();
}

void writeAnswers(engine::Output& output, const LayoutAnswers& answers) {
  for (const engine::LayoutAnswer& answer : answers.answers) {
    if (output.hasFailed()) return;
    if (&answer != &answers.answers.front()) output.write('\n');
    engine::writeLayoutAnswer(output, answer);
  }
  for (const std::string& name : answers.notFound) output.write("Not found: " + engine::printable(name) + '\n');
  for (const LayoutAnswers::Failure& failure : answers.failed)
    output.write("Not laid out: " + engine::printable(failure.type) + ": " + engine::printable(failure.why) + '\n');
}

class LayoutVerb : public Verb {
 public:
  const char* name() const override { return "layout"; }
  const char* summary() const override {
    return "How types of a dump or an assembly lie in memory: fields and padding";
  }
  void addOptions(CLI::App& app) override;
  Outcome<void> run(Context& context) override;

 private:
  void addRuleOptions(CLI::App& app);
  void addComparisonOptions(CLI::App& app);
  void settleSideBySide();
  engine::Stage stage() const;

  Outcome<void> writeLayouts(Context& context, LayoutInput& input);
  Outcome<void> writeCheck(Context& context, LayoutInput& input);
  Outcome<void> writeComparison(Context& context, LayoutInput& input);

  LayoutRequest m_request;
  std::string m_rules;
  std::string m_nested = "all";
  std::string m_sideBySideRules;
  std::string m_against;
  std::optional<std::uint32_t> m_againstRuntime;
  bool m_check = false;
};

void LayoutVerb::addOptions(CLI::App& app) {
  app.get_option("INPUT")->description(
      "Core dump of a .NET process, plain or in .zst, .gz, .xz, .lz4 or .tar, or an assembly file");
  app.get_option("--search")
      ->description("Look here for assemblies that the input references: a folder, an assembly, a core dump")
      ->type_name("PLACE");
  CLI::Option* type = app.add_option("TYPE", m_request.type,
                                     "Full name, with any type arguments, or method table; without it all types of the "
                                     "assembly, or all on the heap, the largest first");
  CLI::Option* all =
      app.add_flag("--all", m_request.all, "All types that are loaded, on the heap or not")->excludes(type);
  app.add_option("--types", m_request.typesFile, "Types named in FILE, one a line")
      ->type_name("FILE")
      ->excludes(type, all);
  addRuleOptions(app);
  addComparisonOptions(app);
}

void LayoutVerb::addRuleOptions(CLI::App& app) {
  CLI::Option* rules = app.add_option("--rules", m_rules,
                                      "By which rules, several with commas: " + kRuleSetNames +
                                          "; otherwise actual for a dump, declared for an assembly")
                           ->type_name("RULES")
                           ->check(CLI::Validator(checkRules, ""));
  nameChoices(*rules, kRuleSetWords);
  addNumber(app, "--runtime", m_request.runtimeMajor, "By the rules of .NET 8, 9, 10 or 11", kRuntimes);
  addNumber(app, "--pack", m_request.pack, "As if the type declared this Pack: 1, 2, 4 … 128")->check(checkPack);
  const CLI::Option* sideBySide = app.add_option("--side-by-side", m_sideBySideRules,
                                                 "Draw several next to each other: those rules, or all that differ")
                                      ->type_name("RULES")
                                      ->expected(0, 1);
  // Options are gone once the command line was read.
  app.parse_complete_callback([this, sideBySide] { m_request.sideBySide = sideBySide->count() > 0; });
  CLI::Option* nested = app.add_option("--nested", m_nested,
                                       "How deep value types inside are opened: all, none, or a number of levels; "
                                       "sums of padding say what is own and what is nested either way")
                            ->type_name("DEPTH")
                            ->check(CLI::Validator(checkNested, ""));
  nameChoices(*nested, {"all", "none"});
  app.add_flag("--why", m_request.why, "Say for each field why it is there");
  app.add_flag("--best", m_request.best, "Add the best declaration, and what else would help");
}

void LayoutVerb::addComparisonOptions(CLI::App& app) {
  CLI::Option* against =
      app.add_option("--against", m_against, "Compare all types with those of another dump or assembly")
          ->type_name("FILE");
  CLI::Option* againstRuntime = addNumber(app, "--against-runtime", m_againstRuntime,
                                          "Compare all types with the rules of another .NET: 8, 9, 10, 11", kRuntimes)
                                    ->excludes(against);
  app.add_flag("--check", m_check, "Compare what the runtime of a dump did with what its rules give")
      ->excludes(against, againstRuntime);
}

/// Its value may be left out, and then the word behind it is the type.
void LayoutVerb::settleSideBySide() {
  if (!m_rules.empty()) m_request.rules = *parseRules(m_rules);
  if (m_sideBySideRules.empty()) return;
  if (auto rules = parseRules(m_sideBySideRules)) {
    m_request.rules = std::move(*rules);
  } else if (m_request.type.empty()) {
    m_request.type = m_sideBySideRules;
  }
}

engine::Stage LayoutVerb::stage() const {
  const bool comparesFiles = !m_against.empty() || m_againstRuntime;
  // What a declaration saves depends on the objects that there are.
  const bool isAboutHeap =
      m_check ? !m_request.all : !comparesFiles && (m_request.best || (!m_request.all && !m_request.namesTypes()));
  return isAboutHeap ? engine::Stage::Objects : engine::Stage::Segments;
}

Outcome<void> LayoutVerb::run(Context& context) {
  settleSideBySide();
  parseNested(m_nested, m_request.nestedLevels);
  HEAPSCAPE_TRY(LayoutInput input,
                LayoutInput::open(context, context.options().input, stage(), m_request.runtimeMajor));
  if (m_check) return writeCheck(context, input);
  if (!m_against.empty() || m_againstRuntime) return writeComparison(context, input);
  return writeLayouts(context, input);
}

Outcome<void> LayoutVerb::writeLayouts(Context& context, LayoutInput& input) {
  std::vector<engine::StageTiming> timings;
  const auto lay = [&] {
    const engine::StageClock clock(timings, "layouts");
    return answerLayouts(context, input, m_request);
  };
  auto answers = lay();
  // Some types are known by their objects alone: those of assemblies that can be unloaded, and what methods save.
  const bool isWithoutObjects = input.isDump() && !input.dump().has(engine::Stage::Objects);
  const bool lacksTypes =
      answers ? !answers->notFound.empty()
              : !answers.error().isCancelled() && answers.error().error().code == engine::ErrorCode::NotFound;
  if (isWithoutObjects && lacksTypes) {
    HEAPSCAPE_TRY(input,
                  LayoutInput::open(context, context.options().input, engine::Stage::Objects, m_request.runtimeMajor));
    answers = lay();
  }
  if (!answers) return tl::unexpected(answers.error());
  const auto framework = input.framework();
  const auto writeJson = [&](engine::JsonWriter& json) {
    if (framework) engine::writeFramework(json, *framework, input.rulesOf());
    writeAnswers(json, *answers);
  };
  const auto writeText = [&](engine::Output& output) {
    writeAnswers(output, *answers);
    if (framework && !output.hasFailed()) engine::writeFramework(output, *framework, input.rulesOf());
  };
  return context.write(
      input.facts(),
      {.json = writeJson, .text = writeText, .findings = answers->findings, .timings = std::move(timings)});
}

Outcome<void> LayoutVerb::writeCheck(Context& context, LayoutInput& input) {
  if (!input.isDump()) {
    return tl::unexpected(engine::Unfinished(engine::Error{
        engine::ErrorCode::BadQuery, "An assembly has not been run, so there is nothing to check its layouts with.",
        "Give a core dump."}));
  }
  HEAPSCAPE_TRY(const DeclaredLayouts layouts, input.layouts());
  std::vector<engine::StageTiming> timings;
  const auto compare = [&] {
    const engine::StageClock clock(timings, "layouts");
    return engine::checkLayouts(input.dump(), layouts, m_request.all, context.stop());
  };
  HEAPSCAPE_TRY(const engine::LayoutCheck check, compare());
  engine::FindingList findings;
  engine::addFindings(check, findings);
  const std::size_t limit = context.options().rowLimit();
  return context.write(input.facts(),
                       {.json = [&](engine::JsonWriter& json) { engine::writeLayoutCheck(json, "check", check); },
                        .text = [&](engine::Output& output) { engine::writeLayoutCheck(output, check, limit); },
                        .findings = findings,
                        .timings = std::move(timings)});
}

Outcome<void> LayoutVerb::writeComparison(Context& context, LayoutInput& input) {
  LayoutQuestion before{.runtimeMajor = m_request.runtimeMajor};
  LayoutQuestion after{.runtimeMajor = m_againstRuntime};
  HEAPSCAPE_TRY(const DeclaredLayouts layouts, input.layouts());
  std::optional<LayoutInput> other;
  if (!m_against.empty()) {
    HEAPSCAPE_TRY(other, LayoutInput::open(context, m_against, engine::Stage::Segments, m_request.runtimeMajor));
    const bool areDumps = input.isDump() && other->isDump() && !m_request.runtimeMajor;
    const RuleSet rules = !m_request.rules.empty() ? m_request.rules.front()
                          : areDumps               ? RuleSet::Actual
                                                   : RuleSet::Declared;
    before.rules = after.rules = rules;
    after.runtimeMajor = m_request.runtimeMajor;
  }
  HEAPSCAPE_TRY(const DeclaredLayouts otherLayouts, other ? other->layouts() : input.layouts());
  HEAPSCAPE_TRY(const engine::LayoutComparison comparison,
                engine::compareLayouts(layouts, before, otherLayouts, after, context.stop()));
  const std::size_t limit = context.options().rowLimit();
  return context.write(
      input.facts(),
      {.json = [&](engine::JsonWriter& json) { engine::writeLayoutComparison(json, comparison, limit); },
       .text = [&](engine::Output& output) { engine::writeLayoutComparison(output, comparison, limit); }});
}

}  // namespace

std::unique_ptr<Verb> makeLayoutVerb() {
  return std::make_unique<LayoutVerb>();
}

namespace {

using engine::WasteGrouping;
using engine::WasteRow;

class WasteVerb : public Verb {
 public:
  const char* name() const override { return "waste"; }
  const char* summary() const override { return "What the layouts of types cost, and what better ones would save"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("--by", m_by, "Groups: namespace or assembly")->check(CLI::IsMember({"namespace", "assembly"}));
    app.add_option("--assembly", m_assembly, "Only types of this assembly, with or without .dll")->type_name("NAME");
    app.add_flag("--own", m_own, "Without types of the framework");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Layouts, {}, HeapUse::Fields));
    HEAPSCAPE_TRY(engine::Waste waste, measure(snapshot, context.stop()));
    std::erase_if(waste.rows, [this](const WasteRow& row) { return !isAskedFor(row); });
    const engine::RowSelection rows = context.rowSelection();
    const std::optional<WasteGrouping> by = grouping();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeWaste(json, waste, by, rows); },
                          .tsv =
                              [&](engine::Output& output) {
                                engine::writeTableTsv(output, engine::wasteTable().over(waste.rows), rows);
                              },
                          .text = [&](engine::Output& output) { engine::writeWasteText(output, waste, by, rows); },
                          .timings = m_timings});
  }

 private:
  engine::Outcome<engine::Waste> measure(const engine::Snapshot& snapshot, const std::stop_token& stop) {
    const engine::StageClock clock(m_timings, "waste");
    HEAPSCAPE_TRY(const engine::DeclaredLayouts layouts, engine::DeclaredLayouts::ofDump(snapshot));
    return engine::wasteOf(snapshot, layouts, nullptr, stop);
  }

  bool isAskedFor(const WasteRow& row) const {
    if (m_own && row.owner == engine::CodeOwner::Framework) return false;
    return m_assembly.empty() || row.assembly == m_assembly || row.assembly == m_assembly + ".dll";
  }

  std::optional<WasteGrouping> grouping() const {
    if (m_by.empty()) return std::nullopt;
    return m_by == "assembly" ? WasteGrouping::Assembly : WasteGrouping::Namespace;
  }

  std::string m_by;
  std::string m_assembly;
  bool m_own = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeWasteVerb() {
  return std::make_unique<WasteVerb>();
}

}  // namespace heapscape::cli
