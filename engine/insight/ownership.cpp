// SPDX-License-Identifier: MIT
#include "insight/ownership.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kStatic = "static ";
constexpr std::uint32_t kSeveral = 0;  // as an owner's number: not one alone
constexpr std::uint32_t kUnreachable = 0xffffffff;
constexpr std::uint32_t kFrozen = 0xfffffffe;  // of what nothing refers to: never collected all the same
constexpr std::uint64_t kIsType = 1ull << 32;  // in a key of sums
constexpr std::size_t kFewSteps = 32;          // up the dominator tree
constexpr std::size_t kWordBits = 64;
constexpr std::size_t kWordsAtOnce = 1 << 11;
constexpr std::size_t kSummedAtOnce = 1 << 16;  // shares

constexpr bool isVertex(std::uint32_t owner) {
  return owner != kSeveral && owner != kUnreachable && owner != kFrozen;
}

/// How much a root says of who owns an object; the least says most.
int rankOf(RootKind kind) {
  if (kind == RootKind::Static) return 0;
  return kind == RootKind::ThreadStatic ? 1 : 2;
}

}  // namespace

Ownership::Ownership(const Snapshot& snapshot, const ObjectTypes& objectTypes)
    : m_snapshot(snapshot),
      m_types(objectTypes),
      m_isOwnType(snapshot.types().size()),
      m_isRooted(objectTypes.size()),
      m_isFrameworks(objectTypes.size()) {
  findOwnTypes();
  findRooted();
  findFrameworks();
  findRoots();
  findOwningNumbers();
}

void Ownership::findOwnTypes() {
  const auto& rows = m_snapshot.types();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    m_isOwnType[i] = m_snapshot.contents().ownerOf(rows[i]) != CodeOwner::Framework;
  }
}

void Ownership::findRooted() {
  for (const RootRow& root : m_snapshot.roots().roots) {
    const ObjectId object = m_snapshot.contents().heap->index.idOf(root.object);
    if (!object.isNone() && root.isExact && root.kind != RootKind::Stack) m_isRooted[object.value] = true;
  }
}

bool Ownership::isFrameworkRoot(const RootRow& root, std::uint32_t object) const {
  const RuntimeReaders& readers = *m_snapshot.contents().readers;
  const CodeOwners& owners = *m_snapshot.contents().owners;
  if (root.kind == RootKind::ThreadStatic) {
    const std::size_t type = root.name.find(kStatic);
    return type != std::string::npos &&
           owners.of({}, std::string_view(root.name).substr(type + kStatic.size())) == CodeOwner::Framework;
  }
  if (root.kind == RootKind::Static && root.group < m_snapshot.roots().groups.size()) {
    const auto type = readers.methodTables.read(m_snapshot.roots().groups[root.group].owner);
    const Module* module = type ? readers.modules.definingModule(readers.methodTables, *type) : nullptr;
    return module && owners.of(module->name) == CodeOwner::Framework;
  }
  // Handles hold the runtime's own arrays of statics and literals.
  const std::uint32_t type = m_types[object];
  return root.kind != RootKind::Stack && type < m_snapshot.types().size() &&
         m_snapshot.types()[type].name == "System.Object[]";
}

/// Follows what the framework's roots lead to, up to the first object of the program's own on each way.
void Ownership::findFrameworks() {
  std::vector<std::uint32_t> open;
  const auto meet = [&](std::uint32_t object) {
    if (m_isFrameworks[object] || (m_types[object] < m_isOwnType.size() && m_isOwnType[m_types[object]])) return;
    m_isFrameworks[object] = true;
    open.push_back(object);
  };
  for (const RootRow& root : m_snapshot.roots().roots) {
    const ObjectId object = m_snapshot.contents().heap->index.idOf(root.object);
    if (!object.isNone() && isFrameworkRoot(root, object.value)) meet(object.value);
  }
  const EdgeRows edges = m_snapshot.contents().graph->edges();
  while (!open.empty()) {
    const std::uint32_t object = open.back();
    open.pop_back();
    for (const std::uint32_t target : edges.targetsOf(object)) meet(target);
  }
}

void Ownership::findRoots() {
  const auto& roots = m_snapshot.roots().roots;
  for (std::uint32_t i = 0; i < roots.size(); ++i) {
    const ObjectId object = m_snapshot.contents().heap->index.idOf(roots[i].object);
    if (object.isNone() || roots[i].kind == RootKind::Stack) continue;
    const auto [known, isNew] = m_roots.try_emplace(object.value, i);
    if (!isNew && rankOf(roots[i].kind) < rankOf(roots[known->second].kind)) known->second = i;
  }
}

