// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>

#include "runtime/aot/aot_method_names.h"
#include "runtime/aot/aot_type_names.h"
#include "support/builders/aot_module_in_memory.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::uint8_t kTypeDefinition = 0x3a, kTypeReference = 0x3d, kTypeSpecification = 0x3e, kSzArray = 0x37,
                       kInstantiation = 0x3c, kTypeVariable = 0x3f, kMethodVariable = 0x2c, kText = 0x1a;

/// A module with all that reads it.
struct OpenedModule {
  OpenedModule(std::uint32_t release, const AotModuleInMemory& module) : OpenedModule(release, module.build()) {}
  OpenedModule(std::uint32_t release, FileBytes image)
      : core(CoreBuilder().memory(AotModuleInMemory::kStart.value, std::move(image))),
        layout(*findAotLayout(release)),
        typeManagers(readTypeManagers(core.space(), layout, AotModuleInMemory::kRuntimeInstance, findings)),
        types(core.space(), layout),
        modules(core.space(), layout, typeManagers, findings),
        names(types, modules),
        methods(core.space(), types, modules, names, findings) {}

  OpenedCore core;
  const AotLayout& layout;
  FindingList findings;
  std::vector<Address> typeManagers;
  AotMethodTables types;
  AotModules modules;
  AotTypeNames names;
  AotMethodNames methods;
};

class AotNames : public testing::TestWithParam<std::uint32_t> {
 protected:
  std::uint32_t containsPointers() const { return GetParam() == 8 ? 0x0020'0000 : 0x0100'0000; }
  void map(Address methodTable, std::uint32_t type) { module.map(methodTable, module.token(kTypeDefinition, type)); }

  AotModuleInMemory module{GetParam()};
  std::uint32_t root = module.space("");
  std::uint32_t shop = module.space("Shop", root);
  std::uint32_t goods = module.space("Goods", shop);
};

INSTANTIATE_TEST_SUITE_P(Releases, AotNames, testing::Values(8, 9, 10, 11));

TEST_P(AotNames, HaveNamespacesAndTheTypesAroundThem) {
  const Address order = module.methodTable({}), line = module.methodTable({}), free = module.methodTable({});
  const std::uint32_t outer = module.type(goods, "Order");
  map(order, outer);
  map(line, module.type(goods, "Line", outer));
  map(free, module.type(root, "Program"));
  const OpenedModule opened(GetParam(), module);
  EXPECT_EQ(opened.names.nameOf(order), "Shop.Goods.Order");
  EXPECT_EQ(opened.names.nameOf(line), "Shop.Goods.Order+Line");
  EXPECT_EQ(opened.names.nameOf(free), "Program");
  EXPECT_EQ(opened.modules.methodTableNamed("Shop.Goods.Order+Line"), line);
  EXPECT_TRUE(opened.findings.items().empty());
}

