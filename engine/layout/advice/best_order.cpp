// SPDX-License-Identifier: MIT
#include "layout/advice/best_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "layout/advice/changed_layout.h"
#include "layout/advice/separation.h"
#include "layout/advice/type_advice.h"
#include "layout/object_size.h"
#include "layout/repeated_field.h"
#include "layout/rules/placed_field.h"

namespace heapscape::engine {
namespace {

// Entries of the table of paddings: enough for forty fields of four shapes, and searched within a few milliseconds.
constexpr std::size_t kMaximumEntries = 1 << 17;

}  // namespace

FieldOrderSearch::FieldOrderSearch(std::span<const FieldExtent> fields, std::uint64_t start)
    : m_fields(fields), m_start(start) {
  for (const FieldExtent& field : m_fields) m_bytes += field.sizeBytes;
  m_leastPadding = std::min(endAsGiven(), endOf(descending())) - m_start - m_bytes;
  if (m_leastPadding == 0) return;
  search();
  m_isExact = isSearched();
  if (m_isExact) m_leastPadding = m_paddingLeft[(m_states - 1) * m_period + m_start % m_period];
}

void FieldOrderSearch::groupByShape() {
  for (const FieldExtent& field : m_fields) m_period = std::max(m_period, std::bit_ceil(field.alignment));
  for (std::uint32_t i = 0; i < m_fields.size(); ++i) {
    const std::uint32_t modulo = m_fields[i].sizeBytes % m_period;
    const auto known = std::ranges::find_if(m_shapes, [&](const Shape& shape) {
      return shape.alignment == m_fields[i].alignment && shape.sizeModulo == modulo;
    });
    Shape& shape = known != m_shapes.end() ? *known : m_shapes.emplace_back(m_fields[i].alignment, modulo);
    shape.fields.push_back(i);
    if (m_shapes.size() > kMaximumEntries / m_fields.size()) return;  // hopeless: every field has a shape of its own
  }
}

bool FieldOrderSearch::canBeSearched() {
  std::size_t grouped = 0;
  for (Shape& shape : m_shapes) {
    grouped += shape.fields.size();
    shape.stride = m_states;
    m_states *= shape.fields.size() + 1;
    if (m_states * m_period > kMaximumEntries) return false;
  }
  return grouped == m_fields.size();
}

std::uint32_t FieldOrderSearch::paddingAt(std::size_t residue, const Shape& shape) const {
  return static_cast<std::uint32_t>(alignUp(residue, shape.alignment) - residue);
}

std::size_t FieldOrderSearch::residueBehind(std::size_t residue, const Shape& shape) const {
  return (alignUp(residue, shape.alignment) + shape.sizeModulo) % m_period;
}

// A state with one field less has a smaller number, so that all that a state needs is known before it.
void FieldOrderSearch::search() {
  groupByShape();
  if (!canBeSearched()) return;
  m_paddingLeft.assign(m_states * m_period, std::numeric_limits<std::uint32_t>::max());
  std::fill_n(m_paddingLeft.begin(), m_period, 0u);
  for (std::size_t state = 1; state < m_states; ++state) {
    for (const Shape& shape : m_shapes) {
      if (state / shape.stride % (shape.fields.size() + 1) == 0) continue;
      const std::size_t without = (state - shape.stride) * m_period;
      for (std::size_t residue = 0; residue < m_period; ++residue) {
        std::uint32_t& least = m_paddingLeft[state * m_period + residue];
        least = std::min(least, paddingAt(residue, shape) + m_paddingLeft[without + residueBehind(residue, shape)]);
      }
    }
  }
}

std::vector<std::uint32_t> FieldOrderSearch::orderEndingBy(std::uint64_t end) {
  if (endAsGiven() <= end) return asGiven();
  if (m_shapes.empty()) search();
  if (!isSearched()) return descending();
  std::vector<std::uint32_t> order;
  std::vector<std::size_t> taken(m_shapes.size());
  std::uint64_t paddingToSpend = end - m_start - m_bytes;
  std::size_t residue = m_start % m_period;
  std::size_t state = m_states - 1;
  while (order.size() < m_fields.size()) {
    std::size_t best = m_shapes.size();
    for (std::size_t i = 0; i < m_shapes.size(); ++i) {
      const Shape& shape = m_shapes[i];
      if (taken[i] == shape.fields.size()) continue;
      const std::size_t next = (state - shape.stride) * m_period + residueBehind(residue, shape);
      if (paddingAt(residue, shape) + std::uint64_t{m_paddingLeft[next]} > paddingToSpend) continue;
      if (best == m_shapes.size() || shape.fields[taken[i]] < m_shapes[best].fields[taken[best]]) best = i;
    }
    if (best == m_shapes.size()) return descending();  // asked for an earlier end than there is
    const Shape& shape = m_shapes[best];
    order.push_back(shape.fields[taken[best]++]);
    paddingToSpend -= paddingAt(residue, shape);
    residue = residueBehind(residue, shape);
    state -= shape.stride;
  }
  return order;
}

std::vector<std::uint32_t> FieldOrderSearch::asGiven() const {
  std::vector<std::uint32_t> order(m_fields.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// Fields whose size is no multiple of their alignment come last, where they push nothing off its alignment.
std::vector<std::uint32_t> FieldOrderSearch::descending() const {
  std::vector<std::uint32_t> order = asGiven();
  const auto rank = [this](std::uint32_t i) {
    const FieldExtent& field = m_fields[i];
    return field.sizeBytes % field.alignment ? 0 : field.alignment;
  };
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return rank(a) > rank(b); });
  return order;
}

std::uint64_t FieldOrderSearch::endOf(std::span<const std::uint32_t> order) const {
  std::uint64_t end = m_start;
  for (const std::uint32_t i : order) end = alignUp(end, m_fields[i].alignment) + m_fields[i].sizeBytes;
  return end;
}

std::uint64_t FieldOrderSearch::endAsGiven() const {
  std::uint64_t end = m_start;
  for (const FieldExtent& field : m_fields) end = alignUp(end, field.alignment) + field.sizeBytes;
  return end;
}

namespace {

/// Fields that share bytes, directly or through others: a union, which may be moved as a whole.
struct OverlapCluster {
  std::vector<std::uint32_t> fields;  // indices
  std::uint32_t start = 0;            // offset of the whole, at a multiple of its alignment
  FieldExtent shape;
};

/// Every field is in one cluster, most in one of their own; by offset. `shapes`: of each field.
std::vector<OverlapCluster> overlapClusters(const FieldPlacement& placement, std::span<const FieldExtent> shapes) {
  std::vector<std::uint32_t> byOffset(placement.offsets.size());
  std::iota(byOffset.begin(), byOffset.end(), 0u);
  std::ranges::stable_sort(byOffset, {}, [&](std::uint32_t field) { return placement.offsets[field]; });
  std::vector<OverlapCluster> clusters;
  std::uint64_t end = 0;
  for (const std::uint32_t field : byOffset) {
    if (clusters.empty() || placement.offsets[field] >= end)
      clusters.push_back({.fields = {}, .start = placement.offsets[field], .shape = {}});
    OverlapCluster& cluster = clusters.back();
    cluster.fields.push_back(field);
    cluster.shape.alignment = std::max(cluster.shape.alignment, shapes[field].alignment);
    end = std::max(end, std::uint64_t{placement.offsets[field]} + placement.sizes[field]);
    cluster.shape.sizeBytes = static_cast<std::uint32_t>(end);  // of the end, until it is known where it starts
  }
  for (OverlapCluster& cluster : clusters) {
    cluster.start -= cluster.start % cluster.shape.alignment;
    cluster.shape.sizeBytes -= cluster.start;
  }
  return clusters;
}

struct Attribute {
  LayoutKind kind = LayoutKind::Auto;
  std::uint32_t pack = 0;
  std::uint32_t size = 0;