/// Objects first, whose bits lie in the core's cache when they are asked for in the order of the numbers.
void Ownership::findOwningNumbers() {
  std::vector<std::uint8_t> isOwning(m_isOwnType.size() + 1);  // by TypeId, and of what has none
  for (std::uint32_t i = 0; i < m_isOwnType.size(); ++i)
    isOwning[i] = m_isOwnType[i] && !m_snapshot.contents().typeReferences->isArray({i});
  const auto fill = [](std::vector<std::uint64_t>& bits, std::size_t count, const auto& isSet) {
    bits.resize(count / kWordBits + 1);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bits.size(), kWordsAtOnce), [&](const auto& words) {
      for (std::size_t word = words.begin(); word < words.end(); ++word) {
        const auto first = static_cast<std::uint32_t>(word * kWordBits);
        const std::size_t end = std::min<std::size_t>(count - first, kWordBits);
        for (std::uint32_t i = 0; i < end; ++i) bits[word] |= std::uint64_t{isSet(first + i)} << i;
      }
    });
  };
  const DominatorTree& tree = m_snapshot.contents().retention->tree;
  std::vector<std::uint64_t> objects;
  fill(objects, m_types.size(),
       [&](std::uint32_t object) { return isOwning[std::min<std::size_t>(m_types[object], m_isOwnType.size())] != 0; });
  fill(m_isOwning, tree.reachedCount() + std::size_t{1}, [&](std::uint32_t number) {
    const std::uint32_t vertex = number ? tree.vertexOf(number) : 0;
    return number && tree.isObject(vertex) && (objects[vertex / kWordBits] >> vertex % kWordBits & 1);
  });
}

/// A root or a group of them, too.
bool Ownership::isOwner(std::uint32_t number) const {
  const DominatorTree& tree = m_snapshot.contents().retention->tree;
  return isOwningObject(number) || !tree.isObject(tree.vertexOf(number));
}

/// An object, or a root; not a group of roots.
bool Ownership::isKnown(std::uint32_t owner) const {
  if (!owner) return false;
  const Retention& retention = *m_snapshot.contents().retention;
  const std::uint32_t vertex = retention.tree.vertexOf(owner);
  return retention.tree.isObject(vertex) || !retention.isGroup(vertex);
}

/// Numbers are in preorder, so that whoever dominates an object comes before it.
LargeArray<std::uint32_t> Ownership::findOwners() const {
  const Retention& retention = *m_snapshot.contents().retention;
  const DominatorTree& tree = retention.tree;
  LargeArray<std::uint32_t> owners(tree.reachedCount() + std::size_t{1});
  for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
    const std::uint32_t vertex = tree.vertexOf(number);
    const std::uint32_t above = tree.dominatorOf(number);
    std::uint32_t owner = kSeveral;
    if (above) owner = isOwner(above) ? above : owners[above];
    if (!isKnown(owner) && tree.isObject(vertex)) {
      // Words of stacks and a static may hold it together; the static is what says who it belongs to.
      if (const auto root = m_roots.find(vertex); root != m_roots.end()) owner = retention.numberOfRoot(root->second);
    }
    owners[number] = owner;
  }
  return owners;
}

const LargeArray<std::uint32_t>& Ownership::allOwners() const {
  std::call_once(m_ownersMade, [this] { m_owners = findOwners(); });
  return m_owners;
}

/// Goes up as findOwners() comes down: where that leads to no object and no root, the uppermost root on the way counts.
std::uint32_t Ownership::ownerOf(std::uint32_t number) const {
  const Retention& retention = *m_snapshot.contents().retention;
  const DominatorTree& tree = retention.tree;
  std::uint32_t at = tree.dominatorOf(number);
  for (std::size_t steps = 0; at && !isOwner(at); ++steps) {
    if (steps == kFewSteps) return allOwners()[number];
    at = tree.dominatorOf(at);
  }
  if (isKnown(at)) return at;
  std::uint32_t owner = at;
  for (; number != at; number = tree.dominatorOf(number)) {
    if (const auto root = m_roots.find(tree.vertexOf(number)); root != m_roots.end())
      owner = retention.numberOfRoot(root->second);
  }
  return owner;
}

