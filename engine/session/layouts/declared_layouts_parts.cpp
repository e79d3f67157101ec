// SPDX-License-Identifier: MIT
#include "session/layouts/declared_layouts_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "base/limits.h"
#include "base/progress.h"
#include "layout/actual_layout.h"
#include "layout/advice/best_order.h"
#include "layout/advice/separation.h"
#include "layout/advice/type_advice.h"
#include "layout/declared/dump_types.h"
#include "layout/declared/told_types.h"
#include "layout/repeated_field.h"
#include "session/layouts/field_use.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kOldestRules = 8;
constexpr std::uint32_t kNewestRules = 11;

}  // namespace

using Parts = DeclaredLayouts::Parts;

Parts::Parts(std::shared_ptr<AssemblyFinder> finder) : types(std::move(finder)) {}

Parts::~Parts() = default;

DeclaredTypes& Parts::declared() {
  if (toldTypes) return *toldTypes;
  return types;
}

Result<ClosedTypeId> Parts::typeOf(Address methodTable) {
  const auto type = dump->contents().readers->methodTables.read(methodTable);
  if (type && type->isContinuation) {
    return failure(ErrorCode::NotFound,
                   "It is declared nowhere: the runtime lays it out for what suspended methods save.");
  }
  HEAPSCAPE_TRY(const ClosedTypeId id,
                toldTypes ? toldTypes->closedTypeOf(methodTable) : dumpTypes->closedTypeOf(methodTable));
  m_methodTables.try_emplace(id, methodTable);
  return id;
}

Outcome<const std::vector<Parts::Loaded>*> Parts::loadedTypes(const std::stop_token& stop) {
  if (m_loaded) return &*m_loaded;
  HEAPSCAPE_TRY(std::vector<LoadedType> all, engine::loadedTypes(*dump, stop));
  std::vector<Loaded> loaded;
  loaded.reserve(all.size());
  for (LoadedType& type : all) {
    if (loaded.size() % kHeavyStopInterval == 0 && stop.stop_requested())
      return tl::unexpected(Unfinished::cancelled());
    const auto id = typeOf(type.methodTable);
    if (isOpen(id)) continue;
    loaded.push_back({std::move(type), id.value_or(ClosedTypeId{}), id ? std::string() : id.error().what});
  }
  m_loaded = std::move(loaded);
  return &*m_loaded;
}

Address Parts::methodTableOf(ClosedTypeId type) {
  if (!dump) return {};
  const auto known = m_methodTables.find(type);
  if (known != m_methodTables.end()) return known->second;
  if (!m_loaded && loadedTypes({})) return methodTableOf(type);
  return {};
}

LayoutRules& Parts::rules(std::optional<std::uint32_t> majorVersion, bool classic) {
  LayoutRuntime wanted = runtime;
  wanted.majorVersion = std::clamp(majorVersion.value_or(runtime.majorVersion), kOldestRules, kNewestRules);
  wanted.classicStructs = classic;
  auto& made = m_rules[{wanted.majorVersion, classic}];
  if (!made) made = std::make_unique<LayoutRules>(declared(), wanted);
  return *made;
}

ClosedTypeId Parts::subjectOf(ClosedTypeId type) const {
  const ClosedType* closed = &declared().type(type);
  if ((closed->element != ElementType::SzArray && closed->element != ElementType::Array) || closed->arguments.empty())
    return type;
  const ClosedTypeId element = closed->arguments.front();
  return declared().type(element).element == ElementType::ValueType ? element : type;
}

AssemblyId Parts::assemblyOf(ClosedTypeId type) const {
  const ClosedType* closed = &declared().type(type);
  for (std::size_t depth = 0; closed->assembly.isNone() && depth < kLimits.nestingDepth; ++depth) {
    if (closed->arguments.empty()) break;
    closed = &declared().type(closed->arguments.front());
  }
  return closed->assembly;
}

