// SPDX-License-Identifier: MIT
#include "session/types/type_query.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>

#include "base/limits.h"
#include "base/progress.h"
#include "metadata/names/parsed_type_name.h"
#include "session/objects/scope_walk.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {
namespace {

void add(TypeCounts& counts, const TypeCounts& other) {
  for (std::size_t type = 0; type < counts.garbageCount.size(); ++type) {
    counts.garbageCount[type] += other.garbageCount[type];
    counts.garbageBytes[type] += other.garbageBytes[type];
  }
  for (std::size_t type = 0; type < counts.count.size(); ++type) {
    counts.count[type] += other.count[type];
    counts.bytes[type] += other.bytes[type];
    counts.components[type] += other.components[type];
    for (std::size_t generation = 0; generation < kGenerationCount; ++generation) {
      counts.generationBytes[type][generation] += other.generationBytes[type][generation];
      counts.generationCount[type][generation] += other.generationCount[type][generation];
    }
  }
}

/// The name part of a query, made ready once.
class NameFilter {
 public:
  static Outcome<NameFilter> make(const TypeQuery& query) {
    NameFilter filter;
    filter.m_nameSpace = query.nameSpace;
    if (query.text.empty()) return filter;
    RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(false);
    options.set_literal(!query.isRegularExpression);
    filter.m_pattern = std::make_shared<RE2>(query.text, options);
    if (!filter.m_pattern->ok()) {
      return tl::unexpected(Unfinished(
          Error{ErrorCode::BadQuery, fmt::format("This is not a regular expression: {}.", filter.m_pattern->error())}));
    }
    return filter;
  }

  bool accepts(const std::string& name) const {
    if (!m_nameSpace.empty()) {
      const std::string_view own = namespaceOf(name);
      const bool isBelow =
          own.size() > m_nameSpace.size() && own.starts_with(m_nameSpace) && own[m_nameSpace.size()] == '.';
      if (own != m_nameSpace && !isBelow) return false;
    }
    return !m_pattern || RE2::PartialMatch(name, *m_pattern);
  }

 private:
  std::shared_ptr<const RE2> m_pattern;
  std::string m_nameSpace;
};

/// Compares two types by one column, then by name and address, so that every order is a total one.
class TypeOrder {
 public:
  TypeOrder(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query)
      : m_types(snapshot.types()), m_column(query.sortBy), m_descending(query.descending) {
    if (!isText()) {
      m_keys.resize(m_types.size());
      for (std::uint32_t i = 0; i < m_keys.size(); ++i) m_keys[i] = keyOf(snapshot, counts, {i});
    }
  }

  bool operator()(TypeId a, TypeId b) const {
    if (isText()) {
      const int difference = textOf(a).compare(textOf(b));
      if (difference != 0) return m_descending ? difference > 0 : difference < 0;
    } else if (m_keys[a.value] != m_keys[b.value]) {
      return m_descending ? m_keys[a.value] > m_keys[b.value] : m_keys[a.value] < m_keys[b.value];
    }
    const int difference = m_types[a.value].name.compare(m_types[b.value].name);
    return difference != 0 ? difference < 0 : a < b;
  }

 private:
  bool isText() const { return m_column == TypeColumn::Name || m_column == TypeColumn::Assembly; }
  const std::string& textOf(TypeId type) const {
    return m_column == TypeColumn::Name ? m_types[type.value].name : m_types[type.value].assembly;
  }
  std::uint64_t keyOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type) const {
    switch (m_column) {
      case TypeColumn::Count:
        return counts.count[type.value];
      case TypeColumn::AverageBytes:
        return counts.count[type.value] ? counts.bytes[type.value] / counts.count[type.value] : 0;
      case TypeColumn::PaddingBytes:
        return paddingBytesOf(snapshot, counts, type);
      case TypeColumn::RetainedBytes:
        return snapshot.typeRetained().empty() ? 0 : snapshot.typeRetained()[type.value].retainedBytes;
      case TypeColumn::GarbageBytes:
        return garbageBytesOf(snapshot, counts, type).value_or(0);
      default:
        return counts.bytes[type.value];
    }
  }

