// SPDX-License-Identifier: MIT
#include "layout/advice/type_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "layout/advice/best_order.h"
#include "layout/advice/changed_layout.h"
#include "layout/advice/separation.h"
#include "layout/object_size.h"
#include "layout/rules/placed_field.h"
#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

/// Fields of a class that few objects use, moved into an object of their own.
struct ColdSplit {
  std::vector<std::string> fields;  // as metadata names them
  std::uint64_t instances = 0;
  std::uint64_t users = 0;       // objects that need the second one, at most
  bool isUsersExact = false;     // as it is for one field
  std::uint32_t savedBytes = 0;  // of every object
  std::uint32_t coldBytes = 0;   // of a second object
  std::int64_t savedInAll = 0;   // at least; always above 0
};

constexpr std::uint64_t kColdShare = 10;         // used by at most one object in so many
constexpr std::uint64_t kFewestInstances = 100;  // fewer tell nothing about which fields are used
constexpr std::size_t kMaximumTries = 64;        // of how many of the coldest fields move

/// Types as they are, but for one.
class RedeclaredType : public ChangedTypes {
 public:
  RedeclaredType(DeclaredTypes& types, ClosedTypeId id, TypeDeclaration declaration)
      : ChangedTypes(types, {}), m_id(id), m_declaration(std::move(declaration)) {}

  Result<const TypeDeclaration*> declarationOf(ClosedTypeId id) override {
    if (id == m_id) return &m_declaration;
    return ChangedTypes::declarationOf(id);
  }

 private:
  ClosedTypeId m_id;
  TypeDeclaration m_declaration;
};

struct ColdField {
  std::uint32_t index = 0;
  std::uint64_t used = 0;
};

Result<std::uint32_t> bytesIfDeclared(LayoutRules& rules, ClosedTypeId type, TypeDeclaration declaration) {
  RedeclaredType types(rules.types(), type, std::move(declaration));
  LayoutRules changed(types, rules, {type});
  return instanceBytesOf(changed, type);
}

class ColdSplitSearch {
 public:
  ColdSplitSearch(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration)
      : m_rules(rules), m_type(type), m_declaration(declaration) {}

  Result<std::optional<ColdSplit>> run(std::span<const FieldUse> use) {
    HEAPSCAPE_TRY(m_bytes, instanceBytesOf(m_rules, m_type));
    findCold(use);
    std::optional<ColdSplit> best;
    for (std::size_t count = 1; count <= std::min(m_cold.size(), kMaximumTries); ++count) {
      auto split = splitOff(count);
      if (!split) continue;  // what is left may not be loadable, as without the fields of a declared size
      if (split->savedInAll > (best ? best->savedInAll : 0)) best = std::move(*split);
    }
    return best;
  }

 private:
  void findCold(std::span<const FieldUse> use) {
    const std::string& ownName = m_rules.types().nameOf(m_type);
    std::unordered_map<std::string_view, const FieldUse*> own;
    for (const FieldUse& field : use)
      if (field.declaringType == ownName) own.emplace(field.name, &field);
    for (std::uint32_t i = 0; i < m_declaration.fields.size(); ++i) {
      const auto told = own.find(m_declaration.fields[i].name);
      if (told == own.end() || told->second->instances < kFewestInstances) continue;
      if (told->second->used > told->second->instances / kColdShare) continue;
      m_instances = std::max(m_instances, told->second->instances);
      m_cold.push_back({i, told->second->used});
    }
    std::ranges::stable_sort(m_cold, {}, &ColdField::used);
  }

  // The object keeps a reference to the second one, which only those have that need it.
  Result<ColdSplit> splitOff(std::size_t count) {
    TypeDeclaration hot = m_declaration;
    TypeDeclaration cold;
    cold.assembly = m_declaration.assembly;
    hot.fields.clear();
    ColdSplit split;
    std::vector<bool> isCold(m_declaration.fields.size());
    for (const ColdField& field : std::span(m_cold).first(count)) {
      isCold[field.index] = true;
      split.users += std::min(field.used, m_instances);
    }
    for (std::uint32_t i = 0; i < m_declaration.fields.size(); ++i) {
      (isCold[i] ? cold : hot).fields.push_back(m_declaration.fields[i]);
      if (isCold[i]) split.fields.emplace_back(m_declaration.fields[i].name);
    }
    FieldDeclaration& reference = hot.fields.emplace_back();
    reference.name = "cold";
    reference.element = ElementType::Class;
    HEAPSCAPE_TRY(const std::uint32_t hotBytes, bytesIfDeclared(m_rules, m_type, std::move(hot)));
    HEAPSCAPE_TRY(split.coldBytes, bytesIfDeclared(m_rules, m_type, std::move(cold)));
    split.isUsersExact = count == 1;
    split.users = std::min(split.users, m_instances);
    split.instances = m_instances;
    split.savedBytes = m_bytes - std::min(m_bytes, hotBytes);
    split.savedInAll = static_cast<std::int64_t>(m_instances * split.savedBytes) -
                       static_cast<std::int64_t>(split.users * split.coldBytes);
    return split;
  }

