// SPDX-License-Identifier: MIT
// Who holds the objects of a heap made by hand, in the program's own terms.
#include "insight/ownership.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "heap/object_types.h"
#include "session/snapshot/contents.h"
#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::InsightOwner;
using engine::Ownership;
using engine::RootKind;

constexpr std::uint64_t kBytes = 24;  // of each object

/// Objects of the framework and of the program, and who owns them.
struct OwnedHeap {
  HeapInMemory heap;
  engine::TypeId text = heap.addType("System.String", kBytes, 0, "System.Private.CoreLib.dll");
  engine::TypeId list =
      heap.addType("System.Collections.Generic.List<System.String>", kBytes, 0, "System.Private.CoreLib.dll");
  engine::TypeId order = heap.addType("Shop.Order");
  std::uint32_t statics = heap.addGroup("Statics");
  std::uint32_t ofShop = heap.addGroup("Shop.Cache", statics);
  std::uint32_t handles = heap.addGroup("Handles");
  std::uint32_t pinned = heap.addGroup("pinned handles", handles);

  /// A text that this object holds.
  std::uint32_t addTextOf(std::uint32_t holder) {
    const std::uint32_t object = heap.addObject(text);
    heap.addReference(holder, object);
    return object;
  }
  void addStatic(std::uint32_t object, const std::string& name) {
    heap.addRoot(RootKind::Static, object, "static " + name, ofShop);
  }
  void addPinned(std::uint32_t object) { heap.addRoot(RootKind::PinnedHandle, object, "pinned handle", pinned); }
};

/// What is asked of it once the heap is there.
struct Owners {
  explicit Owners(const OwnedHeap& owned)
      : snapshot(owned.heap.snapshot()),
        types(*snapshot.contents().memory, *snapshot.contents().segments, *snapshot.contents().heap),
        ownership(snapshot, types) {}

  std::vector<InsightOwner> of(const std::vector<std::uint32_t>& objects) const {
    std::vector<Ownership::Share> shares;
    for (const std::uint32_t object : objects) shares.push_back({object, kBytes});
    return ownership.ownersOf(shares);
  }

  engine::Snapshot snapshot;
  engine::ObjectTypes types;
  Ownership ownership;
};

TEST(Ownership, IsOfTheStaticPastTypesOfTheFramework) {
  OwnedHeap heap;
  const std::uint32_t list = heap.heap.addObject(heap.list);
  heap.addStatic(list, "Shop.Cache.names");
  const std::uint32_t text = heap.addTextOf(list);
  const auto owners = Owners(heap).of({text, list});
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0].name, "static Shop.Cache.names");
  EXPECT_EQ(owners[0].kind, InsightOwner::Kind::Static);
  EXPECT_EQ(owners[0].objects, 2u);
  EXPECT_EQ(owners[0].bytes, 2 * kBytes);
}

TEST(Ownership, IsOfTheNearestObjectOfTheProgram) {
  OwnedHeap heap;
  const std::uint32_t first = heap.heap.addObject(heap.order), second = heap.heap.addObject(heap.order);
  heap.addStatic(first, "Shop.Cache.first");
  heap.addStatic(second, "Shop.Cache.second");
  const std::uint32_t list = heap.heap.addObject(heap.list);
  heap.heap.addReference(first, list);
  const std::uint32_t deep = heap.addTextOf(list), own = heap.addTextOf(first), other = heap.addTextOf(second);
  const Owners owners(heap);
  const auto one = owners.of({deep, own});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].kind, InsightOwner::Kind::Object);
  EXPECT_EQ(one[0].object, heap.heap.addressOf(first));
  const auto two = owners.of({deep, own, other});
  ASSERT_EQ(two.size(), 1u) << "added up by type";
  EXPECT_EQ(two[0].kind, InsightOwner::Kind::Type);
  EXPECT_EQ(two[0].name, "Shop.Order");
  EXPECT_EQ(two[0].object, Address{});
  EXPECT_TRUE(two[0].methodTable);
  EXPECT_EQ(two[0].objects, 3u);
}