  const std::vector<TypeRow>& m_types;
  TypeColumn m_column;
  bool m_descending;
  std::vector<std::uint64_t> m_keys;
};

}  // namespace

Outcome<TypeCounts> countTypes(const Snapshot& snapshot, const HeapScope& scope, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap || scope.isWhole()) return snapshot.typeCounts();
  const std::vector<TypeRow>& types = snapshot.types();
  const bool isReachKnown = contents.retention != nullptr;
  const auto none = [&] {
    TypeCounts counts(types.size());
    if (isReachKnown) counts.garbageCount.resize(types.size());
    if (isReachKnown) counts.garbageBytes.resize(types.size());
    return counts;
  };
  tbb::enumerable_thread_specific<TypeCounts> locals(none);
  const bool done = visitScope(
      contents, scope, locals,
      [&](TypeCounts& counts, const ObjectFacts& facts, Generation generation) {
        const std::uint32_t type = facts.type.value;
        ++counts.count[type];
        counts.bytes[type] += facts.alignedBytes();
        counts.components[type] += facts.components;
        ++counts.generationCount[type][static_cast<std::size_t>(generation)];
        counts.generationBytes[type][static_cast<std::size_t>(generation)] += facts.alignedBytes();
        if (!isReachKnown || !contents.retention->isGarbage(contents.heap->index.idOf(facts.address).value)) return;
        ++counts.garbageCount[type];
        counts.garbageBytes[type] += facts.alignedBytes();
      },
      stop);
  if (!done) return tl::unexpected(Unfinished::cancelled());
  TypeCounts sum = none();
  for (const TypeCounts& local : locals) add(sum, local);
  return sum;
}

std::uint64_t paddingBytesOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type) {
  const auto& paddings = *snapshot.contents().paddings;
  if (type.value >= paddings.size()) return 0;
  return paddings[type.value].ofObject * counts.count[type.value] +
         paddings[type.value].ofElement * counts.components[type.value];
}

std::optional<std::uint64_t> garbageBytesOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type) {
  if (snapshot.types()[type.value].isFree) return std::nullopt;
  if (!counts.garbageBytes.empty()) return counts.garbageBytes[type.value];
  const auto reach = snapshot.typeReach(type);
  return reach ? std::optional(reach->garbageBytes()) : std::nullopt;
}

std::optional<std::uint64_t> garbageCountOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type) {
  if (snapshot.types()[type.value].isFree) return std::nullopt;
  if (!counts.garbageCount.empty()) return counts.garbageCount[type.value];
  const auto reach = snapshot.typeReach(type);
  return reach ? std::optional(reach->garbageObjects()) : std::nullopt;
}

Outcome<TypeSelection> selectTypes(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query,
                                   std::stop_token stop) {
  HEAPSCAPE_TRY(const NameFilter filter, NameFilter::make(query));
  TypeSelection selection;
  const std::vector<TypeRow>& types = snapshot.types();
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (i % 1024 == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (counts.count[i] == 0 || (types[i].isFree && !query.includeFree) || !filter.accepts(types[i].name)) continue;
    selection.types.push_back({i});
    selection.objects += counts.count[i];
    selection.bytes += counts.bytes[i];
    selection.paddingBytes += paddingBytesOf(snapshot, counts, {i});
  }
  const TypeOrder order(snapshot, counts, query);
  std::sort(selection.types.begin(), selection.types.end(), [&order](TypeId a, TypeId b) { return order(a, b); });
  return selection;
}

