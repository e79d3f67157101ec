// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "stacks/frames/protected_references.h"
#include "support/builders/runtime_in_memory.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::FrameRoots;

class ProtectedReferences : public testing::TestWithParam<std::string> {
 protected:
  const engine::Contents& contents() const { return openedDump(GetParam()).contents(); }
};
INSTANTIATE_TEST_SUITE_P(OfShop, ProtectedReferences, testing::Values("shop-8", "shop-9", "shop-10", "shop-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ProtectedReferences, OfTheMainThreadAreTheArgumentsOfTheProgram) {
  const engine::RuntimeReaders& readers = *contents().readers;
  engine::FindingList findings;
  std::vector<std::string> types;
  for (const auto& thread : engine::readThreads(readers.runtime, findings)) {
    const FrameRoots found = protectedReferences(readers.runtime, thread.address);
    EXPECT_EQ(found.problem, "");
    const auto details = engine::readThreadDetails(readers, thread);
    for (const auto& root : found.roots) {
      EXPECT_TRUE(details.stack.contains(root.slot)) << toString(root.slot);
      EXPECT_FALSE(root.isPinned || root.reg);
      if (thread.managedId != 1) continue;
      EXPECT_FALSE(root.isInterior);
      const auto type = contents().memory->readPointer(root.object);
      ASSERT_TRUE(type);
      types.push_back(readers.names.nameOf({*type}));
    }
  }
  // The runtime keeps them while it makes them and while Main runs.
  EXPECT_GE(types.size(), 2u);
  EXPECT_TRUE(std::ranges::all_of(types, [](const auto& type) { return type == "System.String[]"; }));
}

// A thread with a list of GCFrames on its stack, as it may be or as it may be faked.
constexpr Address kThread{0x10000};
constexpr Address kProtectedReferencesStack{0x20000};
constexpr std::uint64_t kEnd = ~std::uint64_t{0};

class FakedList {
 public:
  explicit FakedList(unsigned version) : m_version(version) { setFirst(kProtectedReferencesStack); }

  void setFirst(Address frame) { put(m_thread, shippedContract(m_version).offset("Thread", "GCFrame"), frame.value); }
  FakedList& frame(Address at, std::uint64_t next, Address references, std::uint32_t count, bool mayBeInterior = false,
                   Address thread = kThread) {
    const std::uint64_t offset = at - kProtectedReferencesStack;
    put(m_stack, offset, next);
    put(m_stack, offset + 8, thread.value);
    put(m_stack, offset + 16, references.value);
    put(m_stack, offset + 24, std::uint64_t{count} | std::uint64_t{mayBeInterior} << 32);
    return *this;
  }
  FakedList& reference(Address at, std::uint64_t object) {
    put(m_stack, at - kProtectedReferencesStack, object);
    return *this;
  }
  FrameRoots read() const {
    CoreBuilder builder;
    builder.memory(kThread.value, m_thread).memory(kProtectedReferencesStack.value, m_stack);
    return protectedReferences(runtimeInMemory(m_version, builder), kThread);
  }

 private:
  static void put(FileBytes& bytes, std::uint64_t offset, std::uint64_t value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(value));
  }

  unsigned m_version;
  FileBytes m_thread = FileBytes(4096);
  FileBytes m_stack = FileBytes(4096);
};

TEST(FakedProtectedReferences, AreReadToEitherEnd) {
  for (const unsigned version : {8u, 9u, 10u}) {
    for (const std::uint64_t end : {std::uint64_t{0}, kEnd}) {
      FakedList list(version);
      list.frame(kProtectedReferencesStack, (kProtectedReferencesStack + 0x100).value, kProtectedReferencesStack + 0x40,
                 3)
          .frame(kProtectedReferencesStack + 0x100, end, kProtectedReferencesStack + 0x80, 1, true);
      list.reference(kProtectedReferencesStack + 0x40, 0x5000)
          .reference(kProtectedReferencesStack + 0x50, 0x5008)
          .reference(kProtectedReferencesStack + 0x80, 0x6004);
      const FrameRoots found = list.read();
      EXPECT_EQ(found.problem, "");
      ASSERT_EQ(found.roots.size(), 3u) << "null is no root";
      EXPECT_EQ(found.roots[0].slot, kProtectedReferencesStack + 0x40);
      EXPECT_EQ(found.roots[0].object, Address{0x5000});
      EXPECT_FALSE(found.roots[0].isInterior);
      EXPECT_EQ(found.roots[1].object, Address{0x5008});
      EXPECT_EQ(found.roots[2].object, Address{0x6004});
      EXPECT_TRUE(found.roots[2].isInterior);
      FakedList none(version);
      none.setFirst({end});
      EXPECT_TRUE(none.read().roots.empty());
      EXPECT_EQ(none.read().problem, "");
    }
  }
}

TEST(FakedProtectedReferences, EndWhereTheListIsDamaged) {
  const Address second = kProtectedReferencesStack + 0x100;
  const auto expectEnd = [](const FakedList& list, bool isMissing, std::size_t roots) {
    const FrameRoots found = list.read();
    EXPECT_NE(found.problem, "");
    EXPECT_EQ(found.isMissing, isMissing) << found.problem;
    EXPECT_EQ(found.roots.size(), roots) << found.problem;
  };
  const auto start = [&](std::uint64_t next) {
    FakedList list(10);
    list.frame(kProtectedReferencesStack, next, kProtectedReferencesStack + 0x40, 1)
        .reference(kProtectedReferencesStack + 0x40, 0x5000);
    return list;
  };
  // In circles, downwards, to memory that is not there, of another thread.
  expectEnd(start(second.value).frame(second, kProtectedReferencesStack.value, kProtectedReferencesStack + 0x40, 1),
            false, 1);
  expectEnd(start(kProtectedReferencesStack.value), false, 0);
  expectEnd(start(0x1000), false, 0);
  expectEnd(start(0x90000), true, 1);
  expectEnd(start(second.value).frame(second, kEnd, kProtectedReferencesStack + 0x40, 1, false, {0x11000}), false, 1);
  // More references than there can be, or than the dump holds.
  expectEnd(start(second.value).frame(second, kEnd, kProtectedReferencesStack + 0x40, UINT32_MAX), false, 1);
  expectEnd(start(second.value).frame(second, kEnd, kProtectedReferencesStack + 0xff0, 3), true, 1);
  expectEnd(start(second.value).frame(second, kEnd, {kEnd - 7}, 2), true, 1);
}

}  // namespace
}  // namespace heapscape::test
