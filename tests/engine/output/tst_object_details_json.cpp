// SPDX-License-Identifier: MIT
// An object for programs: which members there are, and what is left out without contents.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "output/objects/object_details_output.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::writtenJson;

nlohmann::json objectJson(const ObjectDetails& details, bool redact = false, const ObjectBytes* bytes = nullptr) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeObjectDetails(json, details, bytes, redact); }))
      .at("object");
}

ObjectDetails plainObject() {
  ObjectDetails details{};
  details.row.address = Address{0x7f10};
  details.row.sizeBytes = std::numeric_limits<std::uint64_t>::max();
  details.typeName = "Shop.\"Order\"\n";
  return details;
}

TEST(ObjectJson, HasNoMembersForWhatAnObjectIsNot) {
  const nlohmann::json json = objectJson(plainObject());
  for (const char* member : {"header", "lock", "string", "stringLayout", "array", "boxed", "delegate", "exception",
                             "collection", "raw", "retainedBytes", "redacted"})
    EXPECT_FALSE(json.contains(member)) << member;
  EXPECT_EQ(json.at("size"), UINT64_MAX);
  EXPECT_EQ(json.at("type"), "Shop.\"Order\"\n");
  EXPECT_EQ(json.at("fields"), nlohmann::json::array());
  EXPECT_EQ(json.at("free"), false);
}

TEST(ObjectJson, RetainedIsThereOnceItIsKnown) {
  ObjectDetails details = plainObject();
  details.retained = RetainedRow{.object = {}, .type = {}, .dominator = {}, .isReachable = false};
  const nlohmann::json json = objectJson(details);
  EXPECT_EQ(json.at("retainedBytes"), 0);
  EXPECT_EQ(json.at("reachable"), false);
}

TEST(ObjectJson, AThreadsNameInTheHeaderIsContents) {
  ObjectDetails details = plainObject();
  details.header = ObjectHeader{};
  details.header->value = 0xf;
  details.header->flags = {"spinLock"};
  details.header->bits = {{0, 16, "threadId", 15, "Managed id of the owner."}};
  EXPECT_FALSE(objectJson(details).at("header").contains("thread"));
  details.headerThread = "thread 15 \"Alice\"";
  const nlohmann::json header = objectJson(details).at("header");
  EXPECT_EQ(header.at("value"), "0x0000000f");
  EXPECT_EQ(header.at("thread"), "thread 15 \"Alice\"");
  EXPECT_EQ(header.at("bits"), nlohmann::json({"spinLock"}));
  EXPECT_EQ(header.at("parts").at(0).at("count"), 16);
  EXPECT_FALSE(objectJson(details, true).at("header").contains("thread"));
}

TEST(ObjectJson, OnlyASyncBlockHasAnIndex) {
  ObjectDetails details = plainObject();
  details.lock = LockRow{};
  details.lock->ownerName = "Alice";
  EXPECT_FALSE(objectJson(details).at("lock").contains("syncBlockIndex"));
  EXPECT_EQ(objectJson(details).at("lock").at("ownerName"), "Alice");
  EXPECT_FALSE(objectJson(details, true).at("lock").contains("ownerName"));
  details.lock->kind = LockKind::SyncBlock;
  details.lock->syncBlockIndex = 12;
  EXPECT_EQ(objectJson(details).at("lock").at("syncBlockIndex"), 12);
}

TEST(ObjectJson, OfAStringOnlyTheLayoutIsLeftWithoutContents) {
  ObjectDetails details = plainObject();
  details.string = StringDetails{.length = 9, .text = "se\"cr\u0001et", .shown = 8, .damage = {}};
  EXPECT_EQ(objectJson(details).at("string"), "se\"cr\u0001et");
  EXPECT_EQ(objectJson(details).at("stringLayout").at("shown"), 8);
  const nlohmann::json redacted = objectJson(details, true);
  EXPECT_FALSE(redacted.contains("string"));
  EXPECT_EQ(redacted.at("redacted"), true);
  EXPECT_EQ(redacted.at("stringLayout").at("length"), 9);
  EXPECT_EQ(redacted.at("stringLayout").at("shown"), 0);
}

TEST(ObjectJson, LowerBoundsMayBeNegative) {
  ObjectDetails details = plainObject();
  details.array = ArrayDetails{};
  details.array->rank = 2;
  details.array->lengths = {UINT32_MAX, 0};
  details.array->lowerBounds = {std::numeric_limits<std::int32_t>::min(), 1};
  const nlohmann::json array = objectJson(details).at("array");
  EXPECT_EQ(array.at("lengths"), nlohmann::json({UINT32_MAX, 0}));
  EXPECT_EQ(array.at("lowerBounds"), nlohmann::json({std::numeric_limits<std::int32_t>::min(), 1}));
  EXPECT_FALSE(array.contains("damage"));
  details.array = ArrayDetails{.lengths = {}, .lowerBounds = {}, .elementType = {}, .elements = {}, .damage = "torn"};
  EXPECT_EQ(objectJson(details).at("array").at("damage"), "torn");
  EXPECT_EQ(objectJson(details).at("array").at("lowerBounds"), nlohmann::json::array());
}

