// SPDX-License-Identifier: MIT
#include "cli/layout_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/address.h"
#include "base/ascii.h"
#include "layout/advice/layout_difference.h"
#include "layout/closed_values.h"
#include "metadata/names/parsed_type_name.h"
#include "metadata/names/type_name.h"
#include "session/layouts/layout_query.h"
#include "session/open/open_assembly.h"
#include "session/snapshot/stage_clock.h"
#include "session/types/type_query.h"

namespace heapscape::cli {

using engine::DeclaredLayouts;
using engine::Outcome;

Outcome<LayoutInput> LayoutInput::open(Context& context, const std::string& path, engine::Stage stage,
                                       std::optional<std::uint32_t> runtimeMajor) {
  LayoutInput input;
  const engine::AssemblyOptions options{.search = context.options().searchFolders, .runtimeMajor = runtimeMajor};
  if (!engine::looksLikeAssembly(path)) {
    HEAPSCAPE_TRY(input.m_dump, context.open(path, stage));
    return input;
  }
  const auto read = [&] {
    const engine::StageClock clock(input.m_timings, "read");
    return engine::openAssemblyFile(path, options, context.stop());
  };
  HEAPSCAPE_TRY(input.m_layouts, read());
  return input;
}

engine::Result<DeclaredLayouts> LayoutInput::layouts() {
  if (!m_layouts) {
    HEAPSCAPE_TRY(m_layouts, DeclaredLayouts::ofDump(*m_dump));
  }
  return *m_layouts;
}

engine::InputFacts LayoutInput::facts() const {
  if (m_dump) return engine::factsOf(*m_dump);
  engine::InputFacts facts;
  facts.timings = m_timings;
  std::string names;
  engine::FindingList findings;
  for (const engine::MissingAssembly& missing : m_layouts->missing()) {
    names += (names.empty() ? "" : ", ") + missing.assembly;
    const std::string reason = missing.neededBy.empty() ? std::string() : ", which " + missing.neededBy + " needs";
    findings.add(engine::FindingKind::MetadataMissing, {},
                 fmt::format("The assembly {}{}, was not read: {}", missing.assembly, reason, missing.why));
  }
  if (const auto read = framework(); read && read->isAnother) {
    facts.isComplete = false;
    findings.add(
        engine::FindingKind::MetadataMissing, {},
        fmt::format("No framework of .NET {0} was found: the rules of .NET {0} are applied to types as .NET {1}, "
                    "in {2}, declares them.",
                    rulesOf(), read->version, read->path));
  }
  facts.findings = findings.items();
  facts.findingsLeftOut = findings.leftOut();
  facts.isComplete = facts.isComplete && names.empty();
  if (!names.empty())
    facts.note = fmt::format("these assemblies are missing: {}. Name their folder with --search.", names);
  if (const auto read = framework(); read && read->isAnother) {
    facts.note += fmt::format("{}the framework is {}, no other was found. Name the folder of .NET {} with --search.",
                              facts.note.empty() ? "" : " ", read->version, rulesOf());
  }
  return facts;
}

namespace {

/// The loaded types that these names mean.
struct NamedTypes {
  std::vector<engine::Address> methodTables;  // in the order of the names; a name that several types bear gives all
  std::vector<std::string> notFound;
};

constexpr std::size_t kSuggestions = 3;

/// The addresses that a text names by number, all types of that method table being one.
bool isMethodTable(const std::string& text, engine::Address& address) {
  return text.starts_with("0x") && engine::tryParseAddress(text, address);
}

/// Looks up full names, in the dump's form or in metadata's, and addresses of method tables.
NamedTypes findTypes(const std::vector<engine::LoadedType>& loaded, const std::vector<std::string>& names) {
  std::unordered_multimap<std::string, std::size_t> byName;
  for (std::size_t i = 0; i < loaded.size(); ++i) byName.emplace(engine::metadataTypeName(loaded[i].name), i);
  NamedTypes found;
  for (const std::string& name : names) {
    engine::Address address;
    if (isMethodTable(name, address)) {
      found.methodTables.push_back(address);
      continue;
    }
    std::vector<std::size_t> matches;
    const auto [first, last] = byName.equal_range(engine::metadataTypeName(name));
    for (auto match = first; match != last; ++match) matches.push_back(match->second);
    if (matches.empty()) {
      const engine::TypeNameSearch search(name);
      for (std::size_t i = 0; i < loaded.size(); ++i) {
        if (search.isNameOf(loaded[i].name)) matches.push_back(i);
      }
    }
    std::sort(matches.begin(), matches.end());
    for (const std::size_t match : matches) found.methodTables.push_back(loaded[match].methodTable);
    if (matches.empty()) found.notFound.push_back(name);
  }
  return found;
}

/// One name a line; empty lines and lines that begin with '#' are left out. Fails with FileUnreadable.
engine::Result<std::vector<std::string>> readNames(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty() && line.front() != '#') names.push_back(line);
  }
  if (!file.eof()) {
    return engine::failure(engine::ErrorCode::FileUnreadable, "The list of types '" + path + "' cannot be read.",
                           "Give a text file with one type name a line.");
  }
  return names;
}