  bool operator==(const Attribute&) const = default;
};

std::vector<std::string> namesOf(const TypeDeclaration& declaration, const std::vector<std::uint32_t>& order) {
  std::vector<std::string> names;
  if (order.empty()) {
    for (const FieldDeclaration& field : declaration.fields) names.emplace_back(field.name);
  }
  for (const std::uint32_t index : order) names.emplace_back(declaration.fields[index].name);
  return names;
}

class BestDeclarationSearch {
 public:
  BestDeclarationSearch(LayoutRules& rules, ClosedTypeId type, const TypeDeclaration& declaration,
                        const FieldPlacement& placement)
      : m_rules(rules), m_type(type), m_declaration(declaration), m_placement(placement) {
    m_declared = {declaration.layoutKind, declaration.pack, declaration.size};
  }

  Result<BestDeclaration> run(const BestOrderOptions& options) {
    HEAPSCAPE_TRY(m_found.best.instanceBytes, instanceBytesOf(m_rules, m_type));
    m_found.best.bestBytes = m_found.best.instanceBytes;
    HEAPSCAPE_TRY(m_found.best.separation, separationOf(m_rules, m_type));
    if (canBeChanged()) {
      HEAPSCAPE_CHECK(measureFields());
      if (fieldsOverlap(m_placement)) {
        tryMovingUnions();
        // Without a union at all it may be less: told with a caution, since no other declaration can mean the same.
        tryAttribute({LayoutKind::Auto, 0, 0});
        tryAttribute({LayoutKind::Sequential, 0, 0});
      } else {
        tryAttributes();
      }
      if (options.pack && !fieldsOverlap(m_placement)) tryAttribute({LayoutKind::Sequential, *options.pack, 0});
      m_found.isExact = m_found.isExact || m_found.best.bestBytes == leastBytes();
    }
    m_found.best.order = namesOf(m_declaration, m_found.change.order);
    if (m_found.best.means == AdviceKind::NothingToGain) return std::move(m_found);
    HEAPSCAPE_TRY(m_found.best.declaration, csharpDeclaration(m_rules, m_type, m_found.change));
    HEAPSCAPE_TRY(m_found.best.caution, cautionAgainst(m_rules, m_type, m_found.change));
    return std::move(m_found);
  }

