// SPDX-License-Identifier: MIT
// Declarations and names, against what .NET's own reflection said of the same types; see tests/targets/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "declared_testing.h"
#include "support/expected_layouts.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;
using Json = nlohmann::json;

struct TypeSet {
  std::string assembly;
  std::string expected;
};

class DeclaredTypeSets : public testing::TestWithParam<TypeSet> {
 protected:
  /// By the name, which internal types of several assemblies may share.
  Result<ClosedTypeId> typeOf(const Json& entry) {
    const auto assembly = entry["assembly"].get<std::string>();
    const auto type = m_assembly.types.parse(m_assembly.home, entry["type"].get<std::string>());
    if (type && m_assembly.types.assemblyName(m_assembly.types.type(*type).assembly) == assembly) return type;
    HEAPSCAPE_TRY(const AssemblyId home, m_assembly.types.findAssembly(assembly));
    return m_assembly.types.parse(home, entry["type"].get<std::string>());
  }
  /// Open definitions among them, which the runtime refuses.
  static bool isOpen(const Json& entry) { return entry.contains("loadError"); }

  DeclaredAssembly m_assembly{GetParam().assembly};
};

constexpr const char* kElements[] = {"END",   "VOID", "BOOLEAN", "CHAR", "I1", "U1", "I2",  "U2",    "I4",
                                     "U4",    "I8",   "U8",      "R4",   "R8", "",   "PTR", "BYREF", "VALUETYPE",
                                     "CLASS", "",     "",        "",     "",   "",   "I",   "U"};

std::string elementOf(const Json& field) {
  const std::string element = field["elementType"];
  return element == "FNPTR" ? "PTR" : element;
}

TEST_P(DeclaredTypeSets, AreNamedInBothForms) {
  for (const Json& entry : expectedLayouts(GetParam().expected, 10)) {
    if (isOpen(entry)) continue;
    const auto type = typeOf(entry);
    ASSERT_TRUE(type) << type.error().message();
    const std::string& name = m_assembly.types.nameOf(*type);
    EXPECT_EQ(name.find('`'), std::string::npos);
    const auto again = m_assembly.types.parse(m_assembly.types.type(*type).assembly, name);
    const auto fromHome = m_assembly.types.parse(m_assembly.home, name);
    EXPECT_TRUE(again == *type || fromHome == *type) << name;
  }
}