namespace {

constexpr std::size_t kNamesInMessage = 5;

struct NamedType {
  std::string name;
  Address methodTable;
  bool hasObjects = false;
};

class TypeFinder {
 public:
  TypeFinder(const Snapshot& snapshot, std::string text, std::stop_token stop)
      : m_readers(*snapshot.contents().readers), m_text(std::move(text)), m_stop(std::move(stop)) {
    if (snapshot.isRecorded()) {
      for (const TypeRow& row : snapshot.types()) m_candidates.push_back({row.name, row.methodTable, true});
      std::ranges::sort(m_candidates, {}, [](const NamedType& c) { return std::tie(c.name, c.methodTable); });
      return;
    }
    std::unordered_map<Address, bool> addresses;  // with objects or not
    for (const TypeRow& row : snapshot.types()) {
      if (!row.isFree) addresses[row.methodTable] = true;
    }
    for (const Address address : m_readers.loadedTypes.all()) addresses.try_emplace(address, false);
    m_candidates.reserve(addresses.size());
    for (const auto& [address, hasObjects] : addresses) {
      if (m_candidates.size() % kHeavyStopInterval == 0 && m_stop.stop_requested()) break;
      m_candidates.push_back({m_readers.names.nameOf(address), address, hasObjects});
    }
    std::ranges::sort(m_candidates, {}, [](const NamedType& c) { return std::tie(c.name, c.methodTable); });
  }

  Result<Address> find() const {
    if (m_text.empty()) return failure(ErrorCode::BadQuery, "No type was named.");
    // From the narrowest meaning of the text to the widest; the first one that some type fits decides.
    const auto equals = [&](const NamedType& c) { return c.name == m_text; };
    if (const auto fits = those(equals); !fits.empty()) return only(fits);
    const TypeNameSearch search(m_text);
    const auto isNamed = [&](const NamedType& c) { return search.isNameOf(c.name); };
    if (const auto fits = those(isNamed); !fits.empty()) return only(fits);
    if (const Address definition = definitionWithParameters()) return definition;
    if (const auto fits = thoseOfDefinition(); !fits.empty()) return only(fits);
    const auto holds = [&](const NamedType& c) { return search.isHeldBy(c.name); };
    if (const auto fits = those(holds); !fits.empty()) return only(fits);
    return failure(ErrorCode::NotFound, fmt::format("No loaded type is named {}, and none has it in its name.", m_text),
                   "The verb types lists those with objects; a type without objects may not have been loaded.");
  }

 private:
  using Fitting = std::vector<const NamedType*>;

  Fitting those(const auto& predicate) const {
    Fitting fits;
    for (const NamedType& candidate : m_candidates) {
      if (predicate(candidate)) fits.push_back(&candidate);
    }
    return fits;
  }

  /// A definition with its own parameters, as the verb generics prints it: "Shop.Pair<TKey, TValue>". What is open has
  /// no objects, and is in no list of loaded types.
  Address definitionWithParameters() const {
    const auto parsed = parseTypeName(m_text);
    if (!parsed || parsed->arguments.empty() || !parsed->suffixes.empty()) return {};
    for (const Module* module : m_readers.modules.all()) {
      const std::uint32_t row = module->metadata ? module->metadata->findTypeDef(parsed->definition) : 0;
      if (!row) continue;
      const auto parameters = module->metadata->genericParamNames({TableId::TypeDef, row});
      if (std::ranges::equal(parameters, parsed->arguments, {}, {}, &ParsedTypeName::writtenDefinition))
        return m_readers.loadedTypes.definition(*module, row);
    }
    return {};
  }

  /// A generic definition stands for its instantiations: "System.Collections.Generic.List`1", "List`1".
  Fitting thoseOfDefinition() const {
    if (m_text.find('`') == std::string::npos) return {};
    const Fitting all = those([&](const NamedType& candidate) {
      const auto type = m_readers.methodTables.read(candidate.methodTable);
      if (!type || type->isArray) return false;
      const std::string name = m_readers.names.definitionName(*type);
      return name == m_text || name.ends_with("." + m_text) || name.ends_with("+" + m_text);
    });
    // Forms over type parameters and over System.__Canon are not what is asked for if there are others.
    Fitting used;
    std::ranges::copy_if(all, std::back_inserter(used), [](const NamedType* c) { return c->hasObjects; });
    return used.empty() ? all : used;
  }