TEST(Ownership, OfHandlesIsAddedUpByTheirKind) {
  OwnedHeap heap;
  const std::uint32_t first = heap.heap.addObject(heap.text), second = heap.heap.addObject(heap.text);
  heap.addPinned(first);
  heap.addPinned(second);
  const Owners owners(heap);
  ASSERT_EQ(owners.of({first}).size(), 1u);
  EXPECT_EQ(owners.of({first}).at(0).name, "pinned handle");
  ASSERT_EQ(owners.of({first, second}).size(), 1u);
  EXPECT_EQ(owners.of({first, second}).at(0).name, "pinned handles");
  EXPECT_EQ(owners.of({first, second}).at(0).kind, InsightOwner::Kind::Handle);
}

TEST(Ownership, IsTheStaticsThatSharesAnObjectWithAHandleOrAStack) {
  OwnedHeap heap;
  const std::uint32_t text = heap.heap.addObject(heap.text);
  heap.heap.addRoot(RootKind::Stack, text, "thread 1: Shop.Main, name");
  heap.addPinned(text);
  heap.addStatic(text, "Shop.Cache.name");
  const auto owners = Owners(heap).of({text});
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0].name, "static Shop.Cache.name");
}

TEST(Ownership, OfSeveralHoldersIsOfWhatTheyAreInTogether) {
  OwnedHeap heap;
  const std::uint32_t first = heap.heap.addObject(heap.list), second = heap.heap.addObject(heap.list);
  heap.addStatic(first, "Shop.Cache.first");
  heap.addStatic(second, "Shop.Cache.second");
  const std::uint32_t ofBoth = heap.addTextOf(first);
  heap.heap.addReference(second, ofBoth);
  const std::uint32_t handled = heap.heap.addObject(heap.list);
  heap.addPinned(handled);
  const std::uint32_t ofAll = heap.addTextOf(handled);
  heap.heap.addReference(second, ofAll);
  const Owners owners(heap);
  EXPECT_EQ(owners.of({ofBoth}).at(0).name, "statics of Shop.Cache");
  EXPECT_EQ(owners.of({ofBoth}).at(0).kind, InsightOwner::Kind::Static);
  EXPECT_EQ(owners.of({ofAll}).at(0).name, "several roots together");
  EXPECT_EQ(owners.of({ofAll}).at(0).kind, InsightOwner::Kind::Other);
}

TEST(Ownership, OfWhatNothingHoldsIsNobodys) {
  OwnedHeap heap;
  const std::uint32_t text = heap.heap.addObject(heap.text);
  const auto owners = Owners(heap).of({text});
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0].kind, InsightOwner::Kind::Unreachable);
  EXPECT_TRUE(Owners(heap).of({}).empty());
}

TEST(Ownership, ListsTheLargestAndNoMoreThanAFew) {
  OwnedHeap heap;
  std::vector<std::uint32_t> texts;
  for (std::uint32_t holder = 0; holder < 12; ++holder) {
    const std::uint32_t list = heap.heap.addObject(heap.list);
    heap.addStatic(list, "Shop.Cache." + std::string(1, static_cast<char>('m' - holder)));
    const std::uint32_t count = holder == 7 ? 5 : 1;
    for (std::uint32_t i = 0; i < count; ++i) texts.push_back(heap.addTextOf(list));
  }
  const auto owners = Owners(heap).of(texts);
  ASSERT_EQ(owners.size(), engine::Insight::kMaximumOwners);
  EXPECT_EQ(owners[0].name, "static Shop.Cache.f");
  EXPECT_EQ(owners[0].objects, 5u);
  EXPECT_EQ(owners[1].name, "static Shop.Cache.b") << "equals by name";
}

