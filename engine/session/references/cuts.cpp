// SPDX-License-Identifier: MIT
#include "session/references/cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/figures.h"
#include "session/objects/folded_collections.h"
#include "session/objects/object_query.h"
#include "session/references/edge_names.h"
#include "session/references/neighbours_query.h"
#include "session/references/path_edges.h"
#include "session/roots/root_owners.h"
#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kRootPrefix = "root:";
constexpr std::string_view kTypePrefix = "type:";
constexpr std::string_view kSetPrefix = "set:";
constexpr std::string_view kArrow = "->";

bool isOf(std::string_view prefix, std::string_view text) {
  return text.size() > prefix.size() && text.starts_with(prefix);
}

tl::unexpected<Unfinished> noCut(ErrorCode code, std::string what, std::string help) {
  return tl::unexpected(Unfinished(Error{code, std::move(what), std::move(help)}));
}

std::optional<Address> addressFrom(std::string_view text) {
  Address address;
  if (!text.starts_with("0x") || !tryParseAddress(std::string(text), address)) return std::nullopt;
  return address;
}

/// Both sides of the arrow of "0x7f01->0x7f02".
std::optional<std::pair<Address, Address>> referenceFrom(std::string_view text) {
  const std::size_t arrow = text.find(kArrow);
  if (arrow == std::string_view::npos) return std::nullopt;
  const auto from = addressFrom(text.substr(0, arrow));
  const auto to = addressFrom(text.substr(arrow + kArrow.size()));
  if (!from || !to) return std::nullopt;
  return std::pair(*from, *to);
}

/// "Threads/thread 5/stack".
std::string pathOf(const RootList& list, std::uint32_t group) {
  const RootGroup& row = list.groups[group];
  return row.parent == RootGroup::kNone ? row.name : pathOf(list, row.parent) + "/" + row.name;
}

class CutReader {
 public:
  CutReader(const Snapshot& snapshot, std::string_view text, std::stop_token stop, const FindSet& sets)
      : m_snapshot(snapshot), m_contents(snapshot.contents()), m_text(text), m_stop(std::move(stop)), m_sets(sets) {
    m_cut.text = text;
  }

  Outcome<Cut> read() {
    HEAPSCAPE_CHECK(checkCut(m_text));
    if (isOf(kTypePrefix, m_text)) return readType(m_text.substr(kTypePrefix.size()));
    if (isOf(kSetPrefix, m_text)) return readSet(m_text.substr(kSetPrefix.size()));
    if (m_text.starts_with(kRootPrefix)) return readRoots(m_text.substr(kRootPrefix.size()));
    if (const auto reference = referenceFrom(m_text)) return readReference(reference->first, reference->second);
    m_cut.kind = CutKind::Object;
    HEAPSCAPE_TRY(m_cut.object, objectAt(*addressFrom(m_text)));
    m_cut.places = 1;
    m_cut.letGo = m_contents.heap->index.addressOf({m_cut.object});
    return std::move(m_cut);
  }