  LayoutRules& m_rules;
  ClosedTypeId m_type;
  const TypeDeclaration& m_declaration;
  std::uint32_t m_bytes = 0;
  std::uint64_t m_instances = 0;
  std::vector<ColdField> m_cold;  // the least used first
};

/// The split that saves most, of fields that at most a tenth of the objects use; nothing if none saves anything.
/// Fails as LayoutRules::placementOf does.
Result<std::optional<ColdSplit>> bestColdSplit(LayoutRules& rules, ClosedTypeId type, std::span<const FieldUse> use) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  if (declaration->kind != TypeKind::Class || declaration->wellKnown != WellKnownType::None || use.empty())
    return std::optional<ColdSplit>();
  return ColdSplitSearch(rules, type, *declaration).run(use);
}

constexpr std::size_t kNamesInText = 6;
constexpr std::size_t kBitsInByte = 8;

/// "a, b and c"; of many the first ones.
std::string listOf(const std::vector<std::string>& names) {
  const std::size_t shown = names.size() > kNamesInText ? kNamesInText : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool isLast = i + 1 == names.size();
    if (i) text += isLast ? " and " : ", ";
    text += csharpFieldName(names[i]);
  }
  return shown < names.size() ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

/// With the thousands apart: "1,234".
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

class Adviser {
 public:
  Adviser(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration, const FieldPlacement& placement,
          LayoutUnit unit)
      : m_rules(rules), m_type(type), m_declaration(declaration), m_placement(placement), m_unit(unit) {}

  Result<std::vector<Advice>> advise(std::span<const FieldUse> use) {
    HEAPSCAPE_TRY(m_best, bestOrderOf(m_rules, m_type));
    m_bytes = m_best.best.instanceBytes;
    if (isPlain() && m_best.best.separation.empty()) {
      adviseOrder();
      if (isReadersToChange()) {
        adviseAttributeAlone();
        advisePack();
        HEAPSCAPE_CHECK(adviseMergedBools());
        HEAPSCAPE_CHECK(adviseSplit(use));
      }
    }
    // What costs nothing comes before Pack, whatever that saves.
    std::ranges::stable_sort(m_advice, [](const Advice& a, const Advice& b) {
      const bool hasPrice = a.kind == AdviceKind::Pack;
      if (hasPrice != (b.kind == AdviceKind::Pack)) return !hasPrice;
      return a.savedBytesPerInstance > b.savedBytesPerInstance;
    });
    if (std::ranges::none_of(m_advice, [](const Advice& advice) { return advice.savedBytesPerInstance > 0; }))
      m_advice.insert(m_advice.begin(), {AdviceKind::NothingToGain, nothingToGain(), 0});
    return std::move(m_advice);
  }

 private:
  bool isPlain() const {
    const bool isPlainKind = m_declaration.kind == TypeKind::Class || m_declaration.kind == TypeKind::Struct;
    return isPlainKind && m_declaration.wellKnown == WellKnownType::None && m_placement.repeat == 1 &&
           !m_declaration.inlineArrayLength;
  }

  bool isReadersToChange() const {
    return !isOfFramework(m_rules.types(), m_type) && !isMadeByCompiler(m_rules.types().nameOf(m_type));
  }

  /// "8 of 40 bytes of every object".
  std::string share(std::int64_t saved) const {
    return fmt::format("{} of {} bytes of every {}", saved, m_bytes, toString(m_unit));
  }

  void add(AdviceKind kind, std::string text, std::int64_t saved) {
    m_advice.push_back({kind, std::move(text), saved});
  }

  std::int64_t savedByBest() const { return std::int64_t{m_bytes} - m_best.best.bestBytes; }

  std::string orderText() const {
    const std::string saves = share(savedByBest());
    switch (m_best.best.means) {
      case AdviceKind::Reorder:
        return "Another order of its fields saves " + saves + ".";
      case AdviceKind::AutoAttribute:
        return fmt::format("[StructLayout(LayoutKind.Auto)]{} saves {}.",
                           m_best.change.order.empty() ? "" : " with its value types in another order", saves);
      case AdviceKind::SequentialOrder:
        return fmt::format("[StructLayout(LayoutKind.Sequential)]{} saves {}.",
                           m_best.change.order.empty() ? "" : " with its fields in another order", saves);
      case AdviceKind::ExplicitOffsets:
        if (m_declaration.layoutKind == LayoutKind::Explicit) return "Other offsets save " + saves + ".";
        return "[StructLayout(LayoutKind.Explicit)] with offsets of one's own saves " + saves +
               ", which no order under Auto or Sequential does.";
      default:
        return fmt::format("Pack = {} saves {}.", m_best.change.pack.value_or(m_declaration.pack), saves);
    }
  }

