// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/details/address_query.h"
#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "session/types/type_details.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::AddressKind;
using engine::AddressMeaning;

class AddressMeanings : public testing::TestWithParam<std::string> {
 protected:
  const engine::Snapshot& snapshot() const { return openedDump(GetParam()); }

  /// The meaning of that kind; a failure if the address has none.
  AddressMeaning meaning(Address address, AddressKind kind) const {
    const auto meanings = engine::explainAddress(snapshot(), address, {});
    EXPECT_TRUE(meanings && !meanings->empty());
    std::string others;
    for (const AddressMeaning& one : *meanings) {
      if (one.kind == kind) return one;
      others += one.text + "; ";
    }
    ADD_FAILURE() << toString(address) << " is no " << toString(kind) << " but " << others;
    return {};
  }

  engine::ObjectRow firstOf(const char* type) const {
    engine::ObjectFilter filter;
    filter.type = test::findType(snapshot(), type);
    const auto rows = engine::listObjects(snapshot(), filter, 0, 1);
    return rows.empty() ? engine::ObjectRow{} : rows.front();
  }
};

INSTANTIATE_TEST_SUITE_P(OfShop, AddressMeanings,
                         testing::Values("shop-8", "shop-9-server", "shop-10", "shop-11", "shop-10-segments"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(AddressMeanings, NameTheFieldInsideAnObject) {
  const engine::ObjectRow list = firstOf("System.Collections.Generic.List<System.Object>");
  EXPECT_EQ(meaning(list.address, AddressKind::ObjectStart).object, list.address);
  EXPECT_EQ(meaning(list.address - 3, AddressKind::ObjectHeader).object, list.address);
  const AddressMeaning inside = meaning(list.address + 9, AddressKind::ObjectInterior);
  EXPECT_EQ(inside.object, list.address);
  EXPECT_EQ(inside.offset, 9u);
  EXPECT_TRUE(inside.text.starts_with("field _items of System.Collections.Generic.List<System.Object>")) << inside.text;
}

TEST_P(AddressMeanings, NameTheElementInsideAnArray) {
  engine::ObjectFilter filter;
  filter.type = test::findType(snapshot(), "System.Object[]");
  filter.minimumBytes = 24 + 4 * 8;
  const auto arrays = engine::listObjects(snapshot(), filter, 0, 1);
  ASSERT_FALSE(arrays.empty());
  const AddressMeaning inside = meaning(arrays.front().address + 16 + 2 * 8 + 1, AddressKind::ObjectInterior);
  EXPECT_TRUE(inside.text.starts_with("element [2] of System.Object[]")) << inside.text;
}

TEST_P(AddressMeanings, KnowFreeSpace) {
  Address free;
  engine::forEachObject(snapshot(), {}, [&](const engine::ObjectRow& row) {
    if (snapshot().types()[row.type.value].isFree) free = row.address;
    return !free;
  });
  EXPECT_FALSE(meaning(free + 8, AddressKind::FreeSpace).segment.isNone());
  for (const engine::Segment& segment : snapshot().segments()) {
    if (segment.objects.end < segment.committedEnd) meaning(segment.objects.end, AddressKind::FreeSpace);
  }
}

TEST_P(AddressMeanings, KnowTypesHandlesStaticsAndLocks) {
  const Address table = snapshot().types()[test::findType(snapshot(), "System.String").value].methodTable;
  EXPECT_EQ(meaning(table, AddressKind::MethodTable).methodTable, table);

  const auto handles = engine::listHandles(snapshot(), false, {});
  ASSERT_TRUE(handles);
  const engine::HandleRow& handle = handles->handles.front();
  EXPECT_EQ(meaning(handle.address, AddressKind::HandleSlot).object, handle.object);

  const auto statics = engine::listStatics(snapshot(), {"Shop.Statics", {}, false}, {});
  ASSERT_TRUE(statics);
  int checked = 0;
  for (const engine::StaticRow& row : statics->statics) {
    if (!row.address || row.kind == engine::StaticKind::Rva || ++checked > 8) continue;
    const AddressMeaning slot = meaning(row.address, AddressKind::StaticSlot);
    EXPECT_NE(slot.text.find(row.field), std::string::npos) << slot.text;
  }
  EXPECT_GT(checked, 0);

  const auto locks = engine::listLocks(snapshot(), {});
  ASSERT_TRUE(locks);
  const engine::LockRow& last = locks->locks.back();
  ASSERT_EQ(last.kind, engine::LockKind::SyncBlock);
  EXPECT_EQ(meaning(last.syncBlock, AddressKind::SyncBlock).object, last.object);
}

TEST_P(AddressMeanings, KnowMethodsAndTheirCode) {
  const Address table = snapshot().types()[test::findType(snapshot(), "Catalog.Order").value].methodTable;
  const auto type = engine::typeDetails(snapshot(), table);
  ASSERT_TRUE(type);
  int jitted = 0;
  for (const engine::TypeMethod& method : type->methods) {
    if (method.isInherited) continue;
    const AddressMeaning desc = meaning(method.methodDesc, AddressKind::MethodDesc);
    EXPECT_NE(desc.text.find(method.name), std::string::npos) << desc.text;
    EXPECT_EQ(desc.methodTable, table);
    if (method.state != engine::MethodState::Jitted) continue;
    ++jitted;
    const AddressMeaning code = meaning(method.code + 3, AddressKind::MethodCode);
    EXPECT_NE(code.text.find(method.name + " + 0x3"), std::string::npos) << code.text;
    EXPECT_EQ(code.offset, 3u);
  }
  EXPECT_GT(jitted, 0);
}

TEST_P(AddressMeanings, KnowStacksModulesAndNothing) {
  const auto threads = engine::listThreads(snapshot(), {});
  ASSERT_TRUE(threads);
  int stacks = 0;
  for (const engine::ThreadRow& thread : threads->threads) {
    EXPECT_EQ(meaning(thread.address, AddressKind::RuntimeThread).object, thread.managedThread);
    if (thread.stack.isEmpty() || ++stacks > 3) continue;
    const AddressMeaning stack = meaning(thread.stack.end - 64, AddressKind::ThreadStack);
    EXPECT_NE(stack.text.find(std::to_string(thread.managedId)), std::string::npos) << stack.text;
  }
  EXPECT_GT(stacks, 0);
  const engine::ModuleRow& module = snapshot().modules().front();
  EXPECT_TRUE(meaning(module.imageBase + 100, AddressKind::Module).text.ends_with(module.name));
  EXPECT_EQ(engine::explainAddress(snapshot(), Address{0x10}, {})->front().kind, AddressKind::Unmapped);
}

}  // namespace
}  // namespace heapscape::test