 private:
  // Types whose size is their meaning are left as they are.
  bool canBeChanged() const {
    const bool isPlain = m_declaration.kind == TypeKind::Class || m_declaration.kind == TypeKind::Struct;
    return isPlain && m_declaration.wellKnown == WellKnownType::None && !m_declaration.fields.empty() &&
           !m_declaration.inlineArrayLength && !isFixedBuffer(m_rules.types().nameOf(m_type)) &&
           m_found.best.separation.empty();
  }

  Result<void> measureFields() {
    for (std::size_t i = 0; i < m_declaration.fields.size(); ++i) {
      HEAPSCAPE_TRY(const std::uint32_t alignment, alignmentOfField(m_rules, m_declaration.fields[i]));
      m_shapes.push_back({m_placement.sizes[i], std::max(alignment, 1u)});
    }
    if (m_declaration.base.isNone() || m_declaration.kind == TypeKind::Struct) return {};
    HEAPSCAPE_TRY(const FieldPlacement* base, m_rules.placementOf(m_declaration.base));
    m_baseBytes = base->isZeroSized ? 0 : base->fieldBytes;
    m_hasBaseBytes = base->fieldBytes != 0;
    return {};
  }

  // No declaration can do with less: the fields alone, and what they are rounded up to however they are declared.
  std::uint64_t leastBytes() const {
    std::uint64_t bytes = m_baseBytes;
    std::uint32_t largest = 1;
    for (const FieldExtent& shape : m_shapes) {
      bytes += shape.sizeBytes;
      largest = std::max(largest, shape.alignment);
    }
    if (m_declaration.kind == TypeKind::Class) return instanceBytesUpTo(bytes);
    // Auto value types that hold references end at a multiple of 8, whatever else is in them.
    if (!m_placement.references.empty()) return alignUp(bytes, kPointerBytes);
    const bool keepsAlignment = !m_declared.pack && !m_declared.size;
    return keepsAlignment ? alignUp(bytes, largest) : bytes;
  }

  // In order of preference, since only fewer bytes win over an earlier one: what is declared, then the attribute that
  // says nothing about order, then the others.
  void tryAttributes() {
    const std::array<Attribute, 6> attributes{{m_declared,
                                               {m_declared.kind, 0, 0},
                                               {LayoutKind::Auto, 0, 0},
                                               {LayoutKind::Sequential, 0, 0},
                                               {LayoutKind::Sequential, m_declared.pack, m_declared.size},
                                               {LayoutKind::Explicit, 0, 0}}};
    for (const Attribute& attribute : attributes)
      if (m_found.best.bestBytes > leastBytes()) tryAttribute(attribute);
  }