  void adviseOrder() {
    if (m_best.best.means == AdviceKind::NothingToGain) return;
    const std::string& caution = m_best.best.caution;
    add(m_best.best.means, orderText() + (caution.empty() ? "" : " " + caution), savedByBest());
  }

  // One word in front of the type, and no field moved.
  void adviseAttributeAlone() {
    if (m_declaration.layoutKind == LayoutKind::Auto || m_best.best.means == AdviceKind::AutoAttribute) return;
    if (m_declaration.layoutKind == LayoutKind::Explicit || m_best.best.means == AdviceKind::NothingToGain) return;
    const auto variant = layOutChanged(m_rules, m_type, changeFor(LayoutKind::Auto));
    if (!variant || variant->instanceBytes >= m_bytes) return;
    const std::int64_t saved = std::int64_t{m_bytes} - variant->instanceBytes;
    add(AdviceKind::AutoAttribute,
        "[StructLayout(LayoutKind.Auto)] saves " + share(saved) + " without another order of the fields.", saved);
  }

  void advisePack() {
    if (m_declaration.layoutKind == LayoutKind::Explicit) return;
    DeclarationChange change = changeFor(LayoutKind::Sequential);
    change.pack = 1;
    change.size = 0;
    const auto packed = layOutChanged(m_rules, m_type, change);
    if (!packed) return;
    if (packed->placement.effective == LayoutKind::Auto) {
      if (m_declaration.layoutKind == LayoutKind::Sequential && unusedBytes() && m_declaration.kind == TypeKind::Struct)
        add(AdviceKind::Pack, "Pack = 1 would change nothing: references keep auto layout, which ignores it.", 0);
      return;
    }
    const std::int64_t saved = std::int64_t{m_bytes} - packed->instanceBytes;
    if (saved <= savedByBest()) return;
    std::string text = "Pack = 1 saves " + share(saved);
    if (savedByBest()) text += fmt::format(", {} more than the best order", saved - savedByBest());
    add(AdviceKind::Pack, text + "." + priceOfPack(packed->placement), saved);
  }

  // Objects begin at multiples of 8, so what crosses one of those crosses a cache line in some objects.
  std::string priceOfPack(const FieldPlacement& packed) const {
    std::vector<std::string> unaligned;
    std::vector<std::string> crossing;
    for (std::size_t i = 0; i < m_declaration.fields.size(); ++i) {
      const auto alignment = alignmentOfField(m_rules, m_declaration.fields[i]);
      if (!alignment || *alignment <= 1) continue;
      // In arrays the elements themselves lie unaligned.
      const bool isOffInArrays = m_declaration.kind == TypeKind::Struct && packed.fieldBytes % *alignment != 0;
      if (packed.offsets[i] % *alignment == 0 && !isOffInArrays) continue;
      unaligned.emplace_back(m_declaration.fields[i].name);
      if (isOffInArrays ||
          packed.offsets[i] / kPointerBytes != (packed.offsets[i] + packed.sizes[i] - 1) / kPointerBytes)
        crossing.emplace_back(m_declaration.fields[i].name);
    }
    if (unaligned.empty()) return {};
    std::string text = " The price: " + listOf(unaligned) + " would lie unaligned";
    if (!crossing.empty())
      text += crossing == unaligned ? ", at times across two cache lines"
                                    : ", and " + listOf(crossing) + " at times across two cache lines";
    return text + "; reads and writes of such fields are not always atomic.";
  }