  Result<Address> only(const Fitting& fits) const {
    if (fits.size() == 1) return fits.front()->methodTable;
    // Of types with the same name, as in two load contexts, the one with objects is meant.
    const bool isOneName = std::ranges::all_of(fits, [&](const NamedType* c) { return c->name == fits.front()->name; });
    if (isOneName && std::ranges::count_if(fits, &NamedType::hasObjects) == 1)
      return (*std::ranges::find_if(fits, &NamedType::hasObjects))->methodTable;
    std::string names;
    for (const NamedType* candidate : std::span(fits).first(std::min(fits.size(), kNamesInMessage))) {
      if (!names.empty()) names += ", ";
      names += candidate->name;
      if (!isStandIn(candidate->methodTable)) names += fmt::format(" ({})", toString(candidate->methodTable));
    }
    if (fits.size() > kNamesInMessage) names += " …";
    return failure(ErrorCode::BadQuery, fmt::format("{} loaded types fit {}: {}.", fits.size(), m_text, names),
                   "Give the whole name, or the address of the method table.");
  }

  const RuntimeReaders& m_readers;
  const std::string m_text;
  const std::stop_token m_stop;
  std::vector<NamedType> m_candidates;  // by name
};

}  // namespace

Result<Address> findType(const Snapshot& snapshot, const std::string& nameOrAddress, std::stop_token stop) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  Address address;
  if (tryParseAddress(nameOrAddress, address)) {
    if (!snapshot.isRecorded() && readers.methodTables.isMethodTable(address)) return address;
    if (nameOrAddress.starts_with("0x"))
      return failure(ErrorCode::NotFound, "There is no method table at " + toString(address) + ".");
  }
  return TypeFinder(snapshot, nameOrAddress, std::move(stop)).find();
}

std::string_view namespaceOf(std::string_view typeName) {
  // Arguments, nested types and array brackets come behind the namespace and hold dots of their own.
  const std::string_view outermost = typeName.substr(0, typeName.find_first_of("<[+ "));
  const std::size_t dot = outermost.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : typeName.substr(0, dot);
}

namespace {

/// Builds the tree of namespaces of a selection.
class NamespaceGrouper {
 public:
  NamespaceGrouper(const Snapshot& snapshot, const TypeCounts& counts) : m_snapshot(snapshot), m_counts(counts) {
    m_nodes.emplace_back();
  }

  void add(TypeId type) {
    const std::string& name = m_snapshot.types()[type.value].name;
    const std::string_view nameSpace = shallow(namespaceOf(name));
    const std::uint32_t parent = nodeOf(nameSpace);
    NamespaceNode leaf;
    leaf.fullName = name;
    leaf.name = nameSpace.empty() ? name : name.substr(nameSpace.size() + 1);
    leaf.parent = parent;
    leaf.type = type;
    const auto index = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back(std::move(leaf));
    m_nodes[parent].children.push_back(index);
    const std::uint64_t padding = paddingBytesOf(m_snapshot, m_counts, type);
    const auto garbage = garbageBytesOf(m_snapshot, m_counts, type);
    for (std::uint32_t node = index;; node = m_nodes[node].parent) {
      m_nodes[node].objects += m_counts.count[type.value];
      m_nodes[node].bytes += m_counts.bytes[type.value];
      m_nodes[node].paddingBytes += padding;
      if (garbage) m_nodes[node].garbageBytes = m_nodes[node].garbageBytes.value_or(0) + *garbage;
      if (node == 0) break;
    }
  }

