// SPDX-License-Identifier: MIT
#include "session/heap/bad_objects.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::vector<BadObject> badIn(const Snapshot& snapshot) {
  return badObjects(snapshot, snapshot.findings());
}

// The program copied 144 bytes into an array of 100, and printed where that lies and what lay behind it.
TEST(BadObjects, BehindAnArrayThatWasOverrunAreToldWithIt) {
  std::ifstream file(HEAPSCAPE_TEST_DATA "/faults/overrun-10.planted.jsonl");
  const auto planted = nlohmann::json::parse(file);
  const Snapshot snapshot = openSnapshot(dumpPath("faults/overrun-10"));
  const auto bad = badIn(snapshot);
  ASSERT_FALSE(bad.empty());
  EXPECT_EQ(toString(bad.front().address), planted.at("bad").get<std::string>());
  EXPECT_EQ(bad.front().cause, DamageCause::Process);
  ASSERT_TRUE(bad.front().before);
  EXPECT_EQ(toString(bad.front().before->address), planted.at("neighbour").get<std::string>());
  EXPECT_EQ(bad.front().before->type, "System.Byte[]");
  EXPECT_EQ(bad.front().before->length, 100u);
  ASSERT_GE(bad.front().words.size(), 2u);
  EXPECT_EQ(bad.front().words[1], 0xa7a6a5a4a3a2a1a0u);
  EXPECT_NE(bad.front().what.find("over its end"), std::string::npos) << bad.front().what;
  ASSERT_FALSE(snapshot.summary().missing.empty());
  const std::string& help = snapshot.summary().missing.back().help;
  EXPECT_EQ(help.find("Copy the file"), std::string::npos) << help;
  EXPECT_NE(help.find("the program itself"), std::string::npos) << help;
}

/// Some object with enough others behind it.
ObjectRow someObject(const Snapshot& snapshot) {
  const TypeId type = findType(snapshot, "Catalog.OrderLine");
  std::optional<ObjectRow> found;
  std::size_t passed = 0;
  ObjectFilter filter;
  filter.type = type;
  forEachObject(snapshot, filter, [&](const ObjectRow& row) {
    found = row;
    return ++passed < 50;
  });
  return found.value();
}

TEST(BadObjects, WithOneBitFlippedAreNotBlamedOnTheProgram) {
  PatchedCore file("shop-10");
  const Address object = someObject(openedDump("shop-10")).address;
  file.write<std::uint64_t>(object, file.read<std::uint64_t>(object) ^ 1ull << 40);
  const auto bad = badIn(openSnapshot(file.path()));
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad.front().address, object);
  EXPECT_EQ(bad.front().cause, DamageCause::FlippedBit) << bad.front().what;
}

TEST(BadObjects, InPagesOfZerosAreBlamedOnTheFile) {
  PatchedCore file("shop-10");
  const Address object = someObject(openedDump("shop-10")).address;
  const Address page{object.value / kPageBytes * kPageBytes};
  file.writeAt(file.fileOffset(page), std::vector<std::byte>(kPageBytes));
  const auto bad = badIn(openSnapshot(file.path()));
  ASSERT_FALSE(bad.empty());
  EXPECT_EQ(bad.front().cause, DamageCause::File) << bad.front().what;
}

TEST(BadObjects, OfACutFileAreBlamedOnTheFile) {
  PatchedCore file("shop-10");
  const Address object = someObject(openedDump("shop-10")).address;
  file.write<std::uint64_t>(object, 0x1234567812345678u);
  EXPECT_EQ(badIn(openSnapshot(file.path())).front().cause, DamageCause::Process);
  file.cut(file.sizeBytes() - 5000);
  EXPECT_EQ(badIn(openSnapshot(file.path())).front().cause, DamageCause::File);
}

TEST(BadObjects, AreNoneInASoundHeap) {
  EXPECT_TRUE(badIn(openedDump("shop-10")).empty());
}

}  // namespace
}  // namespace heapscape::engine