  void tryAttribute(const Attribute& attribute) {
    if (std::ranges::find(m_tried, attribute) != m_tried.end()) return;
    m_tried.push_back(attribute);
    if (attribute.kind == LayoutKind::Explicit) {
      tryExplicit(attribute);
      return;
    }
    const DeclarationChange change = changeTo(attribute);
    const auto variant = layOutChanged(m_rules, m_type, change);
    if (!variant) return;  // the runtime would refuse it
    if (variant->placement.effective == LayoutKind::Auto) {
      tryOrdersOfValueTypes(attribute, variant->placement);
    } else {
      tryOrders(attribute, variant->placement.start);
    }
  }

  DeclarationChange changeTo(const Attribute& attribute) const {
    DeclarationChange change;
    if (attribute.kind != m_declared.kind) change.layoutKind = attribute.kind;
    if (attribute.pack != m_declared.pack) change.pack = attribute.pack;
    if (attribute.size != m_declared.size) change.size = attribute.size;
    return change;
  }

  // Auto layout sorts all other fields itself, and has value types last.
  void tryOrdersOfValueTypes(const Attribute& attribute, const FieldPlacement& placement) {
    std::uint64_t start = placement.start;
    std::vector<std::uint32_t> places;
    std::vector<FieldExtent> values;
    for (std::uint32_t i = 0; i < m_shapes.size(); ++i) {
      if (!isPlacedAsValueType(m_declaration.fields[i])) {
        start = std::max<std::uint64_t>(start, std::uint64_t{placement.offsets[i]} + placement.sizes[i]);
        continue;
      }
      places.push_back(i);
      values.push_back(
          {m_shapes[i].sizeBytes, m_rules.runtime().classicStructs ? kPointerBytes : m_shapes[i].alignment});
    }
    FieldOrderSearch search(values, start);
    tryOrdersOf(attribute, search, [&](const std::vector<std::uint32_t>& order) {
      std::vector<std::uint32_t> whole = asDeclared();
      for (std::size_t i = 0; i < order.size(); ++i) whole[places[i]] = places[order[i]];
      return whole;
    });
  }

  void tryOrders(const Attribute& attribute, std::uint64_t start) {
    std::vector<FieldExtent> shapes = m_shapes;
    for (FieldExtent& shape : shapes)
      if (attribute.pack) shape.alignment = std::min(shape.alignment, attribute.pack);
    FieldOrderSearch search(shapes, start);
    tryOrdersOf(attribute, search, [](const std::vector<std::uint32_t>& order) { return order; });
  }

  // Below a base with fields the runtime counts that base twice, and below an empty one its byte.
  void tryExplicit(const Attribute& attribute) {
    if (m_declaration.isGeneric || m_hasBaseBytes) return;
    FieldOrderSearch search(m_shapes, 0);
    tryOrdersOf(attribute, search, [](const std::vector<std::uint32_t>& order) { return order; });
  }

  // Fields that share bytes on purpose go on doing so; what is empty around them need not be.
  void tryMovingUnions() {
    const std::vector<OverlapCluster> clusters = overlapClusters(m_placement, m_shapes);
    std::vector<FieldExtent> shapes;
    for (const OverlapCluster& cluster : clusters) shapes.push_back(cluster.shape);
    // Offsets of a class count from behind the base, which the runtime adds once more.
    const FieldDeclaration& first = m_declaration.fields.front();
    const std::uint64_t start = m_placement.offsets.front() - first.explicitOffset.value_or(0);
    FieldOrderSearch search(shapes, start);
    m_found.isExact = search.isExact();
    DeclarationChange change = changeTo({LayoutKind::Explicit, m_declared.pack, 0});
    change.explicitOffsets.resize(m_declaration.fields.size());
    std::uint64_t end = start;
    for (const std::uint32_t i : search.orderEndingBy(search.earliestEnd())) {
      const std::uint64_t place = alignUp(end, clusters[i].shape.alignment);
      end = place + clusters[i].shape.sizeBytes;
      for (const std::uint32_t field : clusters[i].fields)
        change.explicitOffsets[field] =
            static_cast<std::uint32_t>(place - start + m_placement.offsets[field] - clusters[i].start);
    }
    const auto variant = layOutChanged(m_rules, m_type, change);
    if (!variant || variant->instanceBytes >= m_found.best.bestBytes) return;
    m_found.best.bestBytes = variant->instanceBytes;
    m_found.best.means = AdviceKind::ExplicitOffsets;
    m_found.change = std::move(change);
  }