Result<ClosedTypeId> Parts::find(std::string_view name) {
  if (!dump) return types.parse(home, name);
  if (toldTypes) return toldTypes->find(name);
  // A dump has no home: a type that is loaded is meant rather than one that is not.
  std::optional<ClosedTypeId> notLoaded;
  Error why{ErrorCode::NotFound, "No type is named '" + std::string(name) + "' in any module of this dump.",
            "Give the full name with namespace."};
  for (std::uint32_t i = 0; i < types.assemblyCount(); ++i) {
    const auto id = types.parse({i}, name);
    if (id && methodTableOf(*id)) return *id;
    if (id && !notLoaded) notLoaded = *id;
    if (!id && id.error().code != ErrorCode::NotFound) why = id.error();
  }
  if (notLoaded) return *notLoaded;
  return tl::unexpected(why);
}

LayoutRow describe(Parts& parts, ClosedTypeId type) {
  LayoutRow row;
  row.id = layoutType(type);
  row.name = parts.declared().nameOf(type);
  const AssemblyId assembly = parts.assemblyOf(type);
  if (!assembly.isNone()) row.assembly = parts.declared().assemblyName(assembly);
  row.methodTable = parts.methodTableOf(type);
  if (const auto layout = parts.rules().layoutOf(type)) {
    row.kind = layout->kind;
    row.instanceBytes = layout->valueSize.value_or(layout->baseSize);
    row.paddingBytes = layout->paddingBytes();
  } else {
    row.failure = layout.error().what;
    if (const auto declaration = parts.declared().declarationOf(type)) row.kind = (*declaration)->kind;
  }
  return row;
}

namespace {

/// Other declarations that a question asks for, and how that came about.
struct Asked {
  DeclarationChange change;
  std::string remark;
};

void appendRemark(std::string& remarks, std::string_view more) {
  if (more.empty()) return;
  if (!remarks.empty()) remarks += "; ";
  remarks += more;
}

bool changesNothing(const DeclarationChange& change) {
  return !change.layoutKind && !change.pack && !change.size && change.order.empty() && change.explicitOffsets.empty() &&
         change.types.empty();
}

const char* remarkOnBest(AdviceKind means) {
  switch (means) {
    case AdviceKind::NothingToGain:
      return "nothing else takes fewer bytes";
    case AdviceKind::AutoAttribute:
      return "with LayoutKind.Auto";
    case AdviceKind::SequentialOrder:
      return "with LayoutKind.Sequential and another order of the fields";
    case AdviceKind::ExplicitOffsets:
      return "with LayoutKind.Explicit";
    case AdviceKind::Pack:
      return "with Pack, fields off their alignment";
    default:
      return "with another order of the fields";
  }
}

Result<Asked> askedOf(Parts& parts, LayoutRules& rules, ClosedTypeId subject, const LayoutQuestion& question) {
  Asked asked;
  if (question.rules == RuleSet::Classic) asked.remark = "by the rules before .NET 7";
  const bool asksForChange = question.rules == RuleSet::Auto || question.rules == RuleSet::Sequential ||
                             question.rules == RuleSet::Best || question.pack;
  if (!asksForChange) return asked;
  if (!canBeDeclaredOtherwise(parts, subject)) return Asked{{}, "no attribute changes how it is laid out"};
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, parts.declared().declarationOf(subject));

  if (question.rules == RuleSet::Best) {
    HEAPSCAPE_TRY(BestDeclaration best, bestOrderOf(rules, subject, {.pack = question.pack}));
    const char* remark = best.best.separation.empty() ? remarkOnBest(best.best.means) : kSeparatedOnPurpose;
    return Asked{std::move(best.change), remark};
  }
  if (question.rules == RuleSet::Auto) asked.change = changeFor(LayoutKind::Auto);
  if (question.rules == RuleSet::Sequential) asked.change = changeFor(LayoutKind::Sequential);
  asked.change.pack = question.pack;
  if (declaration->layoutKind == LayoutKind::Explicit && asked.change.layoutKind)
    asked.remark = "the FieldOffsets of the declaration are gone";
  return asked;
}

