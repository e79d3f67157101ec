// SPDX-License-Identifier: MIT
#include "session/types/type_details.h"

#include <algorithm>
#include <cstddef>

#include "shop_types.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::MethodState;
using engine::TypeDetails;

class ShopTypeDetails : public ShopTypes {
 protected:
  TypeDetails detailsOf(const std::string& name) const {
    const auto type = engine::findType(snapshot(), name);
    if (!type) throw std::runtime_error(type.error().message());
    auto details = engine::typeDetails(snapshot(), *type);
    if (!details) throw std::runtime_error(details.error().message());
    EXPECT_TRUE(details->findings.empty()) << name;
    return std::move(*details);
  }
};

// .NET 8 keeps much of it otherwise than later versions.
INSTANTIATE_TEST_SUITE_P(OfShop, ShopTypeDetails, testing::Values("shop-8", "shop-10", "shop-11"),
                         [](const auto& dump) { return testName(dump.param); });

const engine::TypeField* findField(const TypeDetails& type, std::string_view name) {
  const auto field = std::ranges::find(type.fields, name, &engine::TypeField::name);
  return field == type.fields.end() ? nullptr : &*field;
}

const engine::TypeMethod* methodOf(const TypeDetails& type, std::string_view name) {
  const auto method = std::ranges::find(type.methods, name, &engine::TypeMethod::name);
  return method == type.methods.end() ? nullptr : &*method;
}

std::string textOf(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + ";";
  return text;
}

class ShopVtables : public ShopTypes {};

INSTANTIATE_TEST_SUITE_P(OfShop, ShopVtables,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "shop-arm64-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ShopVtables, EverySlotHasTheMethodThatItsEntryLeadsTo) {
  std::size_t compared = 0;
  for (const engine::TypeRow& row : snapshot().types()) {
    if (row.isFree) continue;
    const auto type = engine::typeDetails(snapshot(), row.methodTable);
    ASSERT_TRUE(type) << row.name;
    EXPECT_TRUE(type->findings.empty()) << row.name;
    std::size_t virtuals = 0;
    for (const engine::TypeMethod& method : type->methods) {
      virtuals += method.isVirtual;
      virtuals += static_cast<std::size_t>(std::ranges::count(method.asyncForms, true, &engine::TypeMethod::isVirtual));
      if (!method.entry) continue;
      const Address found = readers().code.methodAtEntry(method.entry);
      if (!found) continue;  // the stub is not in the dump
      EXPECT_EQ(found, method.methodDesc)
          << row.name << " slot " << method.slot << " " << method.name << " " << readers().methodNames.nameOf(found);
      ++compared;
    }
    EXPECT_EQ(virtuals, type->vtableSlots) << row.name;
  }
  EXPECT_GT(compared, 1000u);
}

TEST_P(ShopTypeDetails, TellWhatMetadataSays) {
  const TypeDetails statics = detailsOf("Shop.Statics");
  EXPECT_EQ(statics.kind, "class");
  EXPECT_EQ(statics.clrName, "Shop.Statics");
  EXPECT_EQ(statics.csharpName, "Statics");
  EXPECT_EQ(statics.moduleName, "shop.dll");
  EXPECT_EQ(statics.token >> 24, 0x02u);
  EXPECT_EQ(textOf(statics.attributeNames), "not public;abstract;sealed;before field init;auto layout;ANSI strings;");
  EXPECT_EQ(statics.parent.name, "System.Object");
  EXPECT_EQ(statics.parents.size(), 1u);
  EXPECT_EQ(statics.staticFieldCount, 26u);
  EXPECT_EQ(statics.threadStaticFieldCount, 3u);
  EXPECT_EQ(statics.fields.size(), 26u);
  ASSERT_TRUE(findField(statics, "table"));
  EXPECT_EQ(findField(statics, "table")->attributes, "private static readonly");
  ASSERT_TRUE(findField(statics, "perThread"));
  EXPECT_TRUE(findField(statics, "perThread")->isThreadStatic);
  EXPECT_TRUE(statics.isClassInitialised);
}

TEST_P(ShopTypeDetails, TellGenericsAsDeclaredAndAsInstantiated) {
  const TypeDetails list = detailsOf("List<string>");
  EXPECT_EQ(list.name, "System.Collections.Generic.List<System.String>");
  EXPECT_EQ(list.clrName, "System.Collections.Generic.List`1");
  EXPECT_EQ(list.csharpName, "List<string>");
  EXPECT_EQ(list.canonical.name, "System.Collections.Generic.List<System.__Canon>");
  ASSERT_TRUE(findField(list, "_items"));
  EXPECT_EQ(findField(list, "_items")->typeName, "System.String[]");
  EXPECT_EQ(findField(list, "_items")->declaredType, "T[]");
  EXPECT_EQ(findField(list, "_items")->sizeBytes, 8u);
  ASSERT_EQ(list.typeArguments.size(), 1u);
  EXPECT_EQ(list.typeArguments[0].parameter, "T");
  EXPECT_EQ(list.typeArguments[0].argument.name, "System.String");
  EXPECT_EQ(list.typeArguments[0].canonicalName, "System.__Canon");
  EXPECT_TRUE(list.typeArguments[0].isShared);
  EXPECT_TRUE(
      std::ranges::any_of(list.sharedWith, [](const auto& l) { return l.name.ends_with("List<Catalog.Order>"); }));
  ASSERT_FALSE(list.dictionary.empty());
  EXPECT_EQ(list.dictionary[0].meaning, "T = System.String");
  ASSERT_TRUE(methodOf(list, "Add(System.String)"));
  EXPECT_TRUE(methodOf(list, "Add(System.String)")->isShared);
  EXPECT_TRUE(std::ranges::any_of(list.interfaces, [](const auto& link) {
    return link.name == "System.Collections.Generic.IList<System.String>";
  }));
}

