// SPDX-License-Identifier: MIT
// A copy without contents says of the heap what its dump does, and nothing of what is in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/redact/redacted_dump.h"
#include "memory/elf/redaction.h"
#include "session/async/async_query.h"
#include "session/async/thread_pool_query.h"
#include "session/details/exceptions_query.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

class RedactedCopies : public testing::TestWithParam<std::string> {
 protected:
  const RedactedDump& m_both = redactedDump(GetParam());
  const Snapshot& m_dump = m_both.dump();
  const Snapshot& m_copy = m_both.copy();
  const bool m_hasHeap = m_dump.summary().dump.kind == DumpKind::Heap;  // a crash may have left none
};

INSTANTIATE_TEST_SUITE_P(Of, RedactedCopies,
                         testing::Values("shop-10", "shop-8", "shop-11", "shop-9-server", "stacks-10", "shop-arm64-10",
                                         "crashes/chain-10", "crashes/overflow-11", "asyncs-10", "web-10",
                                         "exhibits-10"),
                         [](const auto& dump) {
                           std::string name = testName(dump.param);
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

auto membersOf(const ObjectTotals& totals) {
  return std::tuple(totals.objects, totals.bytes, totals.freeObjects, totals.freeBytes);
}

TEST_P(RedactedCopies, SayThatTheyAre) {
  const auto& redaction = m_copy.contents().core->redaction;
  ASSERT_TRUE(redaction);
  EXPECT_FALSE(redaction->hasContents);
  EXPECT_EQ(redaction->date.size(), 10u);
  EXPECT_EQ(redaction->dumpKind, toString(m_dump.summary().dump.kind));
  EXPECT_TRUE(redaction->keeps(kKeptLengths));
  EXPECT_FALSE(redaction->keeps(kKeptEnums) || redaction->keeps(kKeptBooleans) || redaction->keeps(kKeptCounts) ||
               redaction->keeps(kKeptHashes));
  EXPECT_TRUE(std::ranges::any_of(m_copy.summary().missing,
                                  [](const Missing& one) { return one.what.find("redacted") != std::string::npos; }));
  EXPECT_FALSE(m_dump.contents().core->redaction);
}

TEST_P(RedactedCopies, AreMuchSmaller) {
  EXPECT_EQ(m_both.report().copyBytes, std::filesystem::file_size(m_both.path()));
  EXPECT_EQ(m_both.report().fileBytes, m_both.report().copyBytes);
  EXPECT_LT(m_both.report().copyBytes, m_both.report().dumpBytes / (m_hasHeap ? 2 : 1));
  EXPECT_FALSE(m_both.report().kept.empty());
  EXPECT_FALSE(m_both.report().removed.empty());
}

TEST_P(RedactedCopies, AreOfTheSameRuntime) {
  const RuntimeSummary& dump = m_dump.summary().runtime;
  const RuntimeSummary& copy = m_copy.summary().runtime;
  EXPECT_EQ(copy.version, dump.version);
  EXPECT_EQ(copy.architecture, dump.architecture);
  EXPECT_EQ(copy.cLibrary, dump.cLibrary);
  EXPECT_EQ(copy.buildId, dump.buildId);
  EXPECT_EQ(copy.isServerGc, dump.isServerGc);
  EXPECT_EQ(copy.heaps, dump.heaps);
  EXPECT_EQ(copy.hasRegions, dump.hasRegions);
  EXPECT_EQ(copy.contractVerified, dump.contractVerified);
  EXPECT_EQ(m_copy.summary().dump.kind, m_dump.summary().dump.kind);
  EXPECT_EQ(m_copy.summary().dump.pid, m_dump.summary().dump.pid);
  EXPECT_EQ(m_copy.summary().dump.threads, m_dump.summary().dump.threads);
  EXPECT_EQ(m_copy.summary().dump.command, "");
}

TEST_P(RedactedCopies, HaveTheSameTypes) {
  if (!m_hasHeap) return;
  EXPECT_EQ(membersOf(m_copy.totals()), membersOf(m_dump.totals()));
  EXPECT_EQ(m_copy.coverage(), m_dump.coverage());
  ASSERT_EQ(m_copy.types().size(), m_dump.types().size());
  for (std::size_t i = 0; i < m_dump.types().size(); ++i) {
    const TypeRow& dump = m_dump.types()[i];
    const TypeRow& copy = m_copy.types()[i];
    EXPECT_EQ(copy.name, dump.name);
    EXPECT_EQ(copy.methodTable, dump.methodTable) << dump.name;
    EXPECT_EQ(copy.assembly, dump.assembly) << dump.name;
    EXPECT_EQ(copy.baseSize, dump.baseSize) << dump.name;
    EXPECT_EQ(copy.componentSize, dump.componentSize) << dump.name;
    EXPECT_EQ(copy.isFree, dump.isFree) << dump.name;
  }
  EXPECT_EQ(m_copy.typeCounts().count, m_dump.typeCounts().count);
  EXPECT_EQ(m_copy.typeCounts().bytes, m_dump.typeCounts().bytes);
  EXPECT_EQ(m_copy.typeCounts().components, m_dump.typeCounts().components);
  EXPECT_EQ(m_copy.typeCounts().generationCount, m_dump.typeCounts().generationCount);
  ASSERT_EQ(m_copy.typePaddingBytes().size(), m_dump.typePaddingBytes().size());
  for (std::size_t i = 0; i < m_dump.typePaddingBytes().size(); ++i)
    EXPECT_EQ(m_copy.typePaddingBytes()[i], m_dump.typePaddingBytes()[i]) << m_dump.types()[i].name;
}

TEST_P(RedactedCopies, HaveTheSameSegments) {
  ASSERT_EQ(m_copy.segments().size(), m_dump.segments().size());
  for (std::size_t i = 0; i < m_dump.segments().size(); ++i) {
    const Segment& dump = m_dump.segments()[i];
    const Segment& copy = m_copy.segments()[i];
    EXPECT_EQ(copy.address, dump.address);
    EXPECT_EQ(copy.kind, dump.kind);
    EXPECT_EQ(copy.heap, dump.heap);
    EXPECT_EQ(copy.objects, dump.objects);
    EXPECT_EQ(copy.committedEnd, dump.committedEnd);
    EXPECT_EQ(copy.reservedEnd, dump.reservedEnd);
    EXPECT_EQ(membersOf(m_copy.segmentContents()[i].totals), membersOf(m_dump.segmentContents()[i].totals));
  }
  ASSERT_EQ(m_copy.generations().size(), m_dump.generations().size());
  for (std::size_t i = 0; i < m_dump.generations().size(); ++i)
    EXPECT_EQ(membersOf(m_copy.generations()[i].totals), membersOf(m_dump.generations()[i].totals));
  ASSERT_EQ(m_copy.modules().size(), m_dump.modules().size());
  for (std::size_t i = 0; i < m_dump.modules().size(); ++i) {
    EXPECT_EQ(m_copy.modules()[i].name, m_dump.modules()[i].name);
    EXPECT_EQ(m_copy.modules()[i].mvid, m_dump.modules()[i].mvid);
  }
}

TEST_P(RedactedCopies, HaveTheSameReferences) {
  if (!m_hasHeap) return;
  EXPECT_EQ(m_copy.referenceCount(), m_dump.referenceCount());
  const ReferenceGraph& dump = *m_dump.contents().graph;
  const ReferenceGraph& copy = *m_copy.contents().graph;
  ASSERT_EQ(copy.objectCount(), dump.objectCount());
  EXPECT_EQ(copy.damagedReferences, dump.damagedReferences);
  for (std::uint32_t id = 0; id < dump.objectCount(); ++id)
    ASSERT_TRUE(std::ranges::equal(copy.targetsOf(id), dump.targetsOf(id))) << id;
}

TEST_P(RedactedCopies, RetainTheSame) {
  if (!m_hasHeap) return;
  EXPECT_EQ(m_copy.retainedTotals(), m_dump.retainedTotals());
  EXPECT_EQ(m_copy.generationReach(), m_dump.generationReach());
  EXPECT_EQ(m_copy.segmentReach(), m_dump.segmentReach());
  ASSERT_EQ(m_copy.typeRetained().size(), m_dump.typeRetained().size());
  for (std::size_t i = 0; i < m_dump.typeRetained().size(); ++i) {
    const std::string& name = m_dump.types()[i].name;
    EXPECT_EQ(m_copy.typeRetained()[i].instances, m_dump.typeRetained()[i].instances) << name;
    EXPECT_EQ(m_copy.typeRetained()[i].retainedBytes, m_dump.typeRetained()[i].retainedBytes) << name;
  }
}

TEST_P(RedactedCopies, HaveTheSameRoots) {
  const std::vector<RootRow>& dump = m_dump.roots().roots;
  const std::vector<RootRow>& copy = m_copy.roots().roots;
  ASSERT_EQ(copy.size(), dump.size());
  for (std::size_t i = 0; i < dump.size(); ++i) {
    EXPECT_EQ(copy[i].kind, dump[i].kind) << dump[i].name;
    EXPECT_EQ(copy[i].address, dump[i].address) << dump[i].name;
    EXPECT_EQ(copy[i].object, dump[i].object) << dump[i].name;
    EXPECT_EQ(copy[i].isExact, dump[i].isExact) << dump[i].name;
  }
}

TEST_P(RedactedCopies, HaveTheSameHandles) {
  const auto dump = listHandles(m_dump, true, {});
  const auto copy = listHandles(m_copy, true, {});
  ASSERT_TRUE(dump && copy);
  ASSERT_EQ(copy->handles.size(), dump->handles.size());
  for (std::size_t i = 0; i < dump->handles.size(); ++i) {
    EXPECT_EQ(copy->handles[i].address, dump->handles[i].address);
    EXPECT_EQ(copy->handles[i].kind, dump->handles[i].kind);
    EXPECT_EQ(copy->handles[i].object, dump->handles[i].object);
    EXPECT_EQ(copy->handles[i].dependent, dump->handles[i].dependent);
  }
}

void expectSameFrames(const ThreadStackRow& copy, const ThreadStackRow& dump) {
  EXPECT_EQ(copy.isComplete, dump.isComplete) << dump.name << ": " << copy.problem;
  ASSERT_EQ(copy.frames.size(), dump.frames.size()) << dump.name << ": " << copy.problem;
  for (std::size_t at = 0; at < dump.frames.size(); ++at) {
    const std::string where = dump.name + " #" + std::to_string(at) + " " + nameOf(dump.frames[at]);
    EXPECT_EQ(copy.frames[at].kind, dump.frames[at].kind) << where;
    EXPECT_EQ(copy.frames[at].instruction, dump.frames[at].instruction) << where;
    EXPECT_EQ(copy.frames[at].stackPointer, dump.frames[at].stackPointer) << where;
    EXPECT_EQ(copy.frames[at].methodDesc, dump.frames[at].methodDesc) << where;
    // Names of methods that were made at run time are contents of strings.
    if (dump.frames[at].type == "DynamicClass") continue;
    EXPECT_EQ(nameOf(copy.frames[at]), nameOf(dump.frames[at]));
  }
}

TEST_P(RedactedCopies, HaveTheSameFrames) {
  const auto dump = readStacks(m_dump, {}, {});
  const auto copy = readStacks(m_copy, {}, {});
  ASSERT_TRUE(dump && copy);
  ASSERT_EQ(copy->threads.size(), dump->threads.size());
  for (std::size_t i = 0; i < dump->threads.size(); ++i) {
    const ThreadStackRow& whole = dump->threads[i];
    const ThreadStackRow& redacted = copy->threads[i];
    EXPECT_EQ(redacted.thread, whole.thread);
    EXPECT_EQ(redacted.osId, whole.osId);
    EXPECT_EQ(redacted.managedId, whole.managedId);
    EXPECT_EQ(redacted.isCooperative, whole.isCooperative);
    EXPECT_EQ(redacted.name.find_first_not_of('*'), std::string::npos) << redacted.name;
    EXPECT_EQ(redacted.exceptions.size(), whole.exceptions.size()) << whole.name;
    EXPECT_EQ(redacted.doing, whole.doing) << whole.name;
    EXPECT_EQ(redacted.limits, whole.limits) << whole.name;
    expectSameFrames(redacted, whole);
    ASSERT_EQ(redacted.roots.size(), whole.roots.size()) << whole.name;
    for (std::size_t at = 0; at < whole.roots.size(); ++at) {
      EXPECT_EQ(redacted.roots[at].frame, whole.roots[at].frame) << whole.name;
      EXPECT_EQ(redacted.roots[at].slot, whole.roots[at].slot) << whole.name;
      EXPECT_EQ(redacted.roots[at].reg, whole.roots[at].reg) << whole.name;
      EXPECT_EQ(redacted.roots[at].object, whole.roots[at].object) << whole.name;
    }
  }
}

TEST_P(RedactedCopies, HaveTheSameNativeFrames) {
  const auto dump = readStacks(m_dump, {.native = true, .roots = false}, {});
  const auto copy = readStacks(m_copy, {.native = true, .roots = false}, {});
  ASSERT_TRUE(dump && copy);
  ASSERT_EQ(copy->threads.size(), dump->threads.size());
  for (std::size_t i = 0; i < dump->threads.size(); ++i) expectSameFrames(copy->threads[i], dump->threads[i]);
}

TEST_P(RedactedCopies, HaveTheSameLocks) {
  const auto dump = listLocks(m_dump, {});
  const auto copy = listLocks(m_copy, {});
  ASSERT_TRUE(dump && copy);
  ASSERT_EQ(copy->locks.size(), dump->locks.size());
  for (std::size_t i = 0; i < dump->locks.size(); ++i) {
    EXPECT_EQ(copy->locks[i].object, dump->locks[i].object);
    EXPECT_EQ(copy->locks[i].ownerManagedId, dump->locks[i].ownerManagedId);
  }
}

TEST_P(RedactedCopies, HaveTheSameFinalizers) {
  const auto dump = listFinalizers(m_dump, {});
  const auto copy = listFinalizers(m_copy, {});
  ASSERT_TRUE(dump && copy);
  ASSERT_EQ(copy->objects.size(), dump->objects.size());
  for (std::size_t i = 0; i < dump->objects.size(); ++i) {
    EXPECT_EQ(copy->objects[i].object, dump->objects[i].object);
    EXPECT_EQ(copy->objects[i].isSuppressed, dump->objects[i].isSuppressed) << dump->objects[i].typeName;
  }
}

TEST_P(RedactedCopies, HaveTheSameExceptions) {
  const auto dump = listExceptions(m_dump, true, {});
  const auto copy = listExceptions(m_copy, true, {});
  ASSERT_TRUE(dump && copy);
  ASSERT_EQ(copy->exceptions.size(), dump->exceptions.size());
  std::map<Address, const ExceptionRow*> copied;
  for (const ExceptionRow& row : copy->exceptions) copied[row.object] = &row;
  for (const ExceptionRow& row : dump->exceptions) {
    ASSERT_TRUE(copied.contains(row.object)) << row.typeName;
    EXPECT_EQ(copied[row.object]->frames, row.frames) << row.message;
    EXPECT_EQ(copied[row.object]->method, row.method) << row.message;
  }
}

TEST_P(RedactedCopies, WaitForTheSame) {
  if (!m_hasHeap) return;
  const auto dump = listAsync(m_dump, {}, {});
  const auto copy = listAsync(m_copy, {}, {});
  ASSERT_TRUE(dump && copy);
  ASSERT_EQ(copy->chains.size(), dump->chains.size());
  for (std::size_t i = 0; i < dump->chains.size(); ++i) {
    EXPECT_EQ(copy->chains[i].awaited, dump->chains[i].awaited) << i;
    EXPECT_EQ(copy->chains[i].frameCount, dump->chains[i].frameCount) << i;
    EXPECT_EQ(copy->chains[i].state, dump->chains[i].state) << i;
  }
  const auto pool = readThreadPool(m_dump, 100, {});
  const auto copied = readThreadPool(m_copy, 100, {});
  ASSERT_TRUE(pool && copied);
  ASSERT_EQ(copied->queues.size(), pool->queues.size());
  for (std::size_t i = 0; i < pool->queues.size(); ++i)
    EXPECT_EQ(copied->queues[i].count, pool->queues[i].count) << pool->queues[i].name;
}

TEST_P(RedactedCopies, HaveAsterisksForCharacters) {
  if (!m_hasHeap) return;
  const auto strings = objectsOfType(m_dump, "System.String");
  ASSERT_GT(strings.size(), 100u);
  for (const ObjectRow& string : strings) {
    const StringDetails dump = stringAt(m_dump, string.address);
    const StringDetails copy = stringAt(m_copy, string.address);
    ASSERT_EQ(copy.length, dump.length) << dump.text;
    ASSERT_EQ(copy.damage, dump.damage) << dump.text;
    ASSERT_EQ(copy.text, std::string(dump.shown, '*')) << dump.text;
  }
}

/// Fields of the runtime's own library, of which some say what state an object is in.
bool mayBeAState(const FieldValue& field) {
  if (field.name == "<>1__state") return true;
  for (const char* space : {"System.Threading.", "System.Net.", "Microsoft.", "System.Exception",
                            "System.MulticastDelegate", "System.Version", "System.Runtime.CompilerServices."})
    if (field.declaringType.starts_with(space)) return true;
  return false;
}

bool isPrimitive(ValueKind kind) {
  using enum ValueKind;
  return kind == Boolean || kind == Character || kind == Integer || kind == Real || kind == Enum;
}

/// The bytes of a field as they stand in a dump; zeros where it has none.
std::vector<std::byte> bytesAt(const Snapshot& snapshot, Address address, std::size_t size) {
  std::vector<std::byte> bytes(size);
  if (!snapshot.contents().memory->tryRead(address, std::span<std::byte>(bytes))) bytes.assign(size, {});
  return bytes;
}

bool areZeros(const std::vector<std::byte>& bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

TEST_P(RedactedCopies, HaveNoValuesInFields) {
  if (!m_hasHeap) return;
  std::size_t looked = 0;
  for (const ObjectRow& row : someOfEachType(m_dump)) {
    const auto dump = objectDetails(m_dump, row.address, {.elements = 0});
    ASSERT_TRUE(dump);
    const std::string& type = m_dump.typeName(row.type);
    forEachLeaf(dump->fields, [&](const FieldValue& field) {
      if (!isPrimitive(field.value.kind) || mayBeAState(field)) return;
      // The thread pool's queues are such.
      if (type.starts_with("System.Collections.Concurrent.ConcurrentQueueSegment<System.Object>")) return;
      ++looked;
      ASSERT_TRUE(areZeros(bytesAt(m_copy, field.address, field.sizeBytes))) << type << "." << field.name;
    });
    const auto copy = objectDetails(m_copy, row.address, {.elements = 0});
    ASSERT_TRUE(copy) << type;
    forEachLeaf(copy->fields, [&](const FieldValue& field) {
      ASSERT_FALSE(isPrimitive(field.value.kind) || field.value.kind == ValueKind::Known)
          << type << "." << field.name << " " << field.value.text;
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(looked, 300u);
}

TEST_P(RedactedCopies, HaveNoValuesInArrays) {
  if (!m_hasHeap) return;
  std::size_t looked = 0;
  for (const char* type : {"System.Byte[]", "System.Char[]", "System.Int32[]", "System.UInt32[]", "System.Int64[]",
                           "System.UInt64[]", "System.Double[]", "System.Int16[]", "System.UInt16[]"}) {
    for (const ObjectRow& row : objectsOfType(m_dump, type)) {
      constexpr std::uint64_t kHead = 16;
      const std::uint64_t size = row.sizeBytes - kHead - 8;
      ++looked;
      ASSERT_TRUE(areZeros(bytesAt(m_copy, row.address + kHead, size))) << type << " " << toString(row.address);
    }
  }
  EXPECT_GT(looked, 50u);
}

TEST_P(RedactedCopies, HaveNothingInFreeBlocks) {
  forEachObject(m_dump, {}, [&](const ObjectRow& row) {
    if (!m_dump.types()[row.type.value].isFree) return true;
    constexpr std::uint64_t kHead = 16;
    EXPECT_TRUE(areZeros(bytesAt(m_copy, row.address + kHead, row.alignedBytes - kHead - 8))) << toString(row.address);
    return !HasFailure();
  });
}

TEST_P(RedactedCopies, HaveNoValuesInStatics) {
  const auto statics = listStatics(m_dump, {.includeUninitialised = false}, {});
  ASSERT_TRUE(statics);
  std::size_t looked = 0;
  for (const StaticRow& row : statics->statics) {
    if (!row.address || row.isBoxed) continue;
    const bool isRva = row.kind == StaticKind::Rva;
    if (!isPrimitive(row.value.value.kind) && !isRva) continue;
    ++looked;
    EXPECT_TRUE(areZeros(bytesAt(m_copy, row.address, row.value.sizeBytes))) << row.typeName << "." << row.field;
  }
  EXPECT_GE(looked, m_hasHeap ? 50u : 0u);
}

TEST_P(RedactedCopies, HaveTheSameBytesEveryTime) {
  const TemporaryFolder folder;
  writeCopy(m_dump, folder / "again.core");
  EXPECT_TRUE(haveSameBytes(m_both.path(), folder / "again.core"));
}

TEST_P(RedactedCopies, AreTheirOwnCopies) {
  const TemporaryFolder folder;
  writeCopy(m_copy, folder / "copy-of-copy.core");
  EXPECT_TRUE(haveSameBytes(m_both.path(), folder / "copy-of-copy.core"));
}

std::string textOf(const std::vector<KeptBytes>& kept) {
  std::string text;
  for (const KeptBytes& one : kept) text += one.what + " " + std::to_string(one.bytes) + " " + one.why + "\n";
  return text;
}

std::uint64_t sumOf(const std::vector<KeptBytes>& kept) {
  std::uint64_t bytes = 0;
  for (const KeptBytes& one : kept) bytes += one.bytes;
  return bytes;
}

TEST_P(RedactedCopies, AreFoundClean) {
  const auto copy = checkRedacted(m_copy, nullptr, {});
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->isClean()) << textOf(copy->suspicious);
  EXPECT_EQ(copy->redaction, m_copy.contents().core->redaction->text);
  EXPECT_EQ(sumOf(copy->kept), sumOf(m_both.report().kept)) << textOf(copy->kept) << textOf(m_both.report().kept);
  const auto dump = checkRedacted(m_dump, nullptr, {});
  ASSERT_TRUE(dump);
  EXPECT_FALSE(dump->isClean());
  EXPECT_EQ(dump->redaction, "");
}

}  // namespace
}  // namespace heapscape::test