/// Why the runtime does not keep the order of a type that asks for it.
std::string remarkOnObstacle(DeclaredTypes& types, ClosedTypeId type, const FieldPlacement& placement) {
  const auto declaration = types.declarationOf(type);
  if (!declaration || (*declaration)->layoutKind != LayoutKind::Sequential) return {};
  if (placement.effective != LayoutKind::Auto) return {};
  switch (placement.obstacle) {
    case SequentialObstacle::None:
      return {};
    case SequentialObstacle::InheritedReference:
      return "the runtime keeps auto layout: a base class holds references";
    case SequentialObstacle::BaseNotSequential:
      return fmt::format("the runtime keeps auto layout: the base class {} is not sequential",
                         types.nameOf((*declaration)->base));
    case SequentialObstacle::Reference:
    case SequentialObstacle::AutoField:
      break;
  }
  if (placement.obstacleField >= (*declaration)->fields.size()) return {};
  const FieldDeclaration& field = (*declaration)->fields[placement.obstacleField];
  const char* what = placement.obstacle == SequentialObstacle::AutoField ? "has auto layout"
                     : field.element == ElementType::ValueType           ? "holds a reference"
                                                                         : "is a reference";
  return fmt::format("the runtime keeps auto layout: {} {}", field.name, what);
}

Result<LayoutVariant> layOutBy(LayoutRules& rules, ClosedTypeId type, ClosedTypeId subject,
                               const LayoutQuestion& question) {
  LayoutVariant answer;
  answer.question = question;
  HEAPSCAPE_TRY(answer.layout, rules.layoutOf(type));
  if (question.withReasons) {
    HEAPSCAPE_TRY(answer.reasons, fieldReasons(rules, type));
    HEAPSCAPE_CHECK(explainPaddings(rules, type, answer.layout));
  }
  const ElementType element = rules.types().type(subject).element;
  if (element != ElementType::Class && element != ElementType::ValueType) return answer;
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(subject));
  // What holds a reference makes everything around it auto, where it begins at a multiple of 8.
  const std::uint32_t leastAlignment = placement->references.empty() ? 1 : kPointerBytes;
  if (answer.layout.valueSize) answer.alignment = std::max(placement->alignment, leastAlignment);
  answer.remark = remarkOnObstacle(rules.types(), subject, *placement);
  if (question.pack && placement->effective == LayoutKind::Auto) appendRemark(answer.remark, "so Pack changes nothing");
  return answer;
}

/// However it is laid out, what its metadata declares is a fact.
void keepDeclared(TypeLayout& layout, const TypeDeclaration& declaration) {
  layout.declaredKind = declaration.layoutKind;
  layout.declaredPack = declaration.pack;
  layout.declaredSize = declaration.size;
}

Result<LayoutVariant> layOutChanged(Parts& parts, LayoutRules& rules, ClosedTypeId type, ClosedTypeId subject,
                                    const DeclarationChange& change, const LayoutQuestion& question) {
  if (changesNothing(change)) return layOutBy(rules, type, subject, question);
  ChangedTypes changed(parts.declared(), {{subject, change}});
  LayoutRules changedRules(changed, rules, changed.changed());
  HEAPSCAPE_TRY(LayoutVariant answer, layOutBy(changedRules, type, subject, question));
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, parts.declared().declarationOf(subject));
  if (type == subject) {
    keepDeclared(answer.layout, *declaration);
  } else {
    for (TypeLayout& element : answer.layout.elementLayout) keepDeclared(element, *declaration);
  }
  return answer;
}

Result<LayoutVariant> readActual(Parts& parts, ClosedTypeId type, const LayoutQuestion& question) {
  const Address methodTable = parts.methodTableOf(type);
  if (!methodTable) {
    return failure(ErrorCode::NotFound,
                   fmt::format("{} is not loaded in this dump, so the runtime has not laid it out.",
                               parts.declared().nameOf(type)),
                   "Ask for the rules 'declared'.");
  }
  LayoutVariant answer;
  answer.question = question;
  HEAPSCAPE_TRY(answer.layout, readActualLayout(parts.dump->contents().layoutSources(), methodTable));
  return answer;
}

}  // namespace

