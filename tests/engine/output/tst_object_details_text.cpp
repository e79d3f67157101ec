// SPDX-License-Identifier: MIT
// An object for people: facts, and what belongs to strings, arrays, delegates, exceptions and collections.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "output/objects/object_details_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;

ObjectDetails someObject() {
  ObjectDetails details{};
  details.row.address = Address{0x7f10};
  details.row.sizeBytes = 1'234;
  details.row.alignedBytes = 1'240;
  details.row.generation = Generation::Gen0;
  details.typeName = "Shop.Order";
  details.methodTable = Address{0x7f80};
  details.segmentAddress = Address{0x7f00};
  return details;
}

std::string objectText(const ObjectDetails& details, bool redact = false) {
  return written([&](Output& output) { writeObjectDetailsText(output, details, nullptr, redact); });
}

bool hasLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

ObjectHeader headerOf(HeaderKind kind, std::uint32_t value) {
  ObjectHeader header;
  header.kind = kind;
  header.value = value;
  return header;
}

ObjectDetails lockedObject(LockKind kind, std::uint32_t recursion) {
  ObjectDetails details = someObject();
  details.header = headerOf(kind == LockKind::Thin ? HeaderKind::ThinLock : HeaderKind::SyncBlock, 5);
  details.header->threadId = 5;
  details.header->recursion = recursion;
  details.header->syncBlockIndex = 12;
  LockRow lock{};
  lock.kind = kind;
  lock.isHeld = true;
  lock.ownerManagedId = 5;
  lock.ownerName = "Alice's worker";
  lock.recursion = recursion;
  lock.waiting = 2;
  details.lock = lock;
  return details;
}

TEST(ObjectText, FactsStandFirstAndWhatThereIsNotIsLeftOut) {
  EXPECT_EQ(objectText(someObject()),
            "Shop.Order\n"
            "address       0x7f10\n"
            "method table  0x7f80\n"
            "size          1,234\n"
            "bytes         1,240 in the heap\n"
            "generation    gen0, in segment 0x7f00\n");
  ObjectDetails details = someObject();
  details.assembly = "Shop.dll";
  EXPECT_TRUE(hasLine(objectText(details), "assembly      Shop.dll"));
}

TEST(ObjectText, ControlCharactersDoNotReachATerminal) {
  ObjectDetails details = someObject();
  details.typeName = "Shop.\x1b[31mOrder\n";
  details.assembly = std::string("a\0b", 3);
  const std::string text = objectText(details);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\0'), std::string::npos);
  EXPECT_EQ(std::ranges::count(text, '\n'), 7);
}

