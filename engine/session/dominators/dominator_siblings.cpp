// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_siblings.h"

#include <algorithm>
#include <numeric>

#include "base/stop_interval.h"
#include "session/snapshot/contents.h"
#include "session/types/type_query.h"

namespace heapscape::engine {
namespace {

// Siblings lie all over memory: far enough ahead that they have arrived.
constexpr std::size_t kFetchAhead = 24;

/// Whether a namespace is this one or in it.
bool isIn(std::string_view nameSpace, std::string_view outer) {
  return nameSpace.starts_with(outer) && (nameSpace.size() == outer.size() || nameSpace[outer.size()] == '.');
}

/// Where the part of a name ends that follows the first `length` letters and a dot. A part has at least one letter,
/// even in a name of dots.
std::size_t nextPart(std::string_view nameSpace, std::size_t length) {
  const std::size_t dot = nameSpace.find('.', length ? length + 2 : 1);
  return dot == std::string_view::npos ? nameSpace.size() : dot;
}

/// An order in which all namespaces in another one stand right behind it.
bool isBefore(std::string_view a, std::string_view b) {
  const auto rank = [](char letter) { return letter == '.' ? 0 : static_cast<unsigned char>(letter) + 1; };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

}  // namespace

DominatorSiblings::DominatorSiblings(const Contents& contents, const DominatorIndex& index, DominatorGroupStore& store)
    : m_contents(contents), m_index(index), m_store(store) {}

bool DominatorSiblings::gather(std::span<const std::uint32_t> parents, std::stop_token stop) {
  for (const std::uint32_t parent : parents) {
    const auto children = m_index.children.of(parent);
    m_numbers.insert(m_numbers.end(), children.begin(), children.end());
  }
  return place(stop);
}

bool DominatorSiblings::gatherThese(std::span<const std::uint32_t> numbers, std::stop_token stop) {
  m_numbers.assign(numbers.begin(), numbers.end());
  return place(stop);
}

bool DominatorSiblings::place(const std::stop_token& stop) {
  const Retention& retention = *m_contents.retention;
  m_slots.resize(m_numbers.size());
  for (std::size_t i = 0; i < m_numbers.size(); ++i) {
    if (i % kStopInterval == 0 && stop.stop_requested()) return false;
    if (i + kFetchAhead < m_numbers.size()) {
      const std::uint32_t ahead = m_numbers[i + kFetchAhead];
      __builtin_prefetch(&m_index.typesOf[ahead]);
      retention.sizes.bytes.prefetch(ahead);
      retention.sizes.objects.prefetch(ahead);
    }
    m_slots[i] = slotOf(m_numbers[i]);
    add(m_slots[i], m_numbers[i]);
  }
  return true;
}

std::uint32_t DominatorSiblings::newSlot(DominatorKind kind, std::uint32_t key) {
  m_groups.push_back({.kind = kind, .key = key});
  m_counts.push_back(0);
  return static_cast<std::uint32_t>(m_groups.size() - 1);
}

std::uint32_t DominatorSiblings::slotOf(std::uint32_t number) {
  const Retention& retention = *m_contents.retention;
  const std::uint32_t vertex = retention.tree.vertexOf(number);
  if (retention.tree.isObject(vertex)) {
    if (m_slotsByType.empty()) m_slotsByType.assign(m_contents.types->size() + 1, kNone);
    const std::uint32_t type = m_index.typeOf(number).value;
    std::uint32_t& slot = m_slotsByType[std::min<std::size_t>(type, m_contents.types->size())];
    if (slot == kNone) slot = newSlot(DominatorKind::Type, type);
    return slot;
  }
  if (retention.isGroup(vertex)) return newSlot(DominatorKind::RootGroup, retention.groupOf(vertex));
  const std::uint32_t root = retention.rootOf(vertex);
  const auto [slot, isNew] = m_slotsByRoot.try_emplace(retention.roots.roots[root].name, kNone);
  if (isNew) slot->second = newSlot(DominatorKind::Root, root);
  return slot->second;
}

void DominatorSiblings::add(std::uint32_t slot, std::uint32_t number) {
  const Retention& retention = *m_contents.retention;
  DominatorGroup& group = m_groups[slot];
  ++m_counts[slot];
  if (group.kind == DominatorKind::Type) group.bytes += m_contents.graph->bytesOf(retention.tree.vertexOf(number));
  group.retainedBytes += retention.sizes.bytes[number];
  group.retainedCount += retention.sizes.objects[number];
  group.dominated += m_index.children.of(number).size();
}

void DominatorSiblings::distribute() {
  const auto members = m_store.numbers.take(m_numbers.size());
  std::vector<std::size_t> next(m_groups.size());
  std::size_t first = 0;
  for (std::size_t slot = 0; slot < m_groups.size(); ++slot) {
    next[slot] = first;
    m_groups[slot].members = members.subspan(first, m_counts[slot]);
    first += m_counts[slot];
  }
  for (std::size_t i = 0; i < m_numbers.size(); ++i) members[next[m_slots[i]]++] = m_numbers[i];
}

std::vector<std::uint32_t> DominatorSiblings::append(std::uint32_t parent, const std::vector<DominatorGroup>& groups) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return groups[a].retainedBytes > groups[b].retainedBytes; });
  const auto first = static_cast<std::uint32_t>(m_store.groups.size());
  DominatorGroup& opened = m_store.groups[parent];
  opened.isOpen = true;
  opened.firstChild = first;
  opened.childCount = static_cast<std::uint32_t>(groups.size());
  std::vector<std::uint32_t> nodes(groups.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    nodes[order[i]] = first + i;
    m_store.groups.push_back(groups[order[i]]);
  }
  return nodes;
}