TEST_P(ShopTypeDetails, ValueTypesHaveCodeOfTheirOwn) {
  const TypeDetails box = detailsOf("System.Nullable<int>");
  EXPECT_EQ(box.kind, "struct");
  EXPECT_EQ(box.csharpName, "int?");
  EXPECT_EQ(box.canonical.methodTable, box.methodTable);
  EXPECT_TRUE(box.sharedWith.empty());
  EXPECT_FALSE(box.typeArguments.at(0).isShared);
  EXPECT_TRUE(std::ranges::none_of(box.methods, &engine::TypeMethod::isShared));
  // Primitives implement generic interfaces over themselves, which the runtime notes in their open form.
  const TypeDetails integer = detailsOf("System.Int32");
  EXPECT_TRUE(std::ranges::any_of(integer.interfaces,
                                  [](const auto& link) { return link.name == "System.IComparable<System.Int32>"; }));
  EXPECT_EQ(integer.elementType, "i4");
}

TEST_P(ShopTypeDetails, ArraysTellTheirElements) {
  const TypeDetails matrix = detailsOf("int[,]");
  EXPECT_EQ(matrix.kind, "array");
  EXPECT_EQ(matrix.rank, 2u);
  ASSERT_TRUE(matrix.elementTypeLink);
  EXPECT_EQ(matrix.elementTypeLink->name, "System.Int32");
  EXPECT_EQ(matrix.componentSize, 4u);
  EXPECT_TRUE(methodOf(matrix, "Get(System.Int32, System.Int32)"));
  EXPECT_TRUE(methodOf(matrix, "Address(System.Int32, System.Int32)"));
}

TEST_P(ShopTypeDetails, PartsLieWhereTheirPointersSay) {
  const TypeDetails list = detailsOf("List<string>");
  const auto part = [&](std::string_view name) -> const TypeDetails::Part* {
    const auto found = std::ranges::find(list.parts, name, &TypeDetails::Part::name);
    return found == list.parts.end() ? nullptr : &*found;
  };
  ASSERT_TRUE(part("MethodTable"));
  EXPECT_EQ(part("MethodTable")->address, list.methodTable);
  ASSERT_TRUE(part("GCDesc"));
  EXPECT_EQ(part("GCDesc")->address + part("GCDesc")->sizeBytes, list.methodTable);
  ASSERT_TRUE(part("EEClass"));
  EXPECT_EQ(part("EEClass")->address, list.eeClass);
  ASSERT_TRUE(part("dictionary"));
  EXPECT_EQ(part("dictionary")->address, list.dictionary.at(0).address);
  ASSERT_TRUE(part("FieldDescs"));
  EXPECT_EQ(part("FieldDescs")->sizeBytes, 4 * 16u);
  EXPECT_GE(std::ranges::count(list.parts, "MethodDescChunk", &TypeDetails::Part::name), 1);
}

TEST_P(ShopTypeDetails, EmittedTypesHaveJittedMethods) {
  // Two assemblies were emitted with a type of this name, one of them collectible.
  std::size_t collectible = 0;
  for (const engine::TypeRow& row : snapshot().types()) {
    if (row.name != "Emitted.Label") continue;
    const auto type = engine::typeDetails(snapshot(), row.methodTable);
    ASSERT_TRUE(type);
    collectible += type->isCollectible;
    EXPECT_TRUE(std::ranges::any_of(type->methods, [](const auto& m) { return m.state == MethodState::Jitted; }));
  }
  EXPECT_EQ(collectible, 1u);
}

TEST(TypeDetailsOf, FailWhereThereIsNoType) {
  const engine::Snapshot& snapshot = openedDump("shop-10");
  EXPECT_FALSE(engine::typeDetails(snapshot, {0}));
  EXPECT_FALSE(engine::typeDetails(snapshot, {0x1234}));
  EXPECT_FALSE(engine::typeDetails(snapshot, snapshot.segments().front().objects.start));
  const auto free = std::ranges::find(snapshot.types(), true, &engine::TypeRow::isFree);
  ASSERT_NE(free, snapshot.types().end());
  EXPECT_EQ(engine::typeDetails(snapshot, free->methodTable).error().code, engine::ErrorCode::NotFound);
}

}  // namespace
}  // namespace heapscape::test