/// Why a name was not found where it should be ("is loaded in this dump"), with those names that are like it.
engine::Error notFoundError(const std::vector<std::string>& names, const std::string& name, const std::string& where) {
  std::string similar;
  std::size_t count = 0;
  for (const std::string& other : names) {
    if (!engine::holdsIgnoringCase(other, name)) continue;
    if (count < kSuggestions) similar += (count ? ", '" : "'") + other + "'";
    ++count;
  }
  const std::string help = count ? "Names that hold this text: " + similar + (count > kSuggestions ? ", …" : "") + "."
                                 : "Give the full name with namespace.";
  return {engine::ErrorCode::NotFound, "No type named '" + name + "' " + where + ".", help};
}

using engine::Address;
using engine::LayoutQuestion;
using engine::LayoutTypeId;
using engine::LayoutVariant;
using engine::Result;
using engine::RuleSet;

/// A type by its method table, which only a dump has, or by its number among the declared ones.
struct Subject {
  Address methodTable;
  LayoutTypeId id;
  std::string name;  // as it was asked for
};

class LayoutAnswerer {
 public:
  LayoutAnswerer(Context& context, LayoutInput& input, const LayoutRequest& request)
      : m_context(context), m_input(input), m_request(request), m_questions(questions()) {}

  Outcome<LayoutAnswers> run() {
    HEAPSCAPE_TRY(std::vector<Subject> subjects, select());
    subjects.resize(std::min(subjects.size(), m_context.options().rowLimit()));
    for (const Subject& subject : subjects) {
      if (m_context.stop().stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
      auto answer = answerFor(subject);
      if (answer) {
        closeValues(*answer);
        m_answers.answers.push_back(std::move(*answer));
      } else if (!m_request.type.empty()) {
        return tl::unexpected(std::move(answer.error()));
      } else {
        note(subject, answer.error());
      }
    }
    return std::move(m_answers);
  }

 private:
  std::vector<LayoutQuestion> questions() const;
  bool needsDeclared(const Subject& subject) const;
  void note(const Subject& subject, const engine::Error& error);

  Outcome<std::vector<Subject>> select();
  Outcome<std::vector<Subject>> selectAll();
  Outcome<std::vector<Subject>> selectFromHeap();
  Outcome<std::vector<Subject>> selectNamed(const std::vector<std::string>& names);
  engine::Error notFound(const std::string& name, const engine::Error& why);

  Result<engine::LayoutAnswer> answerFor(const Subject& subject);
  Result<std::vector<LayoutVariant>> layoutsOf(DeclaredLayouts& declaredLayouts, LayoutTypeId id) const;
  void foldSame(std::vector<LayoutVariant>& layouts) const;
  void closeValues(engine::LayoutAnswer& answer) const;

  Context& m_context;
  LayoutInput& m_input;
  const LayoutRequest& m_request;
  std::vector<LayoutQuestion> m_questions;
  LayoutAnswers m_answers;
};

std::vector<LayoutQuestion> LayoutAnswerer::questions() const {
  const bool isPlain = m_input.isDump() && !m_request.pack && !m_request.runtimeMajor;
  const RuleSet usual = isPlain ? RuleSet::Actual : RuleSet::Declared;
  std::vector<RuleSet> rules = m_request.rules;
  if (rules.empty()) rules = {usual};
  if (m_request.rules.empty() && m_request.sideBySide)
    rules = {m_input.isDump() ? RuleSet::Actual : RuleSet::Declared, RuleSet::Auto, RuleSet::Sequential, RuleSet::Best};
  std::vector<LayoutQuestion> questions;
  for (const RuleSet set : rules) {
    LayoutQuestion question{.rules = set, .withReasons = m_request.why};
    if (set != RuleSet::Actual) {
      question.pack = m_request.pack;
      question.runtimeMajor = m_request.runtimeMajor;
    }
    questions.push_back(question);
  }
  return questions;
}

/// Whether rules are needed: what the runtime did can be read without them.
bool LayoutAnswerer::needsDeclared(const Subject& subject) const {
  return !subject.methodTable || m_request.why || m_request.best ||
         std::ranges::any_of(m_questions, [](const LayoutQuestion& q) { return q.rules != RuleSet::Actual; });
}

void LayoutAnswerer::note(const Subject& subject, const engine::Error& error) {
  if (subject.methodTable && !needsDeclared(subject)) {
    m_answers.findings.add(engine::FindingKind::RuntimeDataDamaged, subject.methodTable, error.message());
  } else {
    m_answers.failed.push_back({subject.name, error.what});
  }
}

Outcome<std::vector<Subject>> LayoutAnswerer::select() {
  if (!m_request.typesFile.empty()) {
    HEAPSCAPE_TRY(const auto names, readNames(m_request.typesFile));
    return selectNamed(names);
  }
  if (!m_request.type.empty()) return selectNamed({m_request.type});
  if (m_request.all || !m_input.isDump()) return selectAll();
  return selectFromHeap();
}

Outcome<std::vector<Subject>> LayoutAnswerer::selectAll() {
  std::vector<Subject> subjects;
  if (m_input.isDump()) {
    HEAPSCAPE_TRY(const auto loaded, engine::loadedTypes(m_input.dump(), m_context.stop()));
    for (const engine::LoadedType& type : loaded) subjects.push_back({type.methodTable, {}, type.name});
    return subjects;
  }
  HEAPSCAPE_TRY(const DeclaredLayouts declaredLayouts, m_input.layouts());
  HEAPSCAPE_TRY(const auto types, declaredLayouts.typeNames(m_context.stop()));
  for (const auto& [id, name] : types) subjects.push_back({{}, id, name});
  return subjects;
}

Outcome<std::vector<Subject>> LayoutAnswerer::selectFromHeap() {
  engine::TypeQuery query;
  query.includeFree = false;
  const engine::Snapshot& dump = m_input.dump();
  HEAPSCAPE_TRY(const auto selection, engine::selectTypes(dump, dump.typeCounts(), query, m_context.stop()));
  std::vector<Subject> subjects;
  for (const engine::TypeId type : selection.types) {
    const engine::TypeRow& row = dump.types()[type.value];
    subjects.push_back({row.methodTable, {}, row.name});
  }
  return subjects;
}

Outcome<std::vector<Subject>> LayoutAnswerer::selectNamed(const std::vector<std::string>& names) {
  std::vector<Subject> subjects;
  std::vector<std::string> rest = names;
  if (m_input.isDump()) {
    HEAPSCAPE_TRY(const auto loaded, engine::loadedTypes(m_input.dump(), m_context.stop()));
    NamedTypes found = findTypes(loaded, names);
    for (const Address methodTable : found.methodTables) subjects.push_back({methodTable, {}, {}});
    rest = std::move(found.notFound);
  }
  if (rest.empty()) return subjects;
  HEAPSCAPE_TRY(const DeclaredLayouts declaredLayouts, m_input.layouts());
  for (const std::string& name : rest) {
    const auto id = declaredLayouts.find(name);
    if (id) {
      subjects.push_back({{}, *id, name});
    } else if (!m_request.type.empty()) {
      return tl::unexpected(engine::Unfinished(notFound(name, id.error())));
    } else if (id.error().code == engine::ErrorCode::NotFound) {
      m_answers.notFound.push_back(name);
    } else {
      m_answers.failed.push_back({name, id.error().what});
    }
  }
  return subjects;
}

/// With types whose names are like it, if it is just not there.
engine::Error LayoutAnswerer::notFound(const std::string& name, const engine::Error& why) {
  if (why.code != engine::ErrorCode::NotFound) return why;
  std::vector<std::string> names;
  if (m_input.isDump()) {
    if (const auto loaded = engine::loadedTypes(m_input.dump(), m_context.stop()))
      for (const engine::LoadedType& type : *loaded) names.push_back(type.name);
    return notFoundError(names, name, "is loaded in this dump");
  }
  if (const auto declaredLayouts = m_input.layouts()) {
    if (const auto types = declaredLayouts->typeNames(m_context.stop()))
      for (const auto& [id, typeName] : *types) names.push_back(typeName);
  }
  return notFoundError(names, name, "is in this assembly or in those it references");
}

Result<engine::LayoutAnswer> LayoutAnswerer::answerFor(const Subject& subject) {
  engine::LayoutAnswer answer;
  answer.showsWhy = m_request.why;
  answer.showsBest = m_request.best;
  if (!needsDeclared(subject)) {
    HEAPSCAPE_TRY(engine::TypeLayout layout, engine::layoutOf(m_input.dump(), subject.methodTable));
    answer.layouts.push_back({.question = m_questions.front(), .layout = std::move(layout)});
    return answer;
  }
  HEAPSCAPE_TRY(DeclaredLayouts declaredLayouts, m_input.layouts());
  LayoutTypeId id = subject.id;
  if (subject.methodTable) {
    HEAPSCAPE_TRY(id, declaredLayouts.find(subject.methodTable));
  }
  HEAPSCAPE_TRY(answer.layouts, layoutsOf(declaredLayouts, id));
  if (m_request.why || m_request.best) {
    HEAPSCAPE_TRY(answer.study, declaredLayouts.study(id, m_context.stop()));
  }
  return answer;
}

Result<std::vector<LayoutVariant>> LayoutAnswerer::layoutsOf(DeclaredLayouts& declaredLayouts, LayoutTypeId id) const {
  std::vector<LayoutVariant> layouts;
  for (const LayoutQuestion& question : m_questions) {
    auto variant = declaredLayouts.layout(id, question);
    const bool isNotLoaded =
        !variant && question.rules == RuleSet::Actual && variant.error().code == engine::ErrorCode::NotFound;
    if (isNotLoaded && m_request.rules.empty()) {
      LayoutQuestion declared = question;
      declared.rules = RuleSet::Declared;
      variant = declaredLayouts.layout(id, declared);
      if (variant)
        variant->remark = "not loaded in this dump" + (variant->remark.empty() ? "" : "; " + variant->remark);
    }
    if (variant) {
      layouts.push_back(std::move(*variant));
    } else if (layouts.empty() || !m_request.rules.empty()) {
      return tl::unexpected(std::move(variant.error()));
    }
  }
  if (m_request.rules.empty()) foldSame(layouts);
  return layouts;
}

/// Leaves only the name of a layout of the usual ones side by side that is like one before it.
void LayoutAnswerer::foldSame(std::vector<LayoutVariant>& layouts) const {
  std::vector<LayoutVariant> different;
  for (LayoutVariant& variant : layouts) {
    const auto same = std::ranges::find_if(different, [&](const LayoutVariant& other) {
      return engine::compareLayouts(other.layout, variant.layout).isSame;
    });
    if (same == different.end()) {
      different.push_back(std::move(variant));
      continue;
    }
    if (!same->remark.empty()) same->remark += "; ";
    same->remark += std::string(toString(variant.question.rules)) + " is the same";
  }
  layouts = std::move(different);
}

void LayoutAnswerer::closeValues(engine::LayoutAnswer& answer) const {
  if (!m_request.nestedLevels) return;
  for (LayoutVariant& variant : answer.layouts) engine::closeValuesBelow(variant.layout, *m_request.nestedLevels);
}

}  // namespace

Outcome<LayoutAnswers> answerLayouts(Context& context, LayoutInput& input, const LayoutRequest& request) {
  return LayoutAnswerer(context, input, request).run();
}

}  // namespace heapscape::cli
