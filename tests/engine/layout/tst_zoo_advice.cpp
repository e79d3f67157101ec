// SPDX-License-Identifier: MIT
// Advice on the types of tests/data/layout, which compilers made.
#include <gtest/gtest.h>

#include <algorithm>

#include "advice_rank.h"
#include "declared_testing.h"
#include "every_order.h"
#include "layout/advice/best_order.h"
#include "layout/advice/changed_layout.h"
#include "layout/advice/type_advice.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class AdviceOnAssembly : public testing::TestWithParam<const char*> {
 protected:
  std::vector<ClosedTypeId> allTypes() { return m_assembly.types.allTypesOf(m_assembly.home); }

  DeclaredAssembly m_assembly{GetParam()};
  LayoutRules m_rules{m_assembly.types, {}};
};

TEST_P(AdviceOnAssembly, FindsTheBestOfEveryOrder) {
  constexpr std::size_t kFieldsToTry = 6;
  std::size_t compared = 0;
  std::size_t better = 0;
  for (const ClosedTypeId type : allTypes()) {
    const auto found = bestOrderOf(m_rules, type);
    if (!found) continue;
    SCOPED_TRACE(m_assembly.types.nameOf(type));
    EXPECT_LE(found->best.bestBytes, found->best.instanceBytes);
    const auto then = layOutChanged(m_rules, type, found->change);
    ASSERT_TRUE(then) << then.error().message();
    EXPECT_EQ(then->instanceBytes, found->best.bestBytes);
    EXPECT_EQ(found->best.order.size(), then->placement.offsets.size());
    EXPECT_EQ(found->best.declaration.empty(), found->best.means == AdviceKind::NothingToGain);
    better += found->best.means != AdviceKind::NothingToGain;
    const std::size_t fields = then->placement.offsets.size();
    if (fields < 2 || fields > kFieldsToTry || fieldsOverlap(**m_rules.placementOf(type))) continue;
    if (!found->best.separation.empty()) continue;  // left as it is, see tst_separation.cpp
    EXPECT_EQ(found->best.bestBytes, fewestBytesOfEveryOrder(m_rules, type));
    ++compared;
  }
  EXPECT_GT(compared, 300u);
  EXPECT_GT(better, 80u);
}

TEST_P(AdviceOnAssembly, HasAReasonForEveryField) {
  std::size_t reasons = 0;
  for (const ClosedTypeId type : allTypes()) {
    const auto layout = m_rules.layoutOf(type);
    if (!layout) continue;
    SCOPED_TRACE(layout->typeName);
    const auto why = fieldReasons(m_rules, type);
    ASSERT_TRUE(why) << why.error().message();
    ASSERT_EQ(why->size(), layout->fields.size());
    for (std::size_t i = 0; i < why->size(); ++i) {
      EXPECT_FALSE((*why)[i].why.empty()) << (*why)[i].name;
      EXPECT_EQ((*why)[i].offset, layout->fields[i].offset);
    }
    reasons += why->size();
  }
  EXPECT_GT(reasons, 1500u);
}

TEST_P(AdviceOnAssembly, TellsExactlyWhereTheDeclaredOrderIsNotKept) {
  std::size_t told = 0;
  for (const ClosedTypeId type : allTypes()) {
    const auto layout = m_rules.layoutOf(type);
    if (!layout || layout->kind == TypeKind::Array) continue;
    SCOPED_TRACE(layout->typeName);
    const auto why = whyNotAsDeclared(m_rules, type);
    ASSERT_TRUE(why) << why.error().message();
    EXPECT_EQ(why->empty(),
              layout->declaredKind != LayoutKind::Sequential || layout->effectiveKind == LayoutKind::Sequential);
    told += !why->empty();
  }
  EXPECT_GT(told, 20u);
}

TEST_P(AdviceOnAssembly, PromisesWhatIsSavedAndSortsByIt) {
  for (const ClosedTypeId type : allTypes()) {
    const auto best = bestOrderOf(m_rules, type);
    if (!best) continue;
    SCOPED_TRACE(m_assembly.types.nameOf(type));
    const auto advice = adviceFor(m_rules, type, {});
    ASSERT_TRUE(advice) << advice.error().message();
    EXPECT_TRUE(std::ranges::is_sorted(*advice, std::ranges::greater{}, rankOf));
    EXPECT_FALSE(advice->empty());
    const auto order = std::ranges::find(*advice, best->best.means, &Advice::kind);
    if (best->best.means == AdviceKind::NothingToGain) continue;
    ASSERT_NE(order, advice->end());
    EXPECT_EQ(order->savedBytesPerInstance, best->best.instanceBytes - best->best.bestBytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, AdviceOnAssembly, testing::Values("LayoutZoo1", "LayoutZooEdge"),
                         [](const auto& set) { return std::string(set.param); });

std::string declared(DeclaredAssembly& assembly, std::string_view name) {
  LayoutRules rules(assembly.types, {});
  return csharpDeclaration(rules, assembly.parsed(name), {}).value_or("?");
}

// All 627 declarations of this assembly's own types compile, and take the bytes that bestOrderOf() promises.
TEST(CSharpDeclaration, IsWrittenAsTheSourceWas) {
  DeclaredAssembly zoo("LayoutZoo1");
  EXPECT_EQ(declared(zoo, "Zoo1.RecC16"),
            "public sealed record RecC16\n"
            "{\n"
            "    public bool PRecC16_0 { get; init; }\n"
            "    public nuint PRecC16_1 { get; init; }\n"
            "}\n");
  EXPECT_EQ(declared(zoo, "Zoo1.Fix7"), "public unsafe struct Fix7\n{\n    public fixed float buf0[2];\n}\n");
  EXPECT_EQ(declared(zoo, "Zoo1.RefStr15"),
            "[StructLayout(LayoutKind.Sequential, Pack = 8)]\n"
            "public ref struct RefStr15\n"
            "{\n"
            "    internal float[,] f0;\n"
            "    public ref (nuint, Enm3) r1;\n"
            "    private byte? P2 { get; set; }\n"
            "}\n");
  EXPECT_EQ(declared(zoo, "Zoo1.Nest309<System.UInt16>+In1"),
            "[StructLayout(LayoutKind.Auto)]\npublic struct In1\n{\n    public short f0;\n    private T0 f1;\n    "
            "private T0 f2;\n}\n");
  EXPECT_EQ(declared(zoo, "Zoo1.Enm1"), "") << "nothing to choose";
}

}  // namespace
}  // namespace heapscape::engine