void Ownership::findOwnersOf(std::span<const std::uint32_t> objects, Owners& owners) const {
  const DominatorTree& tree = m_snapshot.contents().retention->tree;
  std::array<std::uint32_t, kTogether> numbers, above;
  std::array<bool, kTogether> isOwning;
  for (std::size_t i = 0; i < objects.size(); ++i) numbers[i] = tree.numberOf(objects[i]);
  for (std::size_t i = 0; i < objects.size(); ++i) above[i] = tree.dominatorOf(numbers[i]);
  for (std::size_t i = 0; i < objects.size(); ++i) isOwning[i] = numbers[i] && isOwningObject(above[i]);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (isOwning[i]) owners[i] = {kIsType | m_types[tree.vertexOf(above[i])], above[i]};
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (isOwning[i]) continue;
    const std::uint32_t owner = numbers[i] ? ownerOf(numbers[i]) : ownerOfUnreached(objects[i]);
    owners[i] = {sumKeyOf(owner), owner};
  }
}

std::uint32_t Ownership::ownerOfUnreached(std::uint32_t object) const {
  return m_snapshot.contents().retention->isGarbage(object) ? kUnreachable : kFrozen;
}

InsightOwner Ownership::describe(std::uint32_t number) const {
  const Retention& retention = *m_snapshot.contents().retention;
  const std::uint32_t vertex = retention.tree.vertexOf(number);
  InsightOwner owner;
  if (number == kSeveral) {
    owner.name = "several roots together";
  } else if (retention.tree.isObject(vertex)) {
    const TypeRow& type = m_snapshot.types()[m_types[vertex]];
    owner = {InsightOwner::Kind::Object, type.name, m_snapshot.contents().heap->index.addressOf({vertex}),
             type.methodTable};
  } else if (retention.isGroup(vertex)) {
    const RootGroup& group = retention.roots.groups[retention.groupOf(vertex)];
    const bool isNested = group.parent != RootGroup::kNone;
    const std::string top = isNested ? retention.roots.groups[group.parent].name : group.name;
    owner.name = isNested && top == "Statics"       ? fmt::format("statics of {}", group.name)
                 : group.name == kInexactStackGroup ? fmt::format("{}: {}", top, group.name)
                                                    : group.name;
    owner.kind = top == "Statics"   ? InsightOwner::Kind::Static
                 : top == "Threads" ? InsightOwner::Kind::Thread
                 : top == "Handles" ? InsightOwner::Kind::Handle
                                    : InsightOwner::Kind::Other;
  } else {
    const RootRow& root = retention.roots.roots[retention.rootOf(vertex)];
    owner.name = root.name;
    owner.kind = root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic    ? InsightOwner::Kind::Static
                 : root.kind == RootKind::Stack                                          ? InsightOwner::Kind::Thread
                 : root.kind == RootKind::Given || root.kind == RootKind::FinalizerReady ? InsightOwner::Kind::Other
                                                                                         : InsightOwner::Kind::Handle;
  }
  return owner;
}

/// Key that owners are added up by: objects by their type, handles by the number of their kind's group, others alone.
std::uint64_t Ownership::sumKeyOf(std::uint32_t owner) const {
  if (!isVertex(owner)) return owner;
  const Retention& retention = *m_snapshot.contents().retention;
  const std::uint32_t vertex = retention.tree.vertexOf(owner);
  if (retention.tree.isObject(vertex)) return kIsType | m_types[vertex];
  if (retention.isGroup(vertex)) return owner;
  const RootRow& root = retention.roots.roots[retention.rootOf(vertex)];
  const bool isHandle = root.kind < RootKind::Static && root.group != RootGroup::kNone;
  return isHandle ? retention.numberOfGroup(root.group) : owner;
}

Ownership::Sums::Sum& Ownership::Sums::of(const Owner& owner) {
  if (!m_last || owner.key != m_lastKey) {
    const auto [sum, isNew] = m_byKey.try_emplace(owner.key);
    if (isNew) sum->second.owner = owner.number;
    m_lastKey = owner.key;
    m_last = &sum->second;
  }
  m_last->isOne &= m_last->owner == owner.number;
  m_last->owner = owner.number;
  return *m_last;
}

void Ownership::Sums::append(const Sums& others) {
  for (const auto& [key, more] : others.m_byKey) {
    Sum& sum = of({key, more.owner});
    sum.add(more.objects, more.bytes);
    sum.isOne &= more.isOne;
  }
}