TEST_P(DeclaredTypeSets, AreDeclaredAsReflectionSays) {
  for (const Json& entry : expectedLayouts(GetParam().expected, 10)) {
    if (isOpen(entry)) continue;
    SCOPED_TRACE(entry["type"].get<std::string>());
    const auto type = typeOf(entry);
    ASSERT_TRUE(type) << type.error().message();
    const auto read = m_assembly.types.declarationOf(*type);
    ASSERT_TRUE(read) << read.error().message();
    const TypeDeclaration& declaration = **read;
    std::string kind = toString(declaration.kind);
    if (declaration.kind == TypeKind::String) kind = "class";
    std::string layout = entry["layoutKind"];
    std::ranges::transform(layout, layout.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_EQ(kind, entry["kind"].get<std::string>());
    EXPECT_EQ(toString(declaration.layoutKind), layout);
    EXPECT_EQ(declaration.pack, entry["pack"]);
    EXPECT_EQ(declaration.size, entry["size"]);
    EXPECT_EQ(declaration.hasClassLayout, entry["classLayoutRow"]);
    EXPECT_EQ(declaration.isAbstract, entry.value("abstract", false));
    EXPECT_EQ(declaration.isByRefLike, entry.value("byRefLike", false));
    EXPECT_EQ(declaration.inlineArrayLength.value_or(0), entry.value("inlineArray", 0u));
    std::vector<Json> own;
    for (const Json& field : entry["fields"]) {
      if (field["declaringType"] == entry["type"]) own.push_back(field);
    }
    ASSERT_EQ(declaration.fields.size(), own.size());
    for (std::size_t number = 0; number < own.size(); ++number) {
      const FieldDeclaration& field = declaration.fields[number];
      EXPECT_EQ(field.name, own[number]["name"].get<std::string>());
      EXPECT_EQ(kElements[static_cast<std::size_t>(field.element)], elementOf(own[number])) << field.name;
      if (own[number].contains("declaredOffset")) {
        EXPECT_EQ(field.explicitOffset, own[number]["declaredOffset"].get<std::uint32_t>());
      }
      const auto named = m_assembly.types.parse(declaration.assembly, own[number]["fieldType"].get<std::string>());
      if (named) {
        EXPECT_EQ(m_assembly.types.fieldTypeName(*type, field), m_assembly.types.nameOf(*named));
      }
    }
  }
  EXPECT_TRUE(m_assembly.types.missing().empty());
}

INSTANTIATE_TEST_SUITE_P(Assemblies, DeclaredTypeSets,
                         testing::Values(TypeSet{"LayoutZoo1", "zoo"}, TypeSet{"LayoutZooEdge", "edge"}),
                         [](const testing::TestParamInfo<TypeSet>& set) { return set.param.expected; });

TEST(DeclaredTypes, AreTheSameByWhateverNameTheyAreReached) {
  DeclaredAssembly zoo("LayoutZoo1");
  const ClosedTypeId list = zoo.parsed("System.Collections.Generic.List<System.Int32>");
  EXPECT_EQ(list, zoo.parsed("System.Collections.Generic.List`1<System.Int32>"));
  EXPECT_EQ(zoo.types.assemblyName(zoo.types.type(list).assembly), "System.Private.CoreLib");
  EXPECT_EQ(zoo.types.nameOf(list), "System.Collections.Generic.List<System.Int32>");
  EXPECT_EQ(zoo.types.type(list).arguments.front(), *zoo.types.primitive(ElementType::I4));
  EXPECT_EQ(zoo.types.type(zoo.parsed("System.IntPtr")).element, ElementType::I);
  EXPECT_EQ(zoo.types.type(zoo.parsed("System.String")).element, ElementType::Class);
  EXPECT_EQ(zoo.parsed("System.Object"), *zoo.types.primitive(ElementType::Object));
  EXPECT_EQ(zoo.types.nameOf(zoo.parsed("System.Int32[,][]")), "System.Int32[,][]");
}

TEST(DeclaredTypes, KnowTheFrameworksSpecialOnes) {
  DeclaredAssembly zoo("LayoutZoo1");
  EXPECT_EQ(zoo.declared("System.UInt128").wellKnown, WellKnownType::Int128);
  EXPECT_EQ(zoo.declared("System.Numerics.Vector<System.Byte>").wellKnown, WellKnownType::VectorOfT);
  EXPECT_EQ(zoo.declared("System.Runtime.Intrinsics.Vector256<System.Byte>").wellKnown, WellKnownType::Vector256);
  EXPECT_EQ(zoo.declared("System.Enum").kind, TypeKind::Class);
  EXPECT_EQ(zoo.declared("System.ValueType").kind, TypeKind::Class);
  EXPECT_EQ(zoo.declared("System.MulticastDelegate").kind, TypeKind::Class);
  EXPECT_EQ(zoo.declared("System.Action").kind, TypeKind::Delegate);
  EXPECT_EQ(zoo.declared("System.DayOfWeek").underlying, ElementType::I4);
  EXPECT_EQ(zoo.declared("System.String").kind, TypeKind::String);
}

TEST(DeclaredTypes, AreNotFoundWithAReason) {
  DeclaredAssembly zoo("LayoutZoo1");
  const auto codeOf = [&](std::string_view name) { return zoo.types.parse(zoo.home, name).error().code; };
  EXPECT_EQ(codeOf("Zoo1.NotThere"), ErrorCode::NotFound);
  EXPECT_EQ(codeOf("System.Collections.Generic.List`1"), ErrorCode::BadQuery);
  EXPECT_EQ(codeOf("System.Collections.Generic.List<System.Int32, System.Int32>"), ErrorCode::NotFound);
  EXPECT_EQ(codeOf("System.Int32<"), ErrorCode::BadQuery);
  EXPECT_FALSE(zoo.types.declarationOf(zoo.parsed("System.Int32[]")));
  // Looking for a name is no need.
  EXPECT_TRUE(zoo.types.missing().empty());
}

TEST(DeclaredTypes, OfAnAssemblyAreListedWithWhatTheyName) {
  DeclaredAssembly zoo("LayoutZoo1");
  const std::vector<ClosedTypeId> all = zoo.types.allTypesOf(zoo.home);
  EXPECT_GE(all.size(), 1700u);
  std::size_t listed = 0;
  std::size_t expected = 0;
  for (const Json& entry : expectedLayouts("zoo", 10)) {
    // Compiler-made types in generic ones are named by nobody with the arguments that the runtime gave them.
    const std::string name = entry["type"];
    if (entry.contains("loadError") || name.find("`1+<") != std::string::npos || name == "System.Enum" ||
        name == "System.ValueType") {
      continue;
    }
    ++expected;
    if (std::ranges::find(all, zoo.parsed(name)) != all.end()) ++listed;
  }
  EXPECT_EQ(listed, expected);
  const std::vector<std::string> open = zoo.types.openDefinitionsOf(zoo.home);
  EXPECT_NE(std::ranges::find(open, "Zoo1.Host228`1"), open.end());
}

/// What another finder has, but for some assemblies.
class Without : public AssemblyFinder {
 public:
  Without(std::shared_ptr<AssemblyFinder> finder, std::vector<std::string> hidden)
      : m_finder(std::move(finder)), m_hidden(std::move(hidden)) {}
  Result<AssemblySource> find(std::string_view name) override {
    m_asked.emplace_back(name);
    if (std::ranges::find(m_hidden, name) == m_hidden.end()) return m_finder->find(name);
    return failure(ErrorCode::NotFound, std::string(name) + " is hidden.");
  }
  std::ptrdiff_t timesAsked(std::string_view name) const { return std::ranges::count(m_asked, name); }

 private:
  std::shared_ptr<AssemblyFinder> m_finder;
  std::vector<std::string> m_hidden;
  std::vector<std::string> m_asked;
};

TEST(MissingAssemblies, AreNamedOnceWithTheTypeThatNeedsThem) {
  const auto finder = std::make_shared<Without>(frameworkOf(10), std::vector<std::string>{"System.Runtime.Numerics"});
  DeclaredAssembly zoo("LayoutZoo1", finder);
  std::size_t failed = 0;
  for (const ClosedTypeId type : zoo.types.allTypesOf(zoo.home)) {
    const auto declaration = zoo.types.declarationOf(type);
    if (declaration) continue;
    ++failed;
    EXPECT_EQ(declaration.error().code, ErrorCode::NotFound);
    EXPECT_NE(declaration.error().what.find("System.Runtime.Numerics"), std::string::npos);
  }
  EXPECT_GT(failed, 0u);
  EXPECT_LT(failed, 100u);
  ASSERT_EQ(zoo.types.missing().size(), 1u);
  EXPECT_EQ(zoo.types.missing().front().name, "System.Runtime.Numerics");
  EXPECT_TRUE(zoo.types.missing().front().neededBy.starts_with("Zoo1."));
  EXPECT_EQ(finder->timesAsked("System.Runtime.Numerics"), 1);
}

TEST(MissingAssemblies, ThatForwardToCoreLibAreNotNeeded) {
  DeclaredAssembly zoo("LayoutZoo1",
                       std::make_shared<Without>(frameworkOf(10), std::vector<std::string>{"System.Runtime"}));
  for (const ClosedTypeId type : zoo.types.allTypesOf(zoo.home)) EXPECT_TRUE(zoo.types.declarationOf(type));
  for (const MetadataTypes::MissingAssembly& missing : zoo.types.missing())
    ADD_FAILURE() << missing.name << " for " << missing.neededBy;
}

TEST(MissingAssemblies, DoNotMatterToReferencesAndNumbers) {
  DeclaredAssembly zoo("LayoutZoo1", nullptr);
  std::size_t known = 0;
  for (const ClosedTypeId type : zoo.types.allTypesOf(zoo.home)) {
    const auto declaration = zoo.types.declarationOf(type);
    if (!declaration) continue;
    ++known;
    for (const FieldDeclaration& field : (*declaration)->fields) {
      EXPECT_FALSE(zoo.types.fieldTypeName(type, field).empty());
      EXPECT_NE(field.element, ElementType::End);
    }
  }
  EXPECT_GT(known, 100u);
  EXPECT_FALSE(zoo.types.missing().empty());
}

}  // namespace
}  // namespace heapscape::engine