TEST(ObjectText, RetainedSaysWhoHoldsTheObjectAlone) {
  ObjectDetails details = someObject();
  details.retained = RetainedRow{.object = {}, .type = {}, .retainedBytes = 4'096, .retainedCount = 1, .dominator = {}};
  EXPECT_TRUE(hasLine(objectText(details), "retained      4096 bytes, 1 object"));
  details.retained->dominator = Address{0x99};
  details.retained->retainedCount = 1'234;
  EXPECT_TRUE(hasLine(objectText(details), "retained      4096 bytes, 1,234 objects, held by 0x99 alone"));
  details.retained->isReachable = false;
  details.retained->isGarbage = true;
  EXPECT_TRUE(hasLine(objectText(details), "retained      nothing, for nothing holds it any more"));
  details.retained->isGarbage = false;
  EXPECT_TRUE(
      hasLine(objectText(details), "retained      nothing, for nothing holds it; it is frozen and never collected"));
}

TEST(ObjectText, TheHeaderIsToldByItsUse) {
  ObjectDetails details = someObject();
  details.header = headerOf(HeaderKind::None, 0);
  EXPECT_TRUE(hasLine(objectText(details), "header        0x00000000  no lock, no hash code"));
  EXPECT_EQ(objectText(details).find("\nHeader\n"), std::string::npos) << "all bits are 0";
  details.header = headerOf(HeaderKind::HashCode, 0x0e00000f);
  details.header->hashCode = 15;
  EXPECT_TRUE(hasLine(objectText(details), "header        0x0e00000f  hash code 15 (0xf)"));
}

TEST(ObjectText, AThinLockCountsItsFirstEntryToo) {
  EXPECT_TRUE(hasLine(objectText(lockedObject(LockKind::Thin, 0)),
                      "header        0x00000005  thin lock of thread 5 \"Alice's worker\", entered 1 time"));
  EXPECT_TRUE(hasLine(objectText(lockedObject(LockKind::Thin, 2), true),
                      "header        0x00000005  thin lock of thread 5, entered 3 times"));
  ObjectDetails ownerless = lockedObject(LockKind::Thin, UINT32_MAX);
  ownerless.lock.reset();
  EXPECT_TRUE(
      hasLine(objectText(ownerless), "header        0x00000005  thin lock of thread 5, entered 4,294,967,296 times"));
}

TEST(ObjectText, ASyncBlockSaysWhoHoldsIt) {
  const std::string text = objectText(lockedObject(LockKind::SyncBlock, 3));
  EXPECT_TRUE(hasLine(text, "header        0x00000005  sync block 12")) << text;
  EXPECT_TRUE(hasLine(text, "lock          held by thread 5 \"Alice's worker\", entered 3 times, 2 waiting")) << text;
  ObjectDetails free = lockedObject(LockKind::SyncBlock, 0);
  free.lock->isHeld = false;
  EXPECT_TRUE(hasLine(objectText(free), "lock          held by nobody, 2 waiting"));
  EXPECT_EQ(objectText(lockedObject(LockKind::SyncBlock, 3), true).find("Alice"), std::string::npos);
}

TEST(ObjectText, BitsOfTheHeaderAreNumberedFromTheHighest) {
  ObjectDetails details = someObject();
  details.header = headerOf(HeaderKind::HashCode, 0xffffffff);
  details.header->bits = {{31, 1, "unused31", 1, "Nothing uses it."}, {0, 26, "hashCode", 0x3ffffff, "A hash code."}};
  const std::string text = objectText(details);
  EXPECT_NE(text.find("\nHeader\nBits  Name          Value  Meaning\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  31  unused31        0x1  Nothing uses it.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n25-0  hashCode  0x3ffffff  A hash code.\n"), std::string::npos) << text;
}

TEST(ObjectText, AStringSaysHowMuchOfItIsShown) {
  ObjectDetails details = someObject();
  details.string = StringDetails{.length = 5, .charactersOffset = 12, .text = "a\"b\tc", .shown = 5, .damage = {}};
  const std::string whole = objectText(details);
  EXPECT_TRUE(hasLine(whole, "length        5 characters")) << whole;
  EXPECT_TRUE(hasLine(whole, "characters    from offset 12, then 2 bytes of terminator and 0 unused")) << whole;
  EXPECT_TRUE(hasLine(whole, "text          a\"b\\tc")) << whole;
  EXPECT_EQ(whole.find("shown"), std::string::npos);
  details.string->length = 1'000'000;
  EXPECT_TRUE(hasLine(objectText(details), "shown         the first 5 characters"));
  const std::string redacted = objectText(details, true);
  EXPECT_TRUE(hasLine(redacted, "text          (redacted)")) << redacted;
  EXPECT_EQ(redacted.find("shown"), std::string::npos) << redacted;
}

TEST(ObjectText, ArraysTellTheirBoundsUnlessTheyAreUsual) {
  ObjectDetails details = someObject();
  details.array = ArrayDetails{.lengths = {1'000},
                               .lowerBounds = {0},
                               .count = 1'000,
                               .elementType = "System.Int32",
                               .elementSize = 1,
                               .elementOffset = 16,
                               .elements = {},
                               .damage = {}};
  const std::string vector = objectText(details);
  EXPECT_TRUE(hasLine(vector, "lengths       1000")) << vector;
  EXPECT_TRUE(hasLine(vector, "elements      1,000 of System.Int32, 1 byte each, from offset 16")) << vector;
  EXPECT_EQ(vector.find("lower bounds"), std::string::npos) << vector;
  details.array->lowerBounds = {std::numeric_limits<std::int32_t>::min()};
  EXPECT_TRUE(hasLine(objectText(details), "lower bounds  -2147483648"));
  details.array->rank = 2;
  details.array->lengths = {2, 500};
  details.array->lowerBounds = {0, 0};
  const std::string matrix = objectText(details);
  EXPECT_TRUE(hasLine(matrix, "lengths       2 x 500")) << matrix;
  EXPECT_TRUE(hasLine(matrix, "lower bounds  0, 0")) << matrix;
}

TEST(ObjectText, AnArrayThatCouldNotBeReadHasNoBoundsToTell) {
  ObjectDetails details = someObject();
  details.array = ArrayDetails{};
  details.findings.push_back({FindingKind::HeapDamaged, Address{0x7f10}, "The array has 99 dimensions."});
  const std::string text = objectText(details);
  EXPECT_EQ(text.find("lower bounds"), std::string::npos) << text;
  EXPECT_NE(text.find("\nDamage\n"), std::string::npos) << text;
  EXPECT_NE(text.find("The array has 99 dimensions."), std::string::npos) << text;
}

TEST(ObjectText, ElementsThatAreNotListedAreCounted) {
  ObjectDetails details = someObject();
  FieldValue element{};
  element.name = "[0]";
  element.value = {.kind = ValueKind::Integer, .text = "42"};
  details.array = ArrayDetails{};
  details.array->elements = {element};
  details.array->count = 1;
  EXPECT_EQ(objectText(details).find(" of 1 elements"), std::string::npos);
  details.array->count = 2'000'000;
  EXPECT_TRUE(hasLine(objectText(details), "1 of 2,000,000 elements"));
  EXPECT_NE(objectText(details).find("42\n"), std::string::npos);
  EXPECT_EQ(objectText(details, true).find("42\n"), std::string::npos);
}

TEST(ObjectText, DelegatesSayWhatTheyCall) {
  ObjectDetails details = someObject();
  details.delegate = {{Address{0x10}, "Shop.Order", "Shop.Order.Notify()", {}, Address{0x20}},
                      {{}, "", "Shop.Program.Log()", {}, Address{0x30}, false}};
  const std::string text = objectText(details);
  EXPECT_NE(text.find("\nShop.Order.Notify()  0x10    Shop.Order      0x20\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nShop.Program.Log()   static                  0x30\n"), std::string::npos) << text;
}

TEST(ObjectText, ExceptionsSayWhereTheyWereThrown) {
  ObjectDetails details = someObject();
  ExceptionDetails exception{};
  exception.message = "no card 4711";
  exception.hresult = std::numeric_limits<std::int32_t>::min();
  exception.inner = Address{0x40};
  exception.innerType = "System.IO.IOException";
  exception.innerExceptions = {Address{0x40}, Address{0x50}};
  exception.stack = {{.instruction = Address{0x7f01}, .method = "Shop.Pay", .offset = 26},
                     {.instruction = Address{0x7f02}, .method = ""}};
  exception.remoteStackText = "   at Shop.Elsewhere()";
  details.exception = exception;
  const std::string text = objectText(details);
  for (const char* line :
       {"message       no card 4711", "HResult       0x80000000", "inner         0x40 System.IO.IOException",
        "one of        0x50", "at            Shop.Pay + 0x1a", "at            0x7f02"})
    EXPECT_TRUE(hasLine(text, line)) << line << "\n" << text;
  const std::string redacted = objectText(details, true);
  EXPECT_TRUE(hasLine(redacted, "message       (redacted)")) << redacted;
  EXPECT_TRUE(hasLine(redacted, "carried over  (redacted)")) << redacted;
  EXPECT_EQ(redacted.find("Elsewhere"), std::string::npos);
}

TEST(ObjectText, KeysOfACollectionAreContents) {
  ObjectDetails details = someObject();
  CollectionDetails collection{};
  collection.kind = "Dictionary";
  collection.hasKeys = true;
  collection.count = 3;
  collection.capacity = 7;
  collection.items.resize(1);
  collection.items[0].label = "[\"alice\"]";
  collection.items[0].key = {.kind = ValueKind::Known, .text = "alice"};
  collection.items[0].value = {.kind = ValueKind::Integer, .text = "30"};
  details.collection = collection;
  const std::string text = objectText(details);
  EXPECT_TRUE(hasLine(text, "items         3, room for 7")) << text;
  EXPECT_NE(text.find("[\"alice\"]  alice  30\n"), std::string::npos) << text;
  EXPECT_TRUE(hasLine(text, "1 of 3 items")) << text;
  EXPECT_EQ(objectText(details, true).find("alice"), std::string::npos) << objectText(details, true);
}

TEST(ObjectText, AHolderOfOneValueHasAStateInPlaceOfACount) {
  ObjectDetails details = someObject();
  CollectionDetails task{};
  task.kind = "Task";
  task.isHolder = true;
  task.state = "faulted";
  details.collection = task;
  const std::string text = objectText(details);
  EXPECT_TRUE(text.ends_with("\nTask\nstate         faulted\n")) << text;
}

}  // namespace
}  // namespace heapscape::engine