bool canBeDeclaredOtherwise(Parts& parts, ClosedTypeId subject) {
  const ElementType element = parts.declared().type(subject).element;
  if (element != ElementType::Class && element != ElementType::ValueType) return false;
  const auto declaration = parts.declared().declarationOf(subject);
  if (!declaration) return false;
  const TypeKind kind = (*declaration)->kind;
  const bool isBlob = (*declaration)->size && (*declaration)->fields.empty();
  return (kind == TypeKind::Class || kind == TypeKind::Struct) && !isBlob &&
         !isFixedBuffer(parts.declared().nameOf(subject));
}

Result<LayoutVariant> layOut(Parts& parts, ClosedTypeId type, const LayoutQuestion& asked) {
  LayoutQuestion question = asked;
  if (question.rules == RuleSet::Actual) {
    question.runtimeMajor = parts.runtime.majorVersion;
    if (!parts.dump) {
      return failure(ErrorCode::BadQuery, "Only a dump has actual layouts: an assembly has not been run.",
                     "Ask for the rules 'declared'.");
    }
    return readActual(parts, type, question);
  }
  LayoutRules& rules = parts.rules(question.runtimeMajor, question.rules == RuleSet::Classic);
  question.runtimeMajor = rules.runtime().majorVersion;
  const ClosedTypeId subject = parts.subjectOf(type);
  HEAPSCAPE_TRY(const Asked how, askedOf(parts, rules, subject, question));

  HEAPSCAPE_TRY(LayoutVariant answer, layOutChanged(parts, rules, type, subject, how.change, question));
  appendRemark(answer.remark, how.remark);
  if (question.withDeclaration) {
    if (auto declaration = csharpDeclaration(rules, subject, how.change)) answer.declaration = std::move(*declaration);
  }
  if (parts.dump) answer.layout.methodTable = parts.methodTableOf(type);
  return answer;
}

Result<LayoutVariant> layOutAs(Parts& parts, ClosedTypeId type, const DeclarationChange& change) {
  LayoutRules& rules = parts.rules();
  const ClosedTypeId subject = parts.subjectOf(type);
  LayoutQuestion question;
  question.runtimeMajor = rules.runtime().majorVersion;
  HEAPSCAPE_TRY(LayoutVariant answer, layOutChanged(parts, rules, type, subject, change, question));
  if (canBeDeclaredOtherwise(parts, subject)) {
    HEAPSCAPE_TRY(answer.declaration, csharpDeclaration(rules, subject, change));
  }
  if (parts.dump) answer.layout.methodTable = parts.methodTableOf(type);
  return answer;
}

namespace {

constexpr std::size_t kInstancesLookedAt = 100'000;

bool liesAlike(const TypeLayout& one, const TypeLayout& other) {
  return compareLayouts(one, other).isSame;
}

class TypeStudier {
 public:
  TypeStudier(Parts& parts, ClosedTypeId type, std::stop_token stop)
      : m_parts(parts), m_type(type), m_stop(std::move(stop)) {}

  Result<TypeStudy> run() {
    HEAPSCAPE_TRY(LayoutVariant declared, layOut(m_parts, m_type, {.withDeclaration = true}));
    m_study.type = describe(m_parts, m_type);
    if (m_study.type.methodTable) add({.rules = RuleSet::Actual});
    m_study.layouts.push_back(std::move(declared));
    if (canBeDeclaredOtherwise(m_parts, m_parts.subjectOf(m_type))) {
      for (const RuleSet rules : {RuleSet::Auto, RuleSet::Sequential, RuleSet::Best})
        add({.rules = rules, .withDeclaration = true});
    }
    explainActual();
    addClassic();
    addAdvice();
    addHeap();
    return std::move(m_study);
  }