  // In pre-order, each node's children in this order.
  std::vector<NamespaceNode> take(TypeColumn sortBy, bool descending) {
    std::vector<NamespaceNode> ordered;
    ordered.reserve(m_nodes.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pending{{0, 0}};  // node, its parent's new index
    while (!pending.empty()) {
      const auto [node, parent] = pending.back();
      pending.pop_back();
      const auto index = static_cast<std::uint32_t>(ordered.size());
      ordered.push_back(m_nodes[node]);
      ordered[index].parent = parent;
      ordered[index].children.clear();
      if (index != 0) ordered[parent].children.push_back(index);
      std::vector<std::uint32_t> children = m_nodes[node].children;
      std::sort(children.begin(), children.end(), [&](std::uint32_t left, std::uint32_t right) {
        return isBefore(m_nodes[left], m_nodes[right], sortBy, descending);
      });
      for (auto child = children.rbegin(); child != children.rend(); ++child) pending.emplace_back(*child, index);
    }
    return ordered;
  }

 private:
  std::uint64_t figureOf(const NamespaceNode& node, TypeColumn column) const {
    const std::vector<RetainedOfType>& retained = m_snapshot.typeRetained();
    switch (column) {
      case TypeColumn::Count:
        return node.objects;
      case TypeColumn::AverageBytes:
        return node.objects == 0 ? 0 : node.bytes / node.objects;
      case TypeColumn::PaddingBytes:
        return node.paddingBytes;
      case TypeColumn::GarbageBytes:
        return node.garbageBytes.value_or(0);
      case TypeColumn::RetainedBytes:
        return node.type.isNone() || retained.empty() ? node.bytes : retained[node.type.value].retainedBytes;
      default:
        return node.bytes;
    }
  }

  bool isBefore(const NamespaceNode& left, const NamespaceNode& right, TypeColumn sortBy, bool descending) const {
    const bool byName = sortBy == TypeColumn::Name || sortBy == TypeColumn::Assembly;
    if (!byName) {
      const std::uint64_t leftFigure = figureOf(left, sortBy);
      const std::uint64_t rightFigure = figureOf(right, sortBy);
      if (leftFigure != rightFigure) return (leftFigure > rightFigure) == descending;
    }
    const int order = left.name.compare(right.name);
    if (order != 0) return byName && descending ? order > 0 : order < 0;
    return left.bytes > right.bytes;
  }

  // A damaged name may be nothing but dots; behind the deepest level it is taken as one part.
  static std::string_view shallow(std::string_view nameSpace) {
    std::size_t dot = 0;
    for (std::size_t depth = 0; depth < kLimits.nestingDepth; ++depth) {
      dot = nameSpace.find('.', dot);
      if (dot == std::string_view::npos) return nameSpace;
      ++dot;
    }
    return nameSpace.substr(0, dot - 1);
  }

  std::uint32_t nodeOf(std::string_view nameSpace) {
    if (nameSpace.empty()) return 0;
    const auto known = m_byName.find(nameSpace);
    if (known != m_byName.end()) return known->second;
    const std::size_t dot = nameSpace.rfind('.');
    const bool isTop = dot == std::string_view::npos;
    const std::uint32_t parent = isTop ? 0 : nodeOf(nameSpace.substr(0, dot));
    NamespaceNode node;
    node.fullName = nameSpace;
    node.name = isTop ? nameSpace : nameSpace.substr(dot + 1);
    node.parent = parent;
    const auto index = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back(std::move(node));
    m_nodes[parent].children.push_back(index);
    m_byName.emplace(nameSpace, index);
    return index;
  }

  const Snapshot& m_snapshot;
  const TypeCounts& m_counts;
  std::vector<NamespaceNode> m_nodes;
  std::map<std::string, std::uint32_t, std::less<>> m_byName;
};

}  // namespace

std::vector<NamespaceNode> groupByNamespace(const Snapshot& snapshot, const TypeCounts& counts,
                                            const TypeSelection& selection, TypeColumn sortBy, bool descending) {
  NamespaceGrouper grouper(snapshot, counts);
  for (const TypeId type : selection.types) grouper.add(type);
  return grouper.take(sortBy, descending);
}

}  // namespace heapscape::engine