  template <class WholeOrder>
  void tryOrdersOf(const Attribute& attribute, FieldOrderSearch& search, WholeOrder&& wholeOrder) {
    m_found.isExact = m_found.isExact && search.isExact();
    if (instanceBytesUpTo(search.earliestEnd()) >= m_found.best.bestBytes) return;
    if (!consider(attribute, wholeOrder(search.orderEndingBy(search.earliestEnd())))) return;
    // Rounding may leave room for an order that is nearer to the declared one.
    const std::uint32_t overhead = m_declaration.kind == TypeKind::Class ? kObjectOverheadBytes : 0;
    const std::uint64_t room = m_found.best.bestBytes - overhead;
    if (room > search.earliestEnd()) consider(attribute, wholeOrder(search.orderEndingBy(room)), true);
  }

  // At the least: value types may be rounded further.
  std::uint64_t instanceBytesUpTo(std::uint64_t end) const {
    if (m_declaration.kind != TypeKind::Class) return end;
    return objectBytes(end);
  }

  bool consider(const Attribute& attribute, std::vector<std::uint32_t> order, bool alsoIfEqual = false) {
    DeclarationChange change = changeTo(attribute);
    if (attribute.kind == LayoutKind::Explicit) change.explicitOffsets = offsetsOf(order);
    if (order != asDeclared()) change.order = std::move(order);
    const auto variant = layOutChanged(m_rules, m_type, change);
    if (!variant) return false;
    const std::uint32_t limit = m_found.best.bestBytes;
    if (variant->instanceBytes > limit || (variant->instanceBytes == limit && !alsoIfEqual)) return false;
    m_found.best.bestBytes = variant->instanceBytes;
    m_found.best.means = meansOf(attribute);
    m_found.change = std::move(change);
    return true;
  }

  std::vector<std::uint32_t> offsetsOf(const std::vector<std::uint32_t>& order) const {
    std::vector<std::uint32_t> offsets;
    std::uint64_t end = 0;
    for (const std::uint32_t i : order) {
      offsets.push_back(static_cast<std::uint32_t>(alignUp(end, m_shapes[i].alignment)));
      end = offsets.back() + std::uint64_t{m_shapes[i].sizeBytes};
    }
    return offsets;
  }

  AdviceKind meansOf(const Attribute& attribute) const {
    if (attribute.kind == LayoutKind::Explicit) return AdviceKind::ExplicitOffsets;
    if (attribute == m_declared) return AdviceKind::Reorder;
    if (attribute.kind == LayoutKind::Auto) return AdviceKind::AutoAttribute;
    return attribute.pack ? AdviceKind::Pack : AdviceKind::SequentialOrder;
  }

  std::vector<std::uint32_t> asDeclared() const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_declaration.fields.size(); ++i) order.push_back(i);
    return order;
  }

  LayoutRules& m_rules;
  ClosedTypeId m_type;
  const TypeDeclaration& m_declaration;
  const FieldPlacement& m_placement;
  Attribute m_declared;
  std::vector<FieldExtent> m_shapes;
  std::uint32_t m_baseBytes = 0;  // that own fields go on behind, at the least
  bool m_hasBaseBytes = false;    // also that of an empty base
  std::vector<Attribute> m_tried;
  BestDeclaration m_found;
};

}  // namespace

Result<BestDeclaration> bestOrderOf(LayoutRules& rules, ClosedTypeId type, const BestOrderOptions& options) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  return BestDeclarationSearch(rules, type, *declaration, *placement).run(options);
}

}  // namespace heapscape::engine
