// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "runtime/methods/method_descs.h"
#include "session/snapshot/contents.h"
#include "stacks/gc_info/gc_info.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::CodeLocation;
using engine::GcInfo;
using engine::GcInfoBits;
using engine::GcSlotBase;
using engine::MethodState;
using engine::Register;
namespace x64 = engine::x64;

/// The code of all methods of a dump that says where its GC info is, by that place.
std::map<Address, CodeLocation> codeOf(const engine::RuntimeReaders& readers) {
  std::map<Address, CodeLocation> found;
  const auto add = [&](const engine::MethodDesc& method) {
    for (const auto& version : readers.methodCodes.of(method)) {
      const auto code = readers.code.find(version.start);
      if (code && code->gcInfo) found.emplace(code->gcInfo, *code);
    }
  };
  engine::FindingList findings;
  for (const Address address : readers.loadedTypes.all()) {
    const auto type = readers.methodTables.read(address);
    if (!type) continue;
    for (const auto& chunk : readers.methods.chunksOf(*type, findings)) {
      for (const auto& method : chunk.methods) add(method);
    }
    for (const auto& method : instantiatedMethodsOf(readers.methods, readers.modules, *type)) add(method);
  }
  return found;
}

/// FNV-1a over 64-bit words.
class Checksum {
 public:
  void add(std::uint64_t word) { m_value = (m_value ^ word) * 0x100000001b3; }
  std::uint64_t value() const { return m_value; }

 private:
  std::uint64_t m_value = 0xcbf29ce484222325;
};

struct Figures {
  std::size_t methods = 0;
  std::size_t readyToRun = 0;
  std::size_t safePoints = 0;
  std::size_t interruptible = 0;  // instructions' offsets
  std::uint64_t checksum = 0;     // of all that is told, summed up over methods
  bool operator==(const Figures&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Figures& figures) {
  return out << figures.methods << " methods, " << figures.readyToRun << " of them ready to run, " << figures.safePoints
             << " safe points, " << figures.interruptible << " interruptible offsets, checksum 0x" << std::hex
             << figures.checksum << std::dec;
}

void addHead(const GcInfo& info, Checksum& sum) {
  sum.add(info.codeLength());
  sum.add(info.scratchAreaBytes());
  sum.add(info.isReportedByLeafOnly());
  sum.add(info.frameBase() ? std::uint64_t{info.frameBase()->number} : 99);
  for (const std::uint32_t safePoint : info.safePoints()) sum.add(safePoint);
  for (const auto& range : info.interruptible()) {
    sum.add(range.start);
    sum.add(range.end);
  }
}

void addSlots(std::span<const engine::GcSlot> slots, Checksum& sum) {
  for (const auto& slot : slots) {
    sum.add(slot.reg ? std::uint64_t{slot.reg->number} : static_cast<std::uint64_t>(slot.base));
    if (!slot.reg) sum.add(static_cast<std::uint64_t>(std::int64_t{slot.offset}));
    sum.add((slot.isInterior ? 1u : 0) | (slot.isPinned ? 2u : 0));
  }
}

/// False if the dump lacks a part.
bool addLive(const engine::Result<std::vector<bool>>& live, Checksum& sum) {
  if (!live) {
    EXPECT_EQ(live.error().code, engine::ErrorCode::NotInDump) << live.error().message();
    return false;
  }
  for (std::size_t i = 0; i < live->size(); ++i) {
    if ((*live)[i]) sum.add(i);
  }
  sum.add(77'777);
  return true;
}

bool addLiveness(const GcInfo& info, Checksum& sum) {
  for (std::uint32_t i = 0; i < info.safePoints().size(); ++i) {
    if (!addLive(info.liveAtSafePoint(i), sum)) return false;
  }
  for (const auto& range : info.interruptible()) {
    for (std::uint32_t offset = range.start; offset < range.end; ++offset) {
      if (!addLive(info.liveAtPlace(*info.interruptiblePlaceOf(offset)), sum)) return false;
    }
  }
  return true;
}

/// No compiler puts a reference elsewhere.
void expectSensible(const GcInfo& info, const CodeLocation& code) {
  const auto check = [&](const engine::GcSlot& slot) {
    if (slot.reg) {
      EXPECT_NE(slot.reg, x64::kRsp);
      EXPECT_NE(slot.reg, info.frameBase());
      return;
    }
    constexpr std::int32_t kLargestFrame = 64 * 1024;
    EXPECT_LT(std::abs(slot.offset), kLargestFrame);
    EXPECT_EQ(slot.offset % 8, 0);
    if (slot.base == GcSlotBase::StackPointer) {
      EXPECT_GE(slot.offset, 0);
    }
    // The caller's stack begins behind the return address.
    if (slot.base == GcSlotBase::CallerStackPointer) {
      EXPECT_NE(slot.offset, -8);
    }
  };
  for (const auto& slot : info.slots().tracked()) check(slot);
  for (const auto& slot : info.slots().untracked()) check(slot);
  ASSERT_TRUE(code.function);
  const std::uint32_t own = code.function->end - code.function->begin;
  EXPECT_GE(info.codeLength(), own);
  EXPECT_LT(info.scratchAreaBytes(), 4096u);
}

Figures figuresOf(const engine::RuntimeReaders& readers) {
  const auto rules = engine::GcInfoRules::of(readers.runtime.contract());
  Figures figures;
  for (const auto& [address, code] : codeOf(readers)) {
    SCOPED_TRACE(toString(address));
    const auto info = GcInfo::read(GcInfoBits(readers.runtime.memory(), address), rules);
    if (!info) {
      EXPECT_EQ(info.error().code, engine::ErrorCode::NotInDump) << info.error().message();
      EXPECT_EQ(code.state, MethodState::ReadyToRun);
      continue;
    }
    expectSensible(*info, code);
    Checksum sum;
    addHead(*info, sum);
    addSlots(info->slots().tracked(), sum);
    addSlots(info->slots().untracked(), sum);
    if (!addLiveness(*info, sum)) continue;
    ++figures.methods;
    figures.readyToRun += code.state == MethodState::ReadyToRun;
    figures.safePoints += info->safePoints().size();
    for (const auto& range : info->interruptible()) figures.interruptible += range.end - range.start;
    figures.checksum += sum.value();
  }
  return figures;
}

// Checksums are those of an independent decoder, written from the runtime's sources as a script.
TEST(GcInfoOfMethods, IsWhatAnotherDecoderReads) {
  const std::map<std::string, Figures> expected{{"shop-8", {631, 24, 118, 37'426, 0x69e84adcf7e489f7}},
                                                {"shop-9", {694, 72, 1280, 37'487, 0x358887a277614186}},
                                                {"shop-10", {677, 68, 1197, 37'323, 0xc6bdb9c174a6f335}}};
  for (const auto& [dump, figures] : expected) {
    SCOPED_TRACE(dump);
    EXPECT_EQ(figuresOf(*openSnapshot(dumpPath(dump), engine::Stage::Summary).contents().readers), figures);
  }
}

}  // namespace
}  // namespace heapscape::test