TEST_P(AotNames, OfArraysAndGenericTypesArePutTogether) {
  const Address order = module.methodTable({}), pair = module.definition(2), list = module.definition(1);
  map(order, module.type(shop, "Order"));
  map(pair, module.type(shop, "Pair`2", 0, {"TKey", "TValue"}));
  map(list, module.type(shop, "Nested`1", module.type(shop, "Outer")));
  const Address orders = module.methodTable({.kind = 2, .element = 0x18, .baseSize = 24, .related = order});
  const Address grid = module.methodTable({.kind = 2, .element = 0x17, .baseSize = 24 + 16, .related = order});
  const Address ofOne = module.methodTable({.definition = list, .arguments = {orders}});
  const Address ofTwo = module.methodTable({.flags = 0x0054'0000, .definition = pair, .arguments = {order, ofOne}});
  const Address made = module.methodTable({.definition = pair, .arguments = {ofTwo, grid}, .isDynamic = true});
  const Address single = module.methodTable({.definition = list, .arguments = {made}, .isDynamic = true});
  const OpenedModule opened(GetParam(), module);
  EXPECT_EQ(opened.names.nameOf(orders), "Shop.Order[]");
  EXPECT_EQ(opened.names.nameOf(grid), "Shop.Order[,]");
  EXPECT_EQ(opened.names.nameOf(ofOne), "Shop.Outer+Nested<Shop.Order[]>");
  EXPECT_EQ(opened.names.nameOf(ofTwo), "Shop.Pair<Shop.Order, Shop.Outer+Nested<Shop.Order[]>>");
  EXPECT_EQ(opened.names.nameOf(single),
            "Shop.Outer+Nested<Shop.Pair<Shop.Pair<Shop.Order, Shop.Outer+Nested<Shop.Order[]>>, Shop.Order[,]>>");
  EXPECT_EQ(opened.names.nameOf(pair), "Shop.Pair<TKey, TValue>");
}

TEST_P(AotNames, TellWhatHoldsStaticFieldsAndWhatIsUnknown) {
  const Address statics = module.methodTable({.element = 0, .flags = containsPointers(), .baseSize = 40});
  const Address unknown = module.methodTable({});
  const OpenedModule opened(GetParam(), module);
  EXPECT_EQ(opened.names.nameOf(statics), "<static fields of 24 bytes>");
  EXPECT_EQ(opened.names.nameOf(unknown), "<unknown type " + toString(unknown) + ">");
  EXPECT_EQ(opened.names.nameOf({0x10}), "<unknown type 0x10>");
  const auto type = opened.types.read(statics);
  ASSERT_TRUE(type);
  EXPECT_TRUE(type->isStaticsBase);
  EXPECT_EQ(type->vtableSlots, 0u);
  EXPECT_FALSE(opened.types.typeManager(*type));
}

TEST_P(AotNames, OfMethodsComeFromStackTracesAndFromReflection) {
  const Address order = module.methodTable({}), box = module.definition(1);
  const std::uint32_t orderType = module.type(shop, "Order"), boxType = module.type(shop, "Box`1", 0, {"T"});
  map(order, orderType);
  map(box, boxType);
  const Address boxed = module.methodTable({.definition = box, .arguments = {order}});
  const std::uint32_t orders = module.record({module.packed(kTypeDefinition, orderType)});
  const std::uint32_t first = module.record({0});
  const std::uint32_t plain = module.signature({{kSzArray, orders}});
  const std::uint32_t open = module.signature({{kTypeVariable, first}, {kMethodVariable, first}});
  const std::uint32_t instance =
      module.record({module.packed(kTypeDefinition, boxType), 1, module.packed(kSzArray, orders)});
  const std::uint32_t specification = module.record({module.packed(kInstantiation, instance)});
  const std::uint32_t argumentName = module.text("TResult");
  const std::uint32_t arguments = module.record({1, module.packed(kText, argumentName)});
  const std::uint32_t add = module.text("Add"), into = module.text("Map");
  const auto at = [](std::uint64_t place) { return AotModuleInMemory::kCode + 16 * place; };
  module.trace(at(3), module.token(kTypeDefinition, orderType), add, plain);
  module.trace(at(1), module.token(kTypeDefinition, boxType), into, open, arguments);
  module.trace(at(2), module.token(kTypeSpecification, specification), add, open);
  module.mayInvoke(at(4), boxed, module.method("Take", open));
  const OpenedModule opened(GetParam(), module);
  const auto nameAt = [&](std::uint64_t place) {
    const auto name = opened.methods.find(at(place));
    return name ? name->text() : std::string();
  };
  EXPECT_EQ(opened.methods.count(), 4u);
  EXPECT_EQ(nameAt(1), "Shop.Box<T>.Map<TResult>(T, TResult)");
  EXPECT_EQ(nameAt(2), "Shop.Box<Shop.Order[]>.Add(Shop.Order[], !!0)");
  EXPECT_EQ(nameAt(3), "Shop.Order.Add(Shop.Order[])");
  EXPECT_EQ(nameAt(4), "Shop.Box<Shop.Order>.Take(Shop.Order, !!0)");
  EXPECT_EQ(nameAt(5), "");
  EXPECT_TRUE(opened.findings.items().empty());
}

// Each would be followed without end, or into what is not there.
TEST_P(AotNames, OfRecordsThatNameEachOtherAreUnknown) {
  const Address self = module.methodTable({}), inSpace = module.methodTable({}), far = module.methodTable({}),
                wrong = module.methodTable({});
  const std::uint32_t name = module.text("Loop");
  const std::uint32_t next = name + 5;  // where the record will lie
  ASSERT_EQ(module.record({0, 0, shop, name, 0, 0, next}), next);
  map(self, next);
  const std::uint32_t around = name + 5 + 40;
  while (module.record({0}) + 1 < around) {
  }
  ASSERT_EQ(module.record({module.packed(0x2f, around), name}), around);
  map(inSpace, module.type(around, "Type"));
  map(far, 0x00ff'ff00);
  module.map(wrong, module.token(0x11, next));
  const OpenedModule opened(GetParam(), module);
  for (const Address type : {self, inSpace, far, wrong})
    EXPECT_EQ(opened.names.nameOf(type), "<unknown type " + toString(type) + ">");
}

TEST_P(AotNames, OfTypesMadeOfEachOtherEnd) {
  const Address first = module.methodTable({.kind = 2, .element = 0x18, .baseSize = 24, .related = {}});
  FileBytes image = module.build();
  const std::uint64_t related = first - AotModuleInMemory::kStart + 8;
  std::memcpy(image.data() + related, &first.value, sizeof first.value);
  const OpenedModule opened(GetParam(), std::move(image));
  EXPECT_TRUE(opened.names.nameOf(first).starts_with("<unknown type ")) << opened.names.nameOf(first);
}

TEST_P(AotNames, SayWhereTheirTablesAreDamaged) {
  map(module.methodTable({}), module.type(shop, "Order"));
  module.trace(AotModuleInMemory::kCode, module.token(kTypeDefinition, 0x10), 8, 0);
  const FileBytes whole = module.build();
  std::size_t damaged = 0;
  for (std::size_t byte = module.sectionsAt(); byte < whole.size(); ++byte) {
    FileBytes image = whole;
    image[byte] ^= std::byte{0xff};
    const OpenedModule opened(GetParam(), std::move(image));
    damaged += opened.findings.items().size();
  }
  EXPECT_GT(damaged, 10u);
}

TEST_P(AotNames, AreMissingWithTheMetadata) {
  map(module.methodTable({}), module.type(shop, "Order"));
  FileBytes image = module.build();
  image.resize(module.sectionsAt());
  const OpenedModule opened(GetParam(), std::move(image));
  EXPECT_EQ(opened.modules.typeCount(), 0u);
  ASSERT_EQ(opened.findings.items().size(), 1u);
  EXPECT_EQ(opened.findings.items().front().kind, FindingKind::MetadataMissing);
}

TEST_P(AotNames, FollowTheListOfModulesOnce) {
  map(module.methodTable({}), module.type(shop, "Order"));
  FileBytes image = module.build();
  const std::uint64_t entry = AotModuleInMemory::kStart.value + 0x100;
  std::memcpy(image.data() + 0x100, &entry, sizeof entry);
  const OpenedModule opened(GetParam(), std::move(image));
  EXPECT_EQ(opened.typeManagers.size(), 1u);
  ASSERT_EQ(opened.findings.items().size(), 1u);
  EXPECT_EQ(opened.findings.items().front().kind, FindingKind::RuntimeDataDamaged);
}

TEST_P(AotNames, ComeWithSizesKindsAndInterfacesOfTypes) {
  const Address parent = module.methodTable({.element = 0x15, .baseSize = 0});
  const Address order = module.methodTable({.flags = 0x0010'0000 | containsPointers(),
                                            .baseSize = 48,
                                            .related = parent,
                                            .slots = 3,
                                            .interfaces = {parent}});
  const Address text = module.methodTable({.flags = 0x8000'0002, .baseSize = 22});
  const Address value = module.methodTable({.element = 0x10, .flags = GetParam() == 8 ? 0u : 4u << 5, .baseSize = 24});
  const Address pointer = module.methodTable({.kind = 2, .element = 0x1a, .baseSize = 0, .related = value});
  const OpenedModule opened(GetParam(), module);
  const auto read = opened.types.read(order);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->baseSize, 48u);
  EXPECT_EQ(read->parent, parent);
  EXPECT_TRUE(read->containsPointers && read->hasFinalizer);
  EXPECT_EQ(opened.types.interfaces(*read).value(), std::vector<Address>{parent});
  EXPECT_EQ(opened.types.typeManager(*read).value(), AotModuleInMemory::kTypeManager);
  EXPECT_TRUE(opened.types.read(parent)->isInterface);
  EXPECT_EQ(opened.types.read(text)->componentSize, 2u);
  EXPECT_FALSE(opened.types.read(text)->containsPointers);
  EXPECT_EQ(opened.types.valueSize(*opened.types.read(value)).value(), GetParam() == 8 ? 8u : 4u);
  EXPECT_EQ(opened.types.read(pointer)->parameter, value);
  EXPECT_EQ(opened.types.read(pointer)->baseSize, 0u);
  EXPECT_FALSE(opened.types.valueSize(*opened.types.read(order)));
}

TEST_P(AotNames, AreOnlyOfWhatCanBeAType) {
  const Address odd = module.methodTable({.kind = 2, .element = 0x14});                   // a class of something
  const Address flat = module.methodTable({.kind = 2, .element = 0x17, .baseSize = 24});  // of no dimension
  const Address crooked = module.methodTable({.related = {0x1234'5671}});
  const Address strange = module.methodTable({.element = 0x1f});
  const OpenedModule opened(GetParam(), module);
  for (const Address type : {odd, flat, crooked, strange, odd + 4, Address{0x8}})
    EXPECT_FALSE(opened.types.isMethodTable(type)) << toString(type);
}

}  // namespace
}  // namespace heapscape::engine