std::vector<InsightOwner> Ownership::describeAll(const Sums& sums) const {
  std::vector<InsightOwner> owners;
  for (const auto& [key, sum] : sums.m_byKey) {
    const bool isGroup = !sum.isOne && !(key & kIsType);
    InsightOwner owner = sum.owner == kUnreachable ? InsightOwner{InsightOwner::Kind::Unreachable, "garbage", {}, {}}
                         : sum.owner == kFrozen
                             ? InsightOwner{InsightOwner::Kind::Unreachable, "frozen, unreferenced", {}, {}}
                             : describe(isGroup ? static_cast<std::uint32_t>(key) : sum.owner);
    if (owner.kind == InsightOwner::Kind::Object && !sum.isOne) {
      owner.kind = InsightOwner::Kind::Type;
      owner.object = {};
    }
    owner.objects = sum.objects;
    owner.bytes = sum.bytes;
    owners.push_back(std::move(owner));
  }
  std::ranges::sort(owners, [](const InsightOwner& a, const InsightOwner& b) {
    return std::tuple(~a.bytes, ~a.objects, std::string_view(a.name)) <
           std::tuple(~b.bytes, ~b.objects, std::string_view(b.name));
  });
  return owners;
}

Ownership::Sums Ownership::sumsOf(std::span<const Share> shares) const {
  Sums sums;
  std::array<std::uint32_t, kTogether> objects;
  Owners owners;
  for (std::size_t from = 0; from < shares.size(); from += kTogether) {
    const auto some = shares.subspan(from, std::min(kTogether, shares.size() - from));
    for (std::size_t i = 0; i < some.size(); ++i) objects[i] = some[i].object;
    findOwnersOf(std::span(objects).first(some.size()), owners);
    for (std::size_t i = 0; i < some.size(); ++i) sums.add(owners[i], some[i].bytes);
  }
  return sums;
}

std::vector<InsightOwner> Ownership::ownersOf(std::span<const Share> shares) const {
  std::vector<Sums> parts((shares.size() + kSummedAtOnce - 1) / kSummedAtOnce);
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    const std::size_t first = part * kSummedAtOnce;
    parts[part] = sumsOf(shares.subspan(first, std::min(kSummedAtOnce, shares.size() - first)));
  });
  for (std::size_t part = 1; part < parts.size(); ++part) parts.front().append(parts[part]);
  return parts.empty() ? std::vector<InsightOwner>() : ownersOf(parts.front());
}

std::vector<InsightOwner> Ownership::ownersOf(const Sums& sums) const {
  std::vector<InsightOwner> owners = describeAll(sums);
  if (owners.size() > Insight::kMaximumOwners) owners.resize(Insight::kMaximumOwners);
  return owners;
}

std::uint32_t Ownership::wholeOf(std::uint32_t owner) const {
  if (!isVertex(owner)) return owner;
  const Retention& retention = *m_snapshot.contents().retention;
  const std::uint32_t vertex = retention.tree.vertexOf(owner);
  if (retention.tree.isObject(vertex)) return owner;
  const std::vector<RootGroup>& groups = retention.roots.groups;
  std::uint32_t group = RootGroup::kNone;
  if (retention.isGroup(vertex)) {
    group = retention.groupOf(vertex);
  } else {
    const RootRow& root = retention.roots.roots[retention.rootOf(vertex)];
    const bool isOwnName = root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic;
    if (isOwnName || root.group == RootGroup::kNone) return owner;
    group = root.group;
  }
  const auto isPartOfThread = [&](std::uint32_t index) {
    const std::uint32_t parent = groups[index].parent;
    return parent != RootGroup::kNone && groups[parent].parent != RootGroup::kNone;
  };
  return retention.numberOfGroup(isPartOfThread(group) ? groups[group].parent : group);
}

std::vector<InsightOwner> Ownership::ownersOfAll() const {
  const DominatorTree& tree = m_snapshot.contents().retention->tree;
  const ReferenceGraph& graph = *m_snapshot.contents().graph;
  const LargeArray<std::uint32_t> owners = findOwners();
  Sums sums;
  // What one object or root holds has numbers next to each other, so that most share the sum of the one before.
  Sums::Sum* sum = nullptr;
  std::uint32_t last = 0;
  const auto add = [&](std::uint32_t object, std::uint32_t owner) {
    if (!sum || owner != last) {
      const std::uint32_t whole = wholeOf(owner);
      sum = &sums.of({sumKeyOf(whole), whole});
    }
    last = owner;
    sum->add(1, graph.bytesOf(object));
  };
  for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
    const std::uint32_t vertex = tree.vertexOf(number);
    if (tree.isObject(vertex)) add(vertex, owners[number]);
  }
  const std::vector<TypeRow>& types = m_snapshot.types();
  for (std::uint32_t object = 0; object < m_types.size(); ++object) {
    const bool isGap = m_types[object] < types.size() && types[m_types[object]].isFree;
    if (!isGap && !tree.numberOf(object)) add(object, ownerOfUnreached(object));
  }
  for (auto& [key, each] : sums.m_byKey) each.isOne = false;
  return describeAll(sums);
}

}  // namespace heapscape::engine
