// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "values/written_fields.h"

namespace heapscape::engine {
namespace {

TEST(WrittenField, IsWhatCSharpShows) {
  EXPECT_EQ(writtenField("System.Collections.Generic.List<Zoo.Animal>", "_items").role, FieldRole::Hidden);
  EXPECT_EQ(writtenField("System.Collections.Generic.Dictionary<System.String, Zoo.A>", "_entries").role,
            FieldRole::Storage);
  const WrittenField value = writtenField("System.Nullable<Zoo.Place>", "value");
  EXPECT_EQ(value.role, FieldRole::Named);
  EXPECT_EQ(value.name, "Value");
  EXPECT_EQ(writtenField("System.Tuple<System.Int32, System.String>", "m_Item2").name, "Item2");
  EXPECT_EQ(writtenField("System.Collections.Generic.LinkedListNode<System.Int32>", "next").name, "Next");
  EXPECT_EQ(writtenField("Zoo.Animal", "<Name>k__BackingField").name, "Name");
  EXPECT_EQ(writtenField("Zoo.P+<>c__DisplayClass1_0", "CS$<>8__locals1").role, FieldRole::Hidden);
}

TEST(WrittenField, TakesOnlyTheClassLibrarysOwnTypes) {
  EXPECT_EQ(writtenField("Zoo.Collections.Generic.List<Zoo.Animal>", "_items").role, FieldRole::Named);
  EXPECT_EQ(writtenField("System.Collections.Generic.Lists<Zoo.Animal>", "_items").role, FieldRole::Named);
  EXPECT_EQ(writtenField("", "_items").name, "_items");
}

TEST(WithoutTypeArguments, KeepsNestedTypes) {
  EXPECT_EQ(withoutTypeArguments("A.B<C.D<E>, F>+G<H>"), "A.B+G");
  EXPECT_EQ(withoutTypeArguments("A.B"), "A.B");
  EXPECT_EQ(withoutTypeArguments("A>B<"), "A>B");
}

TEST(HasIndexer, OnlyWhereItTakesAPosition) {
  EXPECT_TRUE(hasIndexer("List"));
  EXPECT_TRUE(hasIndexer("ImmutableArray"));
  EXPECT_FALSE(hasIndexer("Queue"));
  EXPECT_FALSE(hasIndexer("Dictionary"));
}

}  // namespace
}  // namespace heapscape::engine