void DominatorSiblings::addByType(std::uint32_t parent) {
  distribute();
  append(parent, m_groups);
}

std::string_view DominatorSiblings::namespaceAt(std::size_t group) const {
  const std::uint32_t type = m_groups[group].key;
  return type < m_contents.types->size() ? namespaceOf((*m_contents.types)[type].name) : std::string_view{};
}

void DominatorSiblings::sortByNamespace() {
  std::vector<std::uint32_t> order(m_groups.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto firstType = std::stable_partition(
      order.begin(), order.end(), [this](std::uint32_t slot) { return m_groups[slot].kind != DominatorKind::Type; });
  std::stable_sort(firstType, order.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return isBefore(namespaceAt(a), namespaceAt(b)); });
  m_firstType = static_cast<std::size_t>(firstType - order.begin());

  std::vector<std::uint32_t> places(order.size());
  std::vector<DominatorGroup> groups;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    places[order[i]] = i;
    groups.push_back(m_groups[order[i]]);
    counts.push_back(m_counts[order[i]]);
  }
  for (std::uint32_t& slot : m_slots) slot = places[slot];
  m_groups = std::move(groups);
  m_counts = std::move(counts);
}

DominatorSiblings::Range DominatorSiblings::namespaceFrom(std::size_t first, const Range& within) const {
  const std::string_view name = namespaceAt(first);
  Range range{first, first + 1, nextPart(name, within.nameLength)};
  while (range.last < within.last && isIn(namespaceAt(range.last), name.substr(0, range.nameLength))) ++range.last;
  // Those between the first and the last one share what these two share.
  while (range.nameLength < name.size()) {
    const std::size_t longer = nextPart(name, range.nameLength);
    if (!isIn(namespaceAt(range.last - 1), name.substr(0, longer))) break;
    range.nameLength = longer;
  }
  return range;
}

DominatorGroup DominatorSiblings::namespaceGroup(const Range& range) {
  DominatorGroup whole{.kind = DominatorKind::Namespace, .key = static_cast<std::uint32_t>(m_store.namespaces.size())};
  m_store.namespaces.emplace_back(namespaceAt(range.first).substr(0, range.nameLength));
  std::size_t members = 0;
  for (std::size_t i = range.first; i < range.last; ++i) {
    members += m_groups[i].members.size();
    whole.bytes += m_groups[i].bytes;
    whole.retainedBytes += m_groups[i].retainedBytes;
    whole.retainedCount += m_groups[i].retainedCount;
    whole.dominated += m_groups[i].dominated;
  }
  whole.members = {m_groups[range.first].members.data(), members};
  return whole;
}

void DominatorSiblings::addByNamespace(std::uint32_t parent) {
  sortByNamespace();
  distribute();
  std::vector<Pending> pending{{parent, {m_firstType, m_groups.size(), 0}}};
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const auto [node, within] = pending[i];
    std::vector<DominatorGroup> groups;
    std::vector<Range> ranges;  // empty for a type
    if (i == 0) {
      groups.assign(m_groups.begin(), m_groups.begin() + static_cast<std::ptrdiff_t>(m_firstType));
      ranges.resize(m_firstType);
    }
    for (std::size_t first = within.first; first < within.last;) {
      if (namespaceAt(first).size() <= within.nameLength) {
        groups.push_back(m_groups[first++]);
        ranges.emplace_back();
      } else {
        const Range range = namespaceFrom(first, within);
        groups.push_back(namespaceGroup(range));
        ranges.push_back(range);
        first = range.last;
      }
    }
    const std::vector<std::uint32_t> nodes = append(node, groups);
    for (std::size_t child = 0; child < nodes.size(); ++child) {
      if (ranges[child].nameLength) pending.push_back({nodes[child], ranges[child]});
    }
  }
}

}  // namespace heapscape::engine
