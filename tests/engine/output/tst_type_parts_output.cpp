// SPDX-License-Identifier: MIT
// What the runtime keeps of a type: its EEClass, and where shared code looks things up.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/types/type_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

std::string classText(const TypeDetails& type) {
  return written([&](Output& output) { writeTypeClassText(output, type); });
}

TypeDetails withOptional(const EEClassOptionalFields& fields) {
  TypeDetails type;
  type.eeClassOptionalFields = fields;
  return type;
}

TypeDetails withLayout(const EEClassLayout& layout) {
  TypeDetails type;
  type.eeClassLayout = layout;
  return type;
}

nlohmann::json classJson(const TypeDetails& type) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeTypeClassMembers(json, type); }));
}

std::string lookupsText(const TypeDetails& type) {
  return written([&](Output& output) { writeTypeLookupsText(output, type); });
}

nlohmann::json lookupsJson(const TypeDetails& type) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeTypeLookupMembers(json, type); }))
      .at("lookups");
}

DictionarySlot slotOf(std::uint32_t index, SlotState state, const char* wanted = "") {
  return {.index = index, .address = {}, .value = {}, .meaning = {}, .state = state, .kind = "type", .wanted = wanted};
}

DictionaryFigures figuresOf(std::uint32_t layoutSlots, std::uint32_t initialSlots) {
  return {.address = Address{0x7f10},
          .layout = Address{0x7f80},
          .layoutSlots = layoutSlots,
          .initialSlots = initialSlots,
          .used = 5,
          .filled = 2,
          .empty = 2,
          .beyond = 1};
}

TEST(TypeClass, WhatAClassLacksIsNotWritten) {
  TypeDetails type;
  type.eeClassFigures = {{"NumMethods", 12}};
  EXPECT_EQ(classText(type), "\nEEClass\nPart     Field       Value  Note\nEEClass  NumMethods  12\n");
  const nlohmann::json json = classJson(type);
  EXPECT_EQ(json.at("eeClassFigures"), nlohmann::json({{"NumMethods", 12}}));
  EXPECT_TRUE(json.at("optionalFields").is_null());
  EXPECT_TRUE(json.at("layoutInfo").is_null());
}

TEST(TypeClass, EmptyOptionalFieldsSayWhatThatMeans) {
  const TypeDetails type = withOptional({});
  const std::string text = classText(type);
  EXPECT_NE(text.find("DictionaryLayout        none "), std::string::npos) << text;
  EXPECT_NE(text.find("VarianceInfo            none "), std::string::npos) << text;
  EXPECT_NE(text.find("EightByteRegisters      none "), std::string::npos) << text;
  EXPECT_NE(text.find("that of a pointer"), std::string::npos) << text;
  EXPECT_EQ(text.find("ModuleDynamicID"), std::string::npos) << "only .NET 8 has it";
  EXPECT_TRUE(classJson(type).at("optionalFields").at("moduleDynamicId").is_null());
}