  // As many bools stay as bytes are needed for their bits: a bool takes as much as a byte.
  Result<void> adviseMergedBools() {
    if (m_declaration.layoutKind == LayoutKind::Explicit) return {};
    std::vector<std::string> bools;
    DeclarationChange merged;
    for (std::uint32_t i = 0; i < m_declaration.fields.size(); ++i) {
      const bool isBool = m_declaration.fields[i].element == ElementType::Boolean;
      if (!isBool || bools.size() % kBitsInByte == 0) merged.order.push_back(i);
      if (isBool) bools.emplace_back(m_declaration.fields[i].name);
    }
    if (bools.size() < 2) return {};
    ChangedTypes types(m_rules.types(), {{m_type, merged}});
    LayoutRules rules(types, m_rules, types.changed());
    HEAPSCAPE_TRY(const BestDeclaration then, bestOrderOf(rules, m_type));
    if (then.best.bestBytes >= m_best.best.bestBytes) return {};
    const std::int64_t saved = std::int64_t{m_bytes} - then.best.bestBytes;
    const std::size_t bytes = (bools.size() + kBitsInByte - 1) / kBitsInByte;
    std::string text = fmt::format("The bool fields {} as bits of {} save {}", listOf(bools),
                                   bytes == 1 ? "one byte" : fmt::format("{} bytes", bytes), share(saved));
    if (then.best.means != AdviceKind::NothingToGain) text += ", with the best order of what is then there";
    if (savedByBest()) text += fmt::format(", {} more than the best order alone", saved - savedByBest());
    add(AdviceKind::MergeBools, text + ".", saved);
    return {};
  }

  Result<void> adviseSplit(std::span<const FieldUse> use) {
    if (m_declaration.kind != TypeKind::Class) return {};
    if (use.empty()) {
      adviseCacheLines();
      return {};
    }
    HEAPSCAPE_TRY(const std::optional<ColdSplit> split, bestColdSplit(m_rules, m_type, use));
    if (!split) return {};
    const bool isOne = split->fields.size() == 1;
    std::string text = fmt::format(
        "{} {} used by {}{} of {} objects. Moved into an object of {} own, created when it is needed, {} {}, at a "
        "price of {} bytes where it is: {}{} bytes less in all.",
        listOf(split->fields), isOne ? "is" : "are", split->isUsersExact ? "" : "at most ", grouped(split->users),
        grouped(split->instances), isOne ? "its" : "their", isOne ? "it saves" : "they save", share(split->savedBytes),
        split->coldBytes, split->isUsersExact ? "" : "at least ",
        grouped(static_cast<std::uint64_t>(split->savedInAll)));
    add(AdviceKind::SplitColdFields, std::move(text),
        split->savedInAll / static_cast<std::int64_t>(std::max<std::uint64_t>(split->instances, 1)));
    return {};
  }

  void adviseCacheLines() {
    const std::uint32_t own = m_placement.fieldBytes - std::min(m_placement.fieldBytes, m_placement.start);
    if (own <= kCacheLineBytes) return;
    add(AdviceKind::SplitColdFields,
        fmt::format("Its own fields span {} bytes, more than a cache line of {}. If some are seldom used, an object of "
                    "their own would make every other one smaller.",
                    own, kCacheLineBytes),
        0);
  }

  /// Bytes of an instance that are neither header nor field.
  std::uint32_t unusedBytes() const {
    std::uint64_t used = m_placement.start;
    for (const std::uint32_t size : m_placement.sizes) used += std::uint64_t{size} * m_placement.repeat;
    if (m_declaration.kind != TypeKind::Struct) used += kObjectOverheadBytes;
    return static_cast<std::uint32_t>(m_bytes - std::min<std::uint64_t>(used, m_bytes));
  }

  std::string nothingToGain() const {
    if (!m_best.best.separation.empty()) return m_best.best.separation;
    if (m_declaration.kind != TypeKind::Class && m_declaration.kind != TypeKind::Struct)
      return fmt::format("The layout of {} {} is not a matter of choice.",
                         m_declaration.kind == TypeKind::Enum ? "an" : "a", toString(m_declaration.kind));
    if (fieldsOverlap(m_placement)) return "Fields of it share bytes, and nothing between them is empty that could go.";
    const std::uint32_t unused = unusedBytes();
    if (!unused) return "Every byte belongs to a field: no declaration takes less.";
    return fmt::format(
        "Already minimal: {} of {} bytes are padding beside its own fields, but any reordering rounds up to {} again.",
        unused, m_bytes, m_bytes);
  }

  LayoutRules& m_rules;
  ClosedTypeId m_type;
  const TypeDeclaration& m_declaration;
  const FieldPlacement& m_placement;
  LayoutUnit m_unit;
  BestDeclaration m_best;
  std::uint32_t m_bytes = 0;
  std::vector<Advice> m_advice;
};

}  // namespace

Result<std::vector<Advice>> adviceFor(LayoutRules& rules, ClosedTypeId type, std::span<const FieldUse> use,
                                      std::optional<LayoutUnit> unit) {
  const ElementType element = rules.types().type(type).element;
  if (element == ElementType::SzArray || element == ElementType::Array) return std::vector<Advice>();
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  const LayoutUnit own = isValueType(*declaration) ? LayoutUnit::Value : LayoutUnit::Object;
  return Adviser(rules, type, *declaration, *placement, unit.value_or(own)).advise(use);
}

}  // namespace heapscape::engine
