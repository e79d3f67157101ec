// SPDX-License-Identifier: MIT
// What a copy keeps because somebody asked for it, and no more than that.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/redact/redacted_dump.h"
#include "insight/insight.h"
#include "memory/elf/redaction.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/objects/strings_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr const char* kRedactedDump = "shop-10";

/// Of fields of one kind: the texts of their values, by address.
std::map<Address, std::string> valuesOf(const Snapshot& snapshot, ValueKind kind) {
  std::map<Address, std::string> values;
  for (const ObjectRow& row : someOfEachType(snapshot)) {
    const auto details = objectDetails(snapshot, row.address, {.elements = 0});
    if (!details) continue;
    forEachLeaf(details->fields, [&](const FieldValue& field) {
      if (field.value.kind == kind) values[field.address] = field.value.text;
    });
  }
  return values;
}

/// Counts of all collections of a kind, by object.
std::map<Address, std::uint64_t> countsOf(const Snapshot& snapshot, const std::string& typeText) {
  std::map<Address, std::uint64_t> counts;
  ObjectFilter filter;
  filter.typeText = typeText;
  forEachObject(snapshot, filter, [&](const ObjectRow& row) {
    const auto details = objectDetails(snapshot, row.address);
    if (details && details->collection) counts[row.address] = details->collection->count;
    return true;
  });
  return counts;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> duplicatesIn(const Snapshot& snapshot) {
  const auto list = findInsights(snapshot, {.kinds = {InsightKind::DuplicateStrings}}, nullptr, {});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> duplicates;
  if (!list) return duplicates;
  for (const Insight& insight : list->insights) duplicates.emplace_back(insight.bytes, insight.objects);
  std::ranges::sort(duplicates);
  return duplicates;
}

void expectClean(const Snapshot& copy) {
  const auto check = checkRedacted(copy, nullptr, {});
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->isClean()) << (check->suspicious.empty() ? "" : check->suspicious.front().why);
}

/// A copy of it, made with what it says of itself, has the same bytes.
void expectEqualCopy(const RedactedDump& both, const RedactOptions& options) {
  const TemporaryFolder folder;
  writeCopy(both.copy(), folder / "copy.core", options);
  EXPECT_TRUE(haveSameBytes(both.path(), folder / "copy.core"));
}

TEST(RedactChoices, AreSaidInTheCopy) {
  const RedactOptions options{
      .keepsLengths = false, .keepsEnums = true, .keepsBooleans = true, .keepsCounts = true, .hashesStrings = true};
  const RedactedDump both(kRedactedDump, options);
  EXPECT_EQ(both.report().choices, choicesOf(options));
  const auto& redaction = both.copy().contents().core->redaction;
  ASSERT_TRUE(redaction);
  EXPECT_EQ(redaction->kept, choicesOf(options));
  EXPECT_FALSE(redaction->keeps(kKeptLengths));
  EXPECT_TRUE(redaction->keeps(kKeptEnums) && redaction->keeps(kKeptBooleans) && redaction->keeps(kKeptCounts) &&
              redaction->keeps(kKeptHashes));
  expectClean(both.copy());
  EXPECT_EQ(both.copy().retainedTotals(), both.dump().retainedTotals());
}

TEST(RedactChoices, KeepCountsOfCollections) {
  const RedactOptions options{.keepsCounts = true};
  const RedactedDump both(kRedactedDump, options);
  for (const char* type : {"System.Collections.Generic.List<", "System.Collections.Generic.Dictionary<",
                           "System.Collections.Generic.Queue<", "System.Collections.Generic.HashSet<"}) {
    const auto counts = countsOf(both.dump(), type);
    EXPECT_FALSE(counts.empty()) << type;
    EXPECT_EQ(countsOf(both.copy(), type), counts) << type;
  }
  expectClean(both.copy());
  expectEqualCopy(both, options);
  for (const auto& [list, count] : countsOf(redactedDump(kRedactedDump).copy(), "System.Collections.Generic.List<"))
    EXPECT_EQ(count, 0u) << toString(list);
}

TEST(RedactChoices, KeepBooleans) {
  const RedactOptions options{.keepsBooleans = true};
  const RedactedDump both(kRedactedDump, options);
  const auto values = valuesOf(both.dump(), ValueKind::Boolean);
  EXPECT_GT(values.size(), 100u);
  EXPECT_EQ(valuesOf(both.copy(), ValueKind::Boolean), values);
  EXPECT_TRUE(valuesOf(both.copy(), ValueKind::Enum).empty());
  EXPECT_TRUE(valuesOf(both.copy(), ValueKind::Integer).empty());
  expectClean(both.copy());
  expectEqualCopy(both, options);
}

