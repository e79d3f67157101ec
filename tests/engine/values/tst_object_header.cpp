// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "heap/header_reader.h"
#include "session/snapshot/contents.h"
#include "shop_objects.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

// The words were read from objects in a known state on .NET 8, 9 and 10, where they are the same.
class HeaderWords : public testing::TestWithParam<std::size_t> {
 protected:
  ObjectHeader decode(std::uint32_t word) const { return decodeHeader(Contract::shipped().at(GetParam()), word); }
};

INSTANTIATE_TEST_SUITE_P(OfContracts, HeaderWords, testing::Range(std::size_t{0}, Contract::shipped().size()));

TEST_P(HeaderWords, ThinLocksTellOwnerAndRecursion) {
  for (const auto& [word, recursion] : {std::pair{0x00000001u, 0u}, {0x00010001u, 1u}, {0x00020001u, 2u}}) {
    const ObjectHeader header = decode(word);
    EXPECT_EQ(header.kind, HeaderKind::ThinLock);
    EXPECT_EQ(header.threadId, 1u);
    EXPECT_EQ(header.recursion, recursion);
  }
  const ObjectHeader deepest = decode(0x003f0001);
  EXPECT_EQ(deepest.threadId, 1u);
  EXPECT_EQ(deepest.recursion, 63u);
  EXPECT_EQ(decode(0x0000ffff).threadId, 65'535u);
}

TEST_P(HeaderWords, InflatedLocksNameTheirSyncBlock) {
  const ObjectHeader header = decode(0x08000003);
  EXPECT_EQ(header.kind, HeaderKind::SyncBlock);
  EXPECT_EQ(header.syncBlockIndex, 3u);
  EXPECT_EQ(header.threadId, 0u);
}

TEST_P(HeaderWords, HashCodesAreTheLow26Bits) {
  const ObjectHeader header = decode(0x0f3c0d9d);
  EXPECT_EQ(header.kind, HeaderKind::HashCode);
  EXPECT_EQ(header.hashCode, 0x033c0d9du);
}

TEST_P(HeaderWords, FlagsStandBesideAnyOfThem) {
  EXPECT_EQ(decode(0).kind, HeaderKind::None);
  EXPECT_TRUE(decode(0).flags.empty());
  const ObjectHeader suppressed = decode(0x40000000);
  EXPECT_EQ(suppressed.kind, HeaderKind::None);
  EXPECT_EQ(suppressed.flags, std::vector<std::string>{"finalizerRun"});
  const ObjectHeader all = decode(0xf0000005);
  EXPECT_EQ(all.threadId, 5u);
  EXPECT_EQ(all.flags, (std::vector<std::string>{"unused31", "finalizerRun", "gcReserve", "spinLock"}));
}

TEST_P(HeaderWords, PartsCoverAllBitsFromTheHighestDown) {
  for (const std::uint32_t word : {0u, 1u, 0x003f0001u, 0x08000003u, 0x0f3c0d9du, 0xffffffffu, 0x07c00000u}) {
    int next = 32;
    std::uint32_t assembled = 0;
    for (const HeaderBits& part : decode(word).bits) {
      EXPECT_EQ(part.first + part.count, next) << part.name;
      EXPECT_FALSE(part.meaning.empty());
      assembled |= part.value << part.first;
      next = part.first;
    }
    EXPECT_EQ(next, 0);
    EXPECT_EQ(assembled, word);
  }
}

// Before .NET 8 a thread id had 10 bits, recursion the 6 above, and an application domain's index lay above those.
TEST(HeaderWordsBeforeNet8, HaveNarrowerThreadIds) {
  const auto contract = Contract::parse(R"({"schema": 1, "runtime": "7.0", "types": {}, "constants": {
      "SyncBlock.IsHashOrIndex": "0x08000000", "SyncBlock.IsHash": "0x04000000", "SyncBlock.IndexMask": "0x03ffffff",
      "ThinLock.ThreadIdMask": "0x000003ff", "ThinLock.RecursionMask": "0x0000fc00",
      "ThinLock.AppDomainMask": "0x07ff0000"}})");
  ASSERT_TRUE(contract);
  const ObjectHeader header = decodeHeader(*contract, 0x00010801);
  EXPECT_EQ(header.kind, HeaderKind::ThinLock);
  EXPECT_EQ(header.threadId, 1u);
  EXPECT_EQ(header.recursion, 2u);
  const auto domain = std::ranges::find(header.bits, "appDomain", &HeaderBits::name);
  ASSERT_NE(domain, header.bits.end());
  EXPECT_EQ(domain->value, 1u);
}

using namespace heapscape::test;

// tests/targets/shop/Locks.cs: a thread named "holder" holds five doors.
class ShopHeaders : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(OfShop, ShopHeaders, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ShopHeaders, LockedDoorsNameTheThreadThatHoldsThem) {
  const Snapshot& snapshot = openedDump(GetParam());
  std::map<std::string, ObjectDetails> doors;
  for (ObjectDetails& details : objectsOf(snapshot, "Shop.Locks+Door"))
    doors.emplace(details.fields.at(0).value.text, std::move(details));
  for (const std::string door : {"\"thin\"", "\"nested\""}) {
    ASSERT_TRUE(doors.contains(door)) << door;
    const ObjectDetails& details = doors.at(door);
    ASSERT_TRUE(details.header && details.lock);
    EXPECT_EQ(details.header->kind, HeaderKind::ThinLock);
    EXPECT_EQ(details.headerThread, "thread " + std::to_string(details.header->threadId) + " \"holder\"");
    EXPECT_EQ(details.header->recursion, door == "\"nested\"" ? 2u : 0u);
  }
  for (const std::string door : {"\"hashed, then locked\"", "\"awaited\""}) {
    ASSERT_TRUE(doors.contains(door)) << door;
    const ObjectDetails& details = doors.at(door);
    ASSERT_TRUE(details.header && details.lock);
    EXPECT_EQ(details.header->kind, HeaderKind::SyncBlock);
    EXPECT_EQ(details.lock->syncBlockIndex, details.header->syncBlockIndex);
    EXPECT_TRUE(details.lock->isHeld);
    EXPECT_EQ(details.lock->ownerName, "holder");
  }
  EXPECT_NE(doors.at("\"hashed, then locked\"").lock->hashCode, 0u);
}

}  // namespace
}  // namespace heapscape::engine