TEST(TypeClass, OptionalFieldsAreReadOut) {
  EEClassOptionalFields fields;
  fields.dictionaryLayout = Address{0x7f20};
  fields.variances = {"in", "out"};
  fields.staticsId = 0;
  fields.registers = {{"SSE", 8}, {"integer", 4}};
  fields.fieldAlignment = 16;
  const TypeDetails type = withOptional(fields);
  const std::string text = classText(type);
  for (const char* part : {"0x7f20", "in, out", "ModuleDynamicID", "8 bytes SSE, 4 bytes integer", "  16 "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const nlohmann::json json = classJson(type).at("optionalFields");
  EXPECT_EQ(json.at("moduleDynamicId"), 0);
  EXPECT_EQ(json.at("variances"), nlohmann::json({"in", "out"}));
  EXPECT_EQ(json.at("registers").at(1), nlohmann::json({{"kind", "integer"}, {"bytes", 4}}));
}

TEST(TypeClass, LayoutHasWhatTheRuntimeSaysOfIt) {
  EEClassLayout layout;
  layout.largestAlignment = 8;
  layout.packing = 64;
  const std::string old = classText(withLayout(layout));
  EXPECT_EQ(old.find("LayoutType"), std::string::npos) << old;
  EXPECT_EQ(old.find("ManagedSize"), std::string::npos) << old;
  EXPECT_NE(old.find("Flags             none"), std::string::npos) << old;
  EXPECT_FALSE(classJson(withLayout(layout)).at("layoutInfo").contains("kind"));
  layout.kind = "sequential";
  layout.managedSize = 0;
  layout.flags = {"Blittable", "HasExplicitSize"};
  const std::string all = classText(withLayout(layout));
  for (const char* part : {"LayoutType        sequential", "ManagedSize       0", "Blittable, HasExplicitSize"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  EXPECT_EQ(classJson(withLayout(layout)).at("layoutInfo").at("managedSize"), 0);
}

TEST(TypeLookups, ATypeThatIsNotGenericHasNone) {
  EXPECT_EQ(lookupsText({}), "");
  EXPECT_TRUE(lookupsJson({}).at("figures").is_null());
}

TEST(TypeLookups, PathsCountTheirReads) {
  TypeDetails type;
  type.lookupPaths = {{LookupSource::This, {"this", "method table", "PerInstInfo", "dictionary 1 of 1", "slot"}},
                      {LookupSource::Method, {"argument", "slot"}}};
  EXPECT_EQ(lookupsText(type),
            "\nGeneric lookups\n"
            "instance methods: this → method table → PerInstInfo → dictionary 1 of 1 → slot, 4 reads\n"
            "generic methods, by a hidden argument: argument → slot, 1 read\n");
  EXPECT_EQ(lookupsJson(type).at("paths").at(0).at("reads"), 4);
}

TEST(TypeLookups, ADictionaryOfArgumentsAloneIsNotWritten) {
  TypeDetails type;
  type.typeArguments.resize(2);
  type.dictionary = {slotOf(0, SlotState::Argument), slotOf(1, SlotState::Argument)};
  EXPECT_EQ(lookupsText(type), "");
  type.dictionary.push_back(slotOf(2, SlotState::Empty, "List<T>"));
  type.dictionary.push_back(slotOf(3, SlotState::Free, "nobody's"));
  type.dictionaryFigures = figuresOf(8, 8);
  const std::string text = lookupsText(type);
  EXPECT_NE(text.find("\nDictionary  0x7f10\n"
                      "5 used of 8 slots in the layout, of these 2 filled, 2 empty, 1 beyond the end\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("List<T>"), std::string::npos) << text;
  EXPECT_EQ(text.find("nobody's"), std::string::npos) << "no code looks up a free slot";
}

TEST(TypeLookups, WhatMakesLookupsSlowIsSaid) {
  TypeDetails type;
  type.dictionary = {slotOf(0, SlotState::Empty)};
  type.dictionaryFigures = figuresOf(8, 4);
  EXPECT_NE(lookupsText(type).find("1 beyond the end; behind the first 4 code compares the dictionary's size\n"),
            std::string::npos);
  type.dictionaryFigures.isLayoutFull = true;
  EXPECT_NE(lookupsText(type).find("size; the layout is full: what more its code looks up asks the runtime every "
                                   "time\n"),
            std::string::npos);
  EXPECT_EQ(lookupsJson(type).at("figures").at("layoutFull"), true);
}

TEST(TypeLookups, MethodsHaveDictionariesOfTheirOwn) {
  TypeDetails type;
  type.methodLookups = {{"Shop.Map<T>", Address{0x10}, {}, {}},
                        {"Shop.Sort<T>", Address{0x20}, figuresOf(1, 1), {slotOf(1, SlotState::Filled, "T[]")}}};
  const std::string text = lookupsText(type);
  EXPECT_NE(text.find("\nShop.Map<T>  0x10\nLooks nothing up.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nShop.Sort<T>  0x20\nDictionary  0x7f10\n5 used of 1 slot in"), std::string::npos) << text;
  EXPECT_NE(text.find("T[]"), std::string::npos) << text;
}

}  // namespace
}  // namespace heapscape::engine