TEST(RedactChoices, KeepEnums) {
  const RedactOptions options{.keepsEnums = true};
  const RedactedDump both(kRedactedDump, options);
  const auto values = valuesOf(both.dump(), ValueKind::Enum);
  const auto copied = valuesOf(both.copy(), ValueKind::Enum);
  EXPECT_GT(values.size(), 20u);
  EXPECT_EQ(copied.size(), values.size());
  for (const auto& [address, text] : values) {
    const auto copy = copied.find(address);
    ASSERT_NE(copy, copied.end()) << toString(address);
    EXPECT_EQ(copy->second, text) << toString(address);
  }
  EXPECT_TRUE(valuesOf(both.copy(), ValueKind::Boolean).empty());
  EXPECT_TRUE(valuesOf(both.copy(), ValueKind::Integer).empty());
  expectClean(both.copy());
  expectEqualCopy(both, options);
}

TEST(RedactChoices, HashEqualStringsAlike) {
  const RedactOptions options{.hashesStrings = true};
  const RedactedDump both(kRedactedDump, options);
  std::map<std::string, std::string> hashes, texts;
  constexpr std::size_t kLongEnough = 10;  // to be told apart for certain
  for (const ObjectRow& row : objectsOfType(both.dump(), "System.String")) {
    const std::string text = textAt(both.dump(), row.address);
    const std::string hash = textAt(both.copy(), row.address);
    const auto details = objectDetails(both.dump(), row.address);
    ASSERT_TRUE(details && details->string);
    ASSERT_EQ(hash.size(), details->string->length) << text;
    const auto [known, isNew] = hashes.emplace(text, hash);
    EXPECT_EQ(known->second, hash) << text;
    if (!isNew || hash.size() < kLongEnough) continue;
    EXPECT_TRUE(texts.emplace(hash, text).second) << text << " is " << hash << " as " << texts[hash];
    EXPECT_NE(hash, text);
  }
  EXPECT_GT(texts.size(), 100u);
  expectClean(both.copy());
}

TEST(RedactChoices, AreTakenBackInACopyOfTheCopy) {
  const RedactedDump both(kRedactedDump,
                          {.keepsEnums = true, .keepsBooleans = true, .keepsCounts = true, .hashesStrings = true});
  const TemporaryFolder folder;
  writeCopy(both.copy(), folder / "copy.core");
  const Snapshot copy = openSnapshot(folder / "copy.core", Stage::Objects);
  const auto& redaction = copy.contents().core->redaction;
  ASSERT_TRUE(redaction);
  EXPECT_EQ(redaction->kept, choicesOf({}));
  EXPECT_TRUE(haveSameBytes(redactedDump(kRedactedDump).path(), folder / "copy.core"));
  expectClean(copy);
}

TEST(RedactChoices, SayNothingThatTheCopyDoesNotHave) {
  const TemporaryFolder folder;
  writeCopy(redactedDump(kRedactedDump).copy(), folder / "copy.core", {.keepsBooleans = true, .keepsCounts = true});
  const Snapshot copy = openSnapshot(folder / "copy.core", Stage::Objects);
  ASSERT_TRUE(copy.contents().core->redaction);
  EXPECT_FALSE(copy.contents().core->redaction->keeps(kKeptBooleans));
  EXPECT_FALSE(copy.contents().core->redaction->keeps(kKeptCounts));
}

TEST(RedactChoices, HashWithAKeyOfTheirOwn) {
  const TemporaryFolder folder;
  const Snapshot& dump = redactedDump(kRedactedDump).dump();
  writeCopy(dump, folder / "one.core", {.hashesStrings = true});
  writeCopy(dump, folder / "other.core", {.hashesStrings = true});
  const Snapshot one = openSnapshot(folder / "one.core", Stage::Objects);
  const Snapshot other = openSnapshot(folder / "other.core", Stage::Objects);
  std::size_t equal = 0, all = 0;
  for (const ObjectRow& row : objectsOfType(dump, "System.String")) {
    const std::string hash = textAt(one, row.address);
    if (hash.size() < 8) continue;
    ++all;
    equal += hash == textAt(other, row.address);
  }
  EXPECT_GT(all, 100u);
  EXPECT_EQ(equal, 0u);
}

