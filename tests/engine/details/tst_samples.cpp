// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>

#include "session/details/object_details.h"
#include "support/details.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "values/code_address.h"

namespace heapscape::test {
namespace {

using engine::FieldValue;
using engine::Value;
using engine::ValueKind;
using nlohmann::json;

constexpr std::uint64_t kFieldsStart = 8;  // behind the method table pointer
constexpr int kCharacter = 3, kSingle = 12, kDouble = 13;

class Samples : public testing::TestWithParam<std::string> {
 protected:
  void compareFields(const std::vector<FieldValue>& ours, const json& theirs, std::uint64_t start,
                     const std::string& path) {
    for (const json& field : theirs) {
      const std::uint64_t offset = start + field["offset"].get<std::uint64_t>();
      const auto found = std::find_if(ours.begin(), ours.end(), [&](const FieldValue& one) {
        return one.name == field["name"].get<std::string>() && one.offset == offset;
      });
      if (found == ours.end()) {
        ADD_FAILURE() << path << '.' << field["name"] << " is not there at " << offset;
      } else {
        compare(*found, field, path + '.' + found->name);
      }
    }
  }

  void compare(const FieldValue& ours, const json& theirs, const std::string& path) {
    ++m_compared;
    const Value& value = ours.value;
    EXPECT_NE(value.kind, ValueKind::Damaged) << path << ": " << value.damage;
    if (theirs.contains("object")) {
      EXPECT_EQ(value.object, addressIn(theirs, "object")) << path;
      if (theirs.contains("objectType") && isReliable(theirs["objectType"])) {
        EXPECT_EQ(value.objectType, theirs["objectType"].get<std::string>()) << path;
      }
    } else if (theirs.contains("fields")) {
      compareStruct(ours, theirs["fields"], path);
    } else if (theirs.contains("value") && !theirs.contains("enum")) {
      EXPECT_TRUE(isSamePrimitive(std::string(codeAddressOf(value).address), theirs))
          << path << ": " << value.text << ", not " << theirs;
    }
  }

  // The elements of inline arrays and fixed buffers are ours alone; ClrMD knows the first.
  void compareStruct(const FieldValue& ours, const json& fields, const std::string& path) {
    if (!ours.nested.empty() && ours.nested.front().name.starts_with("[")) return;
    if (ours.nested.empty()) {
      EXPECT_TRUE(fields.empty() || ours.value.kind == ValueKind::Known) << path;
      return;
    }
    compareFields(ours.nested, fields, ours.offset, path);
  }

  static bool isReliable(const std::string& name) {
    return name.find("T1") == std::string::npos && name.find("<*>") == std::string::npos && !name.empty();
  }

  static bool isSamePrimitive(const std::string& ours, const json& theirs) {
    const std::string expected = theirs["value"];
    const int element = theirs["element"];
    if (element == kCharacter) {
      // 'x' and so on; others are written as escapes, which are tested by themselves.
      const int code = std::stoi(expected);
      return code < 0x20 || code > 0x7e || ours.find(static_cast<char>(code)) != std::string::npos;
    }
    if (element == kSingle) return std::stof(ours) == std::stof(expected) || std::isnan(std::stof(expected));
    if (element == kDouble) return std::stod(ours) == std::stod(expected) || std::isnan(std::stod(expected));
    return ours == expected || (ours == "null" && expected == "0x0") || ours == hexadecimal(expected);
  }

  // Native integers may be written as addresses.
  static std::string hexadecimal(const std::string& decimal) {
    long long number = 0;
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), number);
    return toString(engine::Address{static_cast<std::uint64_t>(number)});
  }

  int m_compared = 0;
};

INSTANTIATE_TEST_SUITE_P(OfShop, Samples, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(Samples, HaveTheValuesThatClrMDReads) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  const json truth = detailsOf(GetParam());
  ASSERT_GE(truth["samples"].size(), 200u);
  for (const json& sample : truth["samples"]) {
    const auto details = engine::objectDetails(snapshot, addressIn(sample, "address"));
    ASSERT_TRUE(details) << sample << details.error().message();
    EXPECT_EQ(details->row.sizeBytes, sample["size"].get<std::uint64_t>());
    const std::string path = toString(details->row.address) + ' ' + details->typeName;
    if (sample.contains("fields")) {
      compareFields(details->fields, sample["fields"], kFieldsStart, path);
    } else if (sample.contains("lengths")) {
      ASSERT_TRUE(details->array) << path;
      EXPECT_EQ(json(details->array->lengths), sample["lengths"]) << path;
      EXPECT_EQ(json(details->array->lowerBounds), sample["lowerBounds"]) << path;
      if (!sample.contains("elements")) continue;
      ASSERT_GE(details->array->elements.size(), sample["elements"].size()) << path;
      for (std::size_t i = 0; i < sample["elements"].size(); ++i)
        compare(details->array->elements[i], sample["elements"][i], path + '[' + std::to_string(i) + ']');
    } else {
      ASSERT_TRUE(details->string) << path;
      const std::string expected = sample["string"];
      EXPECT_TRUE(details->string->text.starts_with(expected)) << path << ": " << expected;
    }
  }
  EXPECT_GT(m_compared, 2000);
}

}  // namespace
}  // namespace heapscape::test