 private:
  Outcome<std::uint32_t> objectAt(Address address) const {
    const ObjectId id = m_contents.heap->index.idOf(address);
    if (!id.isNone() && m_contents.graph->units[id.value] > 0) return id.value;
    return noCut(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(address)),
                 "The list of objects has their addresses.");
  }

  std::span<const std::uint32_t> targetsOf(std::uint32_t object) const {
    const EdgeRows edges = m_contents.graph->edges();
    return edges.targetsOf(object);
  }

  Outcome<Cut> readReference(Address from, Address to) {
    m_cut.kind = CutKind::Reference;
    HEAPSCAPE_TRY(m_cut.from, objectAt(from));
    HEAPSCAPE_TRY(m_cut.object, objectAt(to));
    m_cut.letGo = to;
    // What an object holds of itself does not keep it; and the slot of a static stands in the graph as such.
    if (m_cut.from != m_cut.object) addReferencesOf(m_cut.from);
    addItemReferences();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!m_cut.references.empty()) return std::move(m_cut);
    return noCut(ErrorCode::NotFound,
                 fmt::format("The object at {} does not hold the one at {}.", toString(from), toString(to)),
                 "Its fields tell what it holds; what a static refers to is held by a root.");
  }

  void addReferencesOf(std::uint32_t holder) {
    const auto count = std::ranges::count(targetsOf(holder), m_cut.object);
    if (count == 0) return;
    m_cut.references.push_back({holder, m_cut.object});
    m_cut.places += static_cast<std::uint64_t>(count);
  }

  void addItemReferences() {
    const FoldedCollections folding(m_contents);
    if (!folding.isCollection(m_cut.from)) return;
    std::set<std::uint32_t> storages;
    const auto addStorage = [&](const FoldedCollections::Item& item) {
      if (item.object != m_cut.object) return true;
      const auto storage = m_contents.heap->index.startAtOrBefore(item.place);
      if (storage) storages.insert(m_contents.heap->index.idOf(*storage).value);
      return true;
    };
    folding.forEachItem(m_cut.from, addStorage, m_stop);
    storages.erase(m_cut.from);
    for (const std::uint32_t storage : storages) addReferencesOf(storage);
  }

  Outcome<Cut> readType(std::string_view name) {
    HEAPSCAPE_TRY(const Address methodTable, findType(m_snapshot, std::string(name), m_stop));
    const TypeId type = m_snapshot.typeOf(methodTable);
    ObjectFilter filter;
    filter.type = type;
    const auto add = [&](const ObjectRow& row) {
      m_cut.objects.push_back(row.id.value);
      return true;
    };
    if (!type.isNone() && !forEachObject(m_snapshot, filter, add, m_stop))
      return tl::unexpected(Unfinished::cancelled());
    m_cut.type = type;
    return takeObjects(fmt::format("There are no objects of {}.", name));
  }

  Outcome<Cut> readSet(std::string_view name) {
    if (!m_sets)
      return noCut(ErrorCode::NotFound, fmt::format("There is no set {}.", name),
                   "Sets are picked in a list of objects.");
    HEAPSCAPE_TRY(m_cut.objects, m_sets(name));
    return takeObjects(fmt::format("There are no objects in the set {}.", name));
  }

  Outcome<Cut> takeObjects(std::string none) {
    m_cut.kind = CutKind::Objects;
    m_cut.places = m_cut.objects.size();
    if (!m_cut.objects.empty()) return std::move(m_cut);
    return noCut(ErrorCode::NotFound, std::move(none), "The list of objects has what there is.");
  }

  Outcome<Cut> readRoots(std::string_view what) {
    m_cut.kind = CutKind::Root;
    std::optional<Address> object;
    if (const std::size_t arrow = what.rfind(kArrow); arrow != std::string_view::npos) {
      object = addressFrom(what.substr(arrow + kArrow.size()));
      if (object) what = what.substr(0, arrow);
    }
    const RootList& list = m_contents.retention->roots;
    const std::vector<bool> isNamed = groupsNamed(list, what);
    const std::optional<Address> slot = addressFrom(what);
    for (std::uint32_t i = 0; i < list.roots.size(); ++i) {
      const RootRow& root = list.roots[i];
      const bool isInGroup = root.group != RootGroup::kNone && isNamed[root.group];
      const bool isMeant = slot ? root.address == *slot : root.name == what || isInGroup;
      if (isMeant && (!object || root.object == *object)) m_cut.roots.push_back(i);
    }
    m_cut.places = m_cut.roots.size();
    if (m_cut.roots.size() == 1) m_cut.letGo = list.roots[m_cut.roots.front()].object;
    if (!object) findGroup(list, isNamed);
    if (!m_cut.roots.empty()) return std::move(m_cut);
    return noCut(ErrorCode::NotFound, fmt::format("There is no root '{}'.", m_text.substr(kRootPrefix.size())),
                 "The list of roots has them by slot and name.");
  }

  /// Whether a group has this name, or hangs on one that has. Parents stand before their children.
  static std::vector<bool> groupsNamed(const RootList& list, std::string_view name) {
    std::vector<bool> isNamed(list.groups.size());
    for (std::uint32_t i = 0; i < list.groups.size(); ++i) {
      const RootGroup& group = list.groups[i];
      const bool isBelow = group.parent != RootGroup::kNone && isNamed[group.parent];
      isNamed[i] = isBelow || group.name == name || pathOf(list, i) == name;
    }
    return isNamed;
  }

  // Whether the roots are exactly those of one group.
  void findGroup(const RootList& list, const std::vector<bool>& isNamed) {
    std::vector<std::uint32_t> tops;
    for (std::uint32_t i = 0; i < list.groups.size(); ++i) {
      const std::uint32_t parent = list.groups[i].parent;
      if (isNamed[i] && (parent == RootGroup::kNone || !isNamed[parent])) tops.push_back(i);
    }
    const auto isOutside = [&](std::uint32_t root) {
      const std::uint32_t group = list.roots[root].group;
      return group == RootGroup::kNone || !isNamed[group];
    };
    if (tops.size() == 1 && std::ranges::none_of(m_cut.roots, isOutside)) m_cut.group = tops.front();
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  std::string_view m_text;
  std::stop_token m_stop;
  const FindSet& m_sets;
  Cut m_cut;
};

std::string typeNameAt(const Snapshot& snapshot, std::uint32_t object) {
  const TypeId type = typeOfObject(snapshot.contents(), object);
  return type.isNone() ? "?" : snapshot.typeName(type);
}