TEST(RedactChoices, FindDuplicatesByTheirHashes) {
  const RedactedDump both(kRedactedDump, {.hashesStrings = true});
  const auto duplicates = duplicatesIn(both.dump());
  ASSERT_FALSE(duplicates.empty());
  EXPECT_EQ(duplicatesIn(both.copy()), duplicates);
  EXPECT_TRUE(duplicatesIn(redactedDump(kRedactedDump).copy()).empty());
}

TEST(RedactChoices, RoundLengthsUpToWhatTheSizeAllows) {
  const RedactOptions options{.keepsLengths = false};
  const RedactedDump both(kRedactedDump, options);
  EXPECT_EQ(both.copy().totals().bytes, both.dump().totals().bytes);
  EXPECT_EQ(both.copy().retainedTotals(), both.dump().retainedTotals());
  std::size_t rounded = 0;
  const auto dump = objectsIn(both.dump());
  const auto copy = objectsIn(both.copy());
  ASSERT_EQ(copy.size(), dump.size());
  for (std::size_t i = 0; i < dump.size(); ++i) {
    ASSERT_EQ(copy[i].address, dump[i].address);
    ASSERT_EQ(copy[i].alignedBytes, dump[i].alignedBytes);
    ASSERT_GE(copy[i].sizeBytes, dump[i].sizeBytes);
    rounded += copy[i].sizeBytes != dump[i].sizeBytes;
  }
  EXPECT_GT(rounded, 100u);
  std::map<std::uint64_t, std::set<std::uint32_t>> lengths;  // of strings by their aligned size
  for (const ObjectRow& row : objectsOfType(both.copy(), "System.String")) {
    const auto details = objectDetails(both.copy(), row.address);
    ASSERT_TRUE(details && details->string);
    EXPECT_EQ(details->string->damage, "");
    EXPECT_EQ(details->string->text, std::string(details->string->shown, '*'));  // or they would tell the length
    lengths[row.alignedBytes].insert(details->string->length);
  }
  for (const auto& [bytes, some] : lengths)
    EXPECT_EQ(some.size(), bytes <= 24 ? some.size() : 1u) << bytes;  // of the smallest there is the empty string, too
  expectClean(both.copy());
  expectEqualCopy(both, options);
}

TEST(RedactChoices, KeepAllContentsOfASlimCopy) {
  const RedactOptions options{.isSlim = true};
  const RedactedDump both(kRedactedDump, options);
  EXPECT_LT(both.report().copyBytes, both.report().dumpBytes);
  const auto& redaction = both.copy().contents().core->redaction;
  ASSERT_TRUE(redaction);
  EXPECT_TRUE(redaction->hasContents);
  EXPECT_EQ(both.copy().retainedTotals(), both.dump().retainedTotals());
  EXPECT_EQ(both.copy().summary().dump.command, both.dump().summary().dump.command);
  for (const ValueKind kind : {ValueKind::Boolean, ValueKind::Enum, ValueKind::Integer, ValueKind::Known})
    EXPECT_EQ(valuesOf(both.copy(), kind), valuesOf(both.dump(), kind)) << toString(kind);
  for (const ObjectRow& row : objectsOfType(both.dump(), "System.String"))
    ASSERT_EQ(textAt(both.copy(), row.address), textAt(both.dump(), row.address));
  EXPECT_EQ(duplicatesIn(both.copy()), duplicatesIn(both.dump()));
  // It is no copy that may be shared, and says so.
  const auto check = checkRedacted(both.copy(), nullptr, {});
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->isClean());
}

TEST(RedactChoices, EmptyASlimCopyAsTheDumpItself) {
  const TemporaryFolder folder;
  const RedactedDump& both = redactedDump(kRedactedDump);
  writeCopy(both.dump(), folder / "slim.core", {.isSlim = true});
  writeCopy(openSnapshot(folder / "slim.core", Stage::Objects), folder / "redacted.core");
  const Snapshot redacted = openSnapshot(folder / "redacted.core", Stage::Retained);
  EXPECT_FALSE(redacted.contents().core->hasContents());
  EXPECT_EQ(redacted.retainedTotals(), both.dump().retainedTotals());
  expectClean(redacted);
}

}  // namespace
}  // namespace heapscape::test
