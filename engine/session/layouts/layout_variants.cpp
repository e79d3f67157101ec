// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "layout/actual_layout.h"
#include "layout/advice/best_order.h"
#include "layout/advice/separation.h"
#include "layout/advice/type_advice.h"
#include "layout/repeated_field.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

namespace {

using Parts = DeclaredLayouts::Parts;

/// What a question asks to be declared otherwise, and how that came about.
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
  return !change.layoutKind && !change.pack && !change.size && change.order.empty() && change.explicitOffsets.empty();
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
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, parts.types.declarationOf(subject));

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
  ChangedTypes changed(parts.types, {{subject, change}});
  LayoutRules changedRules(changed, rules, changed.changed());
  HEAPSCAPE_TRY(LayoutVariant answer, layOutBy(changedRules, type, subject, question));
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, parts.types.declarationOf(subject));
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
    return failure(
        ErrorCode::NotFound,
        fmt::format("{} is not loaded in this dump, so the runtime has not laid it out.", parts.types.nameOf(type)),
        "Ask for the rules 'declared'.");
  }
  LayoutVariant answer;
  answer.question = question;
  HEAPSCAPE_TRY(answer.layout, readActualLayout(parts.dump->contents().layoutSources(), methodTable));
  return answer;
}

}  // namespace

bool canBeDeclaredOtherwise(Parts& parts, ClosedTypeId subject) {
  const ElementType element = parts.types.type(subject).element;
  if (element != ElementType::Class && element != ElementType::ValueType) return false;
  const auto declaration = parts.types.declarationOf(subject);
  if (!declaration) return false;
  const TypeKind kind = (*declaration)->kind;
  const bool isBlob = (*declaration)->size && (*declaration)->fields.empty();
  return (kind == TypeKind::Class || kind == TypeKind::Struct) && !isBlob &&
         !isFixedBuffer(parts.types.nameOf(subject));
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
  if (parts.dump) answer.layout.methodTable = parts.methodTableOf(type);
  return answer;
}

}  // namespace heapscape::engine