/// "Zoo.Order.Customer", "Zoo.Order[3]": where it refers to the other from; its type alone if it is in several places.
std::string referringPlace(const Snapshot& snapshot, const Cut& cut) {
  const std::string type = typeNameAt(snapshot, cut.from);
  if (cut.places != 1 || cut.references.front().from != cut.from) return type;
  const Contents& contents = snapshot.contents();
  const ObjectIndex& index = contents.heap->index;
  const std::vector<Edge> edges =
      PathEdges(contents).between(index.addressOf({cut.from}), index.addressOf({cut.object}));
  if (edges.empty()) return type;
  const TypeId id = typeOfObject(contents, cut.from);
  const std::string via =
      EdgeNames(contents).nameOf(edges.front(), id.isNone() ? Address{} : snapshot.types()[id.value].methodTable);
  return via.starts_with('[') ? type + via : type + "." + via;
}

}  // namespace

std::string cutOfReference(Address from, Address to) {
  return toString(from).append(kArrow).append(toString(to));
}

std::string cutOfObject(Address object) {
  return toString(object);
}

// One in a register, or in the runtime's own list, has no slot.
std::string cutOfRoot(const RootRow& root) {
  if (root.address) return std::string(kRootPrefix).append(toString(root.address));
  return std::string(kRootPrefix).append(root.name).append(kArrow).append(toString(root.object));
}

std::string cutOfRootGroup(const RootList& list, std::uint32_t group) {
  return std::string(kRootPrefix).append(pathOf(list, group));
}

std::string cutOfRootsNamed(std::string_view name) {
  return std::string(kRootPrefix).append(name);
}

std::string cutOfType(Address methodTable) {
  return std::string(kTypePrefix).append(toString(methodTable));
}

Outcome<std::vector<CutOffer>> largestCuts(const Snapshot& snapshot, std::size_t most, std::stop_token stop) {
  HEAPSCAPE_TRY(const HeldRoots held, listHeldRoots(snapshot, stop));
  std::vector<CutOffer> offers;
  for (const HeldRoot& root : held.roots)
    if (root.alone.objects) offers.push_back({cutOfRoot(root.root), root.root.name, root.typeName, root.alone});
  HEAPSCAPE_TRY(const RootOwners owners, largestOwners(snapshot, most, stop));
  for (const RootOwner& owner : owners.owners) {
    if (owner.isShared) offers.push_back({cutOfObject(owner.object), owner.name, owner.typeName, owner.alone, true});
    // A thread whose locals hold most of it together: none of them frees it.
    const bool isOfMany = !owner.isShared && owner.byOneRoot.bytes < owner.alone.bytes / 2;
    if (isOfMany && owner.group < snapshot.roots().groups.size())
      offers.push_back({cutOfRootGroup(snapshot.roots(), owner.group), owner.name, {}, owner.alone});
  }
  std::ranges::stable_sort(offers, std::ranges::greater(), [](const CutOffer& offer) { return offer.frees.bytes; });
  if (offers.size() > most) offers.resize(most);
  return offers;
}

std::string cutOfSet(std::string_view name) {
  return std::string(kSetPrefix).append(name);
}

Result<void> checkCut(std::string_view text) {
  const bool isNamed = isOf(kRootPrefix, text) || isOf(kTypePrefix, text) || isOf(kSetPrefix, text);
  if (isNamed || referenceFrom(text) || addressFrom(text)) return {};
  return failure(ErrorCode::BadQuery, fmt::format("'{}' is no cut.", text),
                 "Cuts are \"0xFROM->0xTO\", \"root:NAME\", \"root:0xSLOT\", 0xOBJECT, \"type:NAME\" and "
                 "\"set:NAME\"; a shell needs the quotation marks.");
}

Outcome<Cut> readCut(const Snapshot& snapshot, std::string_view text, std::stop_token stop, const FindSet& sets) {
  if (!snapshot.has(Stage::Retained))
    return noCut(ErrorCode::BadQuery, "What a cut would free is not known yet.",
                 "It is known once retained sizes have been computed.");
  return CutReader(snapshot, text, std::move(stop), sets).read();
}

std::string nameOfCut(const Snapshot& snapshot, const Cut& cut) {
  if (cut.kind == CutKind::Object) return typeNameAt(snapshot, cut.object);
  if (cut.kind == CutKind::Objects && !cut.type.isNone())
    return fmt::format("all {} of {}", readableCount(cut.objects.size()), snapshot.typeName(cut.type));
  if (cut.kind == CutKind::Objects)
    return fmt::format("{}: {}", countOf(cut.objects.size(), "object"), cut.text.substr(kSetPrefix.size()));
  if (cut.kind == CutKind::Reference)
    return fmt::format("{} → {}", referringPlace(snapshot, cut), typeNameAt(snapshot, cut.object));
  const RootList& list = snapshot.roots();
  if (cut.group != RootGroup::kNone) return pathOf(list, cut.group);
  const std::string& first = list.roots[cut.roots.front()].name;
  return cut.roots.size() == 1 ? first : fmt::format("{}: {}", countOf(cut.roots.size(), "root"), first);
}

}  // namespace heapscape::engine