TEST(ObjectJson, AMulticastDelegateHasTheTargetOfItsFirstCall) {
  ObjectDetails details = plainObject();
  details.delegate = {{{}, "", "Shop.Log", {}, Address{0x30}, false},
                      {Address{0x10}, "Shop.Order", "Shop.Order.Notify", Address{0x11}, Address{0x20}}};
  const nlohmann::json json = objectJson(details).at("delegate");
  EXPECT_EQ(json.at("target"), "0x0");
  ASSERT_EQ(json.at("methods").size(), 2u);
  EXPECT_EQ(json.at("methods").at(0).at("closed"), false);
  EXPECT_EQ(json.at("methods").at(1).at("target"), "0x10");
}

TEST(ObjectJson, MessagesOfExceptionsAreContentsButNotTheirStack) {
  ObjectDetails details = plainObject();
  ExceptionDetails exception{};
  exception.message = "no card 4711";
  exception.hresult = -1;
  exception.stack = {{.instruction = Address{0x7f01}, .method = "Shop.Pay", .offset = 26}};
  exception.remoteStackText = "at Elsewhere";
  details.exception = exception;
  EXPECT_EQ(objectJson(details).at("exception").at("hresult"), -1);
  EXPECT_EQ(objectJson(details).at("exception").at("message"), "no card 4711");
  const nlohmann::json redacted = objectJson(details, true).at("exception");
  EXPECT_FALSE(redacted.contains("message"));
  EXPECT_FALSE(redacted.contains("remoteStack"));
  EXPECT_EQ(redacted.at("stack").at(0).at("method"), "Shop.Pay");
}

TEST(ObjectJson, KeysAreLeftOutOfLabelsToo) {
  ObjectDetails details = plainObject();
  CollectionDetails collection{};
  collection.kind = "Dictionary";
  collection.hasKeys = true;
  collection.items.resize(1);
  collection.items[0].label = "[\"alice\"]";
  collection.items[0].key = {.kind = ValueKind::Known, .text = "alice"};
  collection.items[0].value = {.kind = ValueKind::Integer, .text = "-9223372036854775808"};
  details.collection = collection;
  const nlohmann::json item = objectJson(details).at("collection").at("items").at(0);
  EXPECT_EQ(item.at("label"), "[\"alice\"]");
  EXPECT_EQ(item.at("value"), std::numeric_limits<std::int64_t>::min());
  const nlohmann::json redacted = objectJson(details, true).at("collection");
  EXPECT_EQ(redacted.dump().find("alice"), std::string::npos) << redacted;
  EXPECT_EQ(redacted.at("items").at(0).at("label"), "");
  details.collection->hasKeys = false;
  details.collection->items[0].label = "[42]";
  EXPECT_EQ(objectJson(details, true).at("collection").at("items").at(0).at("label"), "[42]") << "an index is none";
  EXPECT_FALSE(objectJson(details).at("collection").contains("keyType"));
}

TEST(ObjectJson, BytesAreHexadecimalWithWhatIsLeftOut) {
  ObjectBytes bytes{.object = Address{0x7f10},
                    .totalBytes = 40,
                    .skipped = 8,
                    .bytes = {0x00, 0x0f, 0xff},
                    .runs = {{ByteOwner::Header, -4, 1, "header", ""}, {ByteOwner::Field, 0, 2, "Id", "System.Int16"}}};
  const nlohmann::json json = objectJson(plainObject(), false, &bytes);
  EXPECT_EQ(json.at("raw"), "000fff");
  EXPECT_EQ(json.at("rawSkipped"), 8);
  EXPECT_EQ(json.at("rawLeftOut"), 29);
  EXPECT_EQ(json.at("runs").at(0).at("offset"), -4);
  EXPECT_FALSE(json.at("runs").at(0).contains("type"));
  EXPECT_EQ(json.at("runs").at(1).at("owner"), "field");
}

TEST(ObjectJson, ObjectsOfADumpAreWhatClrMdSaysOfThem) {
  const Snapshot& snapshot = test::openedDump("shop-10");
  std::size_t arrays = 0, strings = 0;
  const nlohmann::json details = test::detailsOf("shop-10");
  for (const nlohmann::json& sample : details["samples"]) {
    const Address address = test::addressIn(sample, "address");
    const auto found = objectDetails(snapshot, address);
    ASSERT_TRUE(found.has_value()) << toString(address);
    const nlohmann::json json = objectJson(*found);
    EXPECT_EQ(json.at("address"), sample.at("address"));
    EXPECT_EQ(json.at("size"), sample.at("size")) << sample.at("address");
    if (sample.contains("lengths")) {
      EXPECT_EQ(json.at("array").at("lengths"), sample.at("lengths")) << sample.at("address");
      EXPECT_EQ(json.at("array").at("lowerBounds"), sample.at("lowerBounds")) << sample.at("address");
      ++arrays;
    }
    if (!sample.contains("string")) continue;
    EXPECT_EQ(json.at("string"), sample.at("string")) << sample.at("address");
    EXPECT_FALSE(objectJson(*found, true).contains("string"));
    ++strings;
  }
  EXPECT_GT(arrays, 10u);
  EXPECT_GT(strings, 0u);
}

}  // namespace
}  // namespace heapscape::engine