TEST(Ownership, TellsWhatIsRootedByWhatIsCertain) {
  OwnedHeap heap;
  std::vector<std::uint32_t> texts;
  for (int i = 0; i < 4; ++i) texts.push_back(heap.heap.addObject(heap.text));
  heap.addPinned(texts[0]);
  heap.heap.addRoot(RootKind::Stack, texts[1], "thread 1");
  heap.heap.addRoot(RootKind::StrongHandle, texts[2], "strong handle", heap.handles, false);
  const Owners owners(heap);
  EXPECT_TRUE(owners.ownership.isRooted(texts[0]));
  for (int i = 1; i < 4; ++i) EXPECT_FALSE(owners.ownership.isRooted(texts[i])) << i;
}

TEST(Ownership, OfTheFrameworkEndsAtTheFirstObjectOfTheProgram) {
  OwnedHeap heap;
  const engine::TypeId objects = heap.heap.addType("System.Object[]", kBytes, 0, "System.Private.CoreLib.dll");
  const std::uint32_t pool = heap.heap.addObject(heap.list), order = heap.heap.addObject(heap.order);
  heap.heap.addRoot(RootKind::ThreadStatic, pool, "thread 1: static System.Threading.ThreadPool.s_queue");
  heap.heap.addReference(pool, order);
  const std::uint32_t inPool = heap.addTextOf(pool), ofOrder = heap.addTextOf(order);
  const std::uint32_t literals = heap.heap.addObject(objects), list = heap.heap.addObject(heap.list);
  heap.addPinned(literals);
  heap.addPinned(list);  // of the program's own making
  const std::uint32_t literal = heap.addTextOf(literals), ofList = heap.addTextOf(list);
  const Owners owners(heap);
  for (const std::uint32_t object : {pool, inPool, literals, literal})
    EXPECT_TRUE(owners.ownership.isHeldByFramework(object)) << object;
  for (const std::uint32_t object : {order, ofOrder, list, ofList})
    EXPECT_FALSE(owners.ownership.isHeldByFramework(object)) << object;
  EXPECT_TRUE(owners.ownership.isOwnType(heap.order));
  EXPECT_FALSE(owners.ownership.isOwnType(heap.list));
}

TEST(Ownership, OfAllObjectsIsNamedAsInOtherDumpsAndAddsUp) {
  OwnedHeap heap;
  const std::uint32_t threads = heap.heap.addGroup("Threads");
  const std::uint32_t worker = heap.heap.addGroup("thread 5 \"worker\"", threads);
  const std::uint32_t stack = heap.heap.addGroup("stack", worker),
                      words = heap.heap.addGroup("inexact stack words", worker);
  const std::string local = "thread 5 \"worker\": Shop.Work, ";
  heap.heap.addRoot(RootKind::Stack, heap.heap.addObject(heap.text), local + "first", stack);
  heap.heap.addRoot(RootKind::Stack, heap.heap.addObject(heap.text), local + "rbp-0x18", words, false);
  heap.addPinned(heap.heap.addObject(heap.text));
  const std::uint32_t order = heap.heap.addObject(heap.order);
  heap.addStatic(order, "Shop.Cache.first");
  heap.addTextOf(order);
  heap.heap.addObject(heap.text);  // that nothing holds
  heap.heap.addObject(heap.heap.addFreeType());
  std::map<std::string, std::pair<InsightOwner::Kind, std::uint64_t>> objects;
  std::uint64_t bytes = 0;
  for (const InsightOwner& owner : Owners(heap).ownership.ownersOfAll()) {
    objects[owner.name] = {owner.kind, owner.objects};
    bytes += owner.bytes;
  }
  using Kind = InsightOwner::Kind;
  const std::map<std::string, std::pair<Kind, std::uint64_t>> expected{{"thread 5 \"worker\"", {Kind::Thread, 2}},
                                                                       {"pinned handles", {Kind::Handle, 1}},
                                                                       {"static Shop.Cache.first", {Kind::Static, 1}},
                                                                       {"Shop.Order", {Kind::Type, 1}},
                                                                       {"garbage", {Kind::Unreachable, 1}}};
  EXPECT_EQ(objects, expected);
  EXPECT_EQ(bytes, 6 * kBytes) << "of all objects, and no gap";
}

}  // namespace
}  // namespace heapscape::test