 private:
  void add(const LayoutQuestion& question) {
    if (m_stop.stop_requested()) return;
    if (auto variant = layOut(m_parts, m_type, question)) m_study.layouts.push_back(std::move(*variant));
  }

  const LayoutVariant& declared() const {
    return *std::ranges::find(m_study.layouts, RuleSet::Declared,
                              [](const LayoutVariant& l) { return l.question.rules; });
  }

  // What was read says of no padding why it is there; what was computed and is the same does.
  void explainActual() {
    LayoutVariant& actual = m_study.layouts.front();
    if (actual.question.rules != RuleSet::Actual) return;
    const auto same = std::ranges::find_if(m_study.layouts, [&](const LayoutVariant& other) {
      return &other != &actual && liesAlike(actual.layout, other.layout);
    });
    if (same == m_study.layouts.end()) return;
    takeReasons(actual.layout, same->layout);
    if (!actual.layout.elementLayout.empty() && !same->layout.elementLayout.empty())
      takeReasons(actual.layout.elementLayout.front(), same->layout.elementLayout.front());
  }

  static void takeReasons(TypeLayout& actual, const TypeLayout& computed) {
    for (Padding& padding : actual.paddings) {
      const auto same = std::ranges::find(computed.paddings, padding.offset, &Padding::offset);
      if (same != computed.paddings.end()) padding.why = same->why;
    }
  }

  void addClassic() {
    if (m_stop.stop_requested()) return;
    auto classic = layOut(m_parts, m_type, {.rules = RuleSet::Classic});
    if (classic && !liesAlike(classic->layout, declared().layout)) m_study.layouts.push_back(std::move(*classic));
  }

  void addAdvice() {
    const TypeLayout& layout = declared().layout;
    m_study.unit = layout.unit();
    m_study.best.instanceBytes = m_study.best.bestBytes = layout.unitBytes();
    if (m_stop.stop_requested() || !canBeDeclaredOtherwise(m_parts, m_parts.subjectOf(m_type))) return;
    LayoutRules& rules = m_parts.rules();
    const ClosedTypeId subject = m_parts.subjectOf(m_type);
    if (auto best = bestOrderOf(rules, subject)) m_study.best = std::move(best->best);
    if (auto advice = adviceFor(rules, subject, fieldUses(subject), m_study.unit)) m_study.advice = std::move(*advice);
    if (auto why = whyNotAsDeclared(rules, subject)) m_study.whyNotAsDeclared = std::move(*why);
  }

  void addHeap() {
    const Address methodTable = m_study.type.methodTable;
    if (!methodTable || !m_parts.dump->has(Stage::Objects)) return;
    if (auto onHeap = typeOnHeap(*m_parts.dump, declared().layout, methodTable, m_stop))
      m_study.onHeap = std::move(*onHeap);
  }

  /// Empty where no heap tells.
  std::vector<FieldUse> fieldUses(ClosedTypeId subject) const {
    const Address methodTable = m_parts.methodTableOf(subject);
    if (!methodTable || !m_parts.dump->has(Stage::Objects)) return {};
    return fieldUse(*m_parts.dump, methodTable, kInstancesLookedAt, m_stop).value_or(std::vector<FieldUse>());
  }

  Parts& m_parts;
  ClosedTypeId m_type;
  std::stop_token m_stop;
  TypeStudy m_study;
};

}  // namespace

std::optional<std::int64_t> TypeStudy::savedOnHeap() const {
  const auto best = std::ranges::find(layouts, RuleSet::Best, [](const LayoutVariant& l) { return l.question.rules; });
  if (!onHeap || best == layouts.end()) return std::nullopt;
  return static_cast<std::int64_t>(onHeap->bytesBy(layouts.front().layout) - onHeap->bytesBy(best->layout));
}

Result<TypeStudy> studyOf(Parts& parts, ClosedTypeId type, const std::stop_token& stop) {
  return TypeStudier(parts, type, stop).run();
}

}  // namespace heapscape::engine
