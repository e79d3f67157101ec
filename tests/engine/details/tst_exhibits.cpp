// SPDX-License-Identifier: MIT
// What the sample program printed of its own objects, against what we read of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "session/details/object_details.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using nlohmann::json;

class Exhibits : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    m_printed = printedBy(GetParam());
    m_addresses = exhibitsOf(snapshot());
  }
  const engine::Snapshot& snapshot() const { return openedDump(GetParam()); }

  engine::ObjectDetails detailsOf(const json& printed) const {
    auto details = engine::objectDetails(snapshot(), m_addresses.at(printed.at("path")));
    if (!details) throw std::runtime_error(details.error().message());
    return std::move(*details);
  }

  json m_printed;
  std::map<std::string, engine::Address> m_addresses;
};

INSTANTIATE_TEST_SUITE_P(OfEachRuntime, Exhibits, testing::ValuesIn(exhibitDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(Exhibits, HaveTheHeadersThatTheProgramRead) {
  ASSERT_GE(m_printed["headers"].size(), 10u);
  for (const json& printed : m_printed["headers"]) {
    SCOPED_TRACE(printed.dump());
    const engine::ObjectDetails details = detailsOf(printed);
    ASSERT_TRUE(details.header);
    EXPECT_EQ(fmt::format("{:#010x}", details.header->value), printed["header"].get<std::string>());
    if (!printed.contains("hashCode")) continue;
    const bool isInBlock = details.header->kind == engine::HeaderKind::SyncBlock;
    const std::uint32_t hashCode = isInBlock && details.lock ? details.lock->hashCode : details.header->hashCode;
    EXPECT_EQ(hashCode, printed["hashCode"].get<std::uint32_t>());
  }
}

TEST_P(Exhibits, HaveTheLocksThatTheProgramTook) {
  int held = 0;
  for (const json& printed : m_printed["headers"]) {
    if (!printed["heldByMain"].get<bool>()) continue;
    SCOPED_TRACE(printed.dump());
    const engine::ObjectDetails details = detailsOf(printed);
    ASSERT_TRUE(details.lock);
    EXPECT_TRUE(details.lock->isHeld);
    EXPECT_EQ(details.lock->ownerManagedId, printed["mainThreadId"].get<std::uint32_t>());
    ++held;
  }
  EXPECT_GE(held, 3);
}

TEST_P(Exhibits, HaveTheValuesThatTheProgramPrinted) {
  int compared = 0;
  for (const json& printed : m_printed["values"]) {
    SCOPED_TRACE(printed["path"].dump());
    const engine::ObjectDetails details = detailsOf(printed);
    EXPECT_EQ(details.typeName, printed["type"].get<std::string>());
    if (printed.contains("boxed")) {
      ASSERT_TRUE(details.boxed);
      EXPECT_EQ("", difference(printed["boxed"], snapshot(), details.boxed->value, details.fields));
      ++compared;
    }
    if (!printed.contains("fields")) continue;
    for (const auto& [name, value] : printed["fields"].items()) {
      // A field hides one of the same name in a base type.
      const auto found = std::find_if(details.fields.rbegin(), details.fields.rend(),
                                      [&](const engine::FieldValue& field) { return field.name == name; });
      ASSERT_NE(found, details.fields.rend()) << name;
      if (value["kind"] == "integer") {
        const bool isNative = found->typeName == "System.IntPtr" || found->typeName == "System.UIntPtr";
        EXPECT_EQ(found->value.kind == engine::ValueKind::Pointer, isNative) << name;
      }
      EXPECT_EQ("", difference(value, snapshot(), found->value, found->nested)) << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 80);
}

TEST_P(Exhibits, HaveTheArraysThatTheProgramPrinted) {
  for (const json& printed : m_printed["arrays"]) {
    SCOPED_TRACE(printed["path"].dump());
    const engine::ObjectDetails details = detailsOf(printed);
    ASSERT_TRUE(details.array);
    EXPECT_EQ(details.array->rank, printed["rank"].get<std::uint32_t>());
    EXPECT_EQ(json(details.array->lengths), printed["lengths"]);
    EXPECT_EQ(json(details.array->lowerBounds), printed["lowerBounds"]);
    EXPECT_EQ(details.array->elementType, printed["elementType"].get<std::string>());
    const json& elements = printed["elements"];
    ASSERT_GE(details.array->elements.size(), std::min<std::size_t>(elements.size(), 100));
    for (std::size_t i = 0; i < elements.size() && i < details.array->elements.size(); ++i) {
      const engine::FieldValue& element = details.array->elements[i];
      EXPECT_EQ("", difference(elements[i], snapshot(), element.value, element.nested)) << element.name;
    }
  }
}

TEST_P(Exhibits, HaveTheMethodsThatTheProgramsDelegatesCall) {
  ASSERT_GE(m_printed["delegates"].size(), 10u);
  for (const json& printed : m_printed["delegates"]) {
    SCOPED_TRACE(printed["path"].dump());
    const engine::ObjectDetails details = detailsOf(printed);
    ASSERT_EQ(details.delegate.size(), printed["calls"].size());
    for (std::size_t i = 0; i < details.delegate.size(); ++i) {
      const json& call = printed["calls"][i];
      // Shared code knows its type arguments by their canonical form only.
      EXPECT_NE(details.delegate[i].method.find(call["name"].get<std::string>()), std::string::npos)
          << details.delegate[i].method << ", not " << call["method"];
      const std::string target = call["target"].is_null() ? std::string() : call["target"].get<std::string>();
      if (!call["isStatic"].get<bool>()) {
        EXPECT_EQ(details.delegate[i].targetType, target);
      }
    }
  }
}

TEST_P(Exhibits, HaveTheExceptionsThatTheProgramCaught) {
  for (const json& printed : m_printed["exceptions"]) {
    SCOPED_TRACE(printed["path"].dump());
    const engine::ObjectDetails details = detailsOf(printed);
    ASSERT_TRUE(details.exception);
    EXPECT_EQ(details.exception->damage, "");
    EXPECT_EQ(fmt::format("{:#010x}", static_cast<std::uint32_t>(details.exception->hresult)),
              printed["hresult"].get<std::string>());
    ASSERT_EQ(details.exception->stack.size(), printed["stack"].size());
    for (std::size_t i = 0; i < details.exception->stack.size(); ++i) {
      const std::string expected = printed["stack"][i];
      const std::string name = expected.substr(0, expected.find_first_of("(<"));
      EXPECT_NE(details.exception->stack[i].method.find(name.substr(name.rfind('.') + 1)), std::string::npos)
          << details.exception->stack[i].method << ", not " << expected;
    }
    if (printed["inner"].is_null()) {
      EXPECT_FALSE(details.exception->inner);
    } else {
      EXPECT_EQ(details.exception->innerType, printed["inner"]["type"].get<std::string>());
    }
  }
}

}  // namespace
}  // namespace heapscape::test
