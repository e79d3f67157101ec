// SPDX-License-Identifier: MIT
// Records of unwind information of arm64 as compilers write them, and a stack.
#include <gtest/gtest.h>

#include <cstring>

#include "stacks/unwinding/unwind_info.h"
#include "support/builders/core_builder.h"
#include "support/opened_core.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Architecture;
using engine::Registers;
namespace arm64 = engine::arm64;

constexpr std::uint64_t kImageOfArm64 = 0xffff'0000'0000;
constexpr std::uint32_t kRecordAt = 0x400;
constexpr std::uint64_t kStackOfArm64 = 0xfffd'0000'0000;
constexpr std::uint32_t kFunctionAt = 0x100;
constexpr std::uint32_t kInstructions = 20;

/// A function with a record, and a stack whose words tell their places.
class RecordedFunction {
 public:
  /// `head`: the record's first word but for the length; `rest`: what follows.
  RecordedFunction(std::uint32_t head, std::initializer_list<std::uint8_t> rest)
      : m_core(builderOf(head | kInstructions, rest)) {
    m_code.imageBase = m_code.start = {kImageOfArm64};
    m_code.function = {kFunctionAt, kFunctionAt + 4 * kInstructions, kRecordAt};
  }

  /// Stopped before one of its instructions.
  std::optional<Registers> callerAt(std::uint32_t instruction, std::uint64_t framePointer = kStackOfArm64 + 64) const {
    Registers registers;
    registers.architecture = Architecture::Arm64;
    registers.known = ~std::uint32_t{0};
    for (unsigned i = 0; i < 31; ++i) registers[arm64::x(i)] = 0xf000 + i;
    registers[arm64::kFp] = framePointer;
    registers.setStackPointer({kStackOfArm64});
    registers.instruction = {kImageOfArm64 + kFunctionAt + 4 * instruction};
    return engine::callerOfManaged(m_core.space(), m_code, registers, false);
  }
  std::uint32_t prologue() const { return engine::prologueBytes(m_core.space(), m_code, Architecture::Arm64); }

 private:
  static CoreBuilder builderOf(std::uint32_t head, std::initializer_list<std::uint8_t> rest) {
    FileBytes image(0x1000);
    std::memcpy(image.data() + kRecordAt, &head, sizeof head);
    std::memcpy(image.data() + kRecordAt + sizeof head, std::data(rest), rest.size());
    FileBytes stack(0x1000);
    for (std::uint64_t at = 0; at < stack.size(); at += 8) std::memcpy(stack.data() + at, &at, sizeof at);
    CoreBuilder builder;
    builder.dataAlignment(16).memory(kStackOfArm64, stack).memory(kImageOfArm64, image);
    return builder;
  }

  OpenedCore m_core;
  engine::CodeLocation m_code;
};

constexpr std::uint32_t kWithPersonality = 1u << 20;
constexpr std::uint32_t kOneEpilogue = 1u << 21;
constexpr std::uint32_t codeWords(std::uint32_t count) {
  return count << 27;
}
constexpr std::uint32_t epilogues(std::uint32_t count) {
  return count << 22;
}

// stp fp, lr, [sp, -48]!; stp x19, x20, [sp, 16]; str x21, [sp, 32]; mov fp, sp; …; the same back without the mov; ret
const RecordedFunction& usualFunction() {
  static const RecordedFunction function(kWithPersonality | kOneEpilogue | epilogues(1) | codeWords(2),
                                         {0xe1, 0xd0, 0x84, 0xc8, 0x02, 0x85, 0xe4, 0xe3});
  return function;
}

void expectCaller(const std::optional<Registers>& caller, std::uint64_t instruction, std::uint64_t stackOffset) {
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->instruction, Address{instruction});
  EXPECT_EQ(caller->stackPointer(), Address{kStackOfArm64 + stackOffset});
}

TEST(UnwindInfoOfArm64, UndoesAWholePrologue) {
  const auto caller = usualFunction().callerAt(10);
  expectCaller(caller, 72, 64 + 48);
  EXPECT_EQ((*caller)[arm64::x(19)], 80u);
  EXPECT_EQ((*caller)[arm64::x(20)], 88u);
  EXPECT_EQ((*caller)[arm64::x(21)], 96u);
  EXPECT_EQ((*caller)[arm64::x(22)], 0xf000u + 22);
  EXPECT_EQ(caller->framePointer(), 64u);
  EXPECT_EQ(caller->savedPlace(arm64::x(21)), Address{kStackOfArm64 + 96});
  EXPECT_EQ(caller->savedPlace(arm64::x(22)), Address{});
  EXPECT_FALSE(caller->isKnown(arm64::x(0)));
  EXPECT_FALSE(caller->isKnown(arm64::kLr));
}

TEST(UnwindInfoOfArm64, UndoesWhatOfAPrologueHasRun) {
  EXPECT_EQ(usualFunction().prologue(), 16u);
  expectCaller(usualFunction().callerAt(0), 0xf01e, 0);
  const auto afterPush = usualFunction().callerAt(1);
  expectCaller(afterPush, 8, 48);
  EXPECT_EQ((*afterPush)[arm64::x(19)], 0xf000u + 19);
  EXPECT_EQ((*usualFunction().callerAt(2))[arm64::x(19)], 16u);
  EXPECT_EQ((*usualFunction().callerAt(2))[arm64::x(21)], 0xf000u + 21);
}

TEST(UnwindInfoOfArm64, CarriesOutWhatIsLeftOfTheEpilogueAtTheEnd) {
  const auto first = usualFunction().callerAt(16);
  expectCaller(first, 8, 48);
  EXPECT_EQ((*first)[arm64::x(21)], 32u);
  const auto second = usualFunction().callerAt(17);
  expectCaller(second, 8, 48);
  EXPECT_EQ((*second)[arm64::x(21)], 0xf000u + 21);
  EXPECT_EQ((*second)[arm64::x(19)], 16u);
  expectCaller(usualFunction().callerAt(19), 0xf01e, 0);
}

TEST(UnwindInfoOfArm64, FindsEpiloguesInTheMiddle) {
  // The prologue is stp fp, lr, [sp, -32]!, then fp = sp + 16; the epilogue from 8 on frees 32 and pops the pair.
  const RecordedFunction function(
      kWithPersonality | epilogues(1) | codeWords(2),
      {8, 0, 0, 1, 0xe2, 0x02, 0x83, 0xe4, 0x02, 0x83, 0xe4, 0xe3});  // the first code of the epilogue is 4
  expectCaller(function.callerAt(4), 56, 80);
  expectCaller(function.callerAt(8), 40, 64);
  expectCaller(function.callerAt(9), 8, 32);
  expectCaller(function.callerAt(10), 0xf01e, 0);
  expectCaller(function.callerAt(11), 56, 80);
}

TEST(UnwindInfoOfArm64, RestoresMorePairsByOneCode) {
  const RecordedFunction function(kWithPersonality | kOneEpilogue | epilogues(7) | codeWords(2),
                                  {0xe6, 0xe6, 0xc8, 0x02, 0x8a, 0xe4, 0xe3, 0xe4});
  const auto caller = function.callerAt(10);
  expectCaller(caller, 8, 88);
  for (unsigned i = 0; i < 6; ++i) EXPECT_EQ((*caller)[arm64::x(19 + i)], 16u + 8 * i);
  EXPECT_EQ((*caller)[arm64::x(25)], 0xf000u + 25);
}

TEST(UnwindInfoOfArm64, ReadsTheLongerHeadAndTheRareCodes) {
  // No epilogue, 4 words of codes: alloc_l 16, alloc_m 32, d8 and d9, x27 with the stack, the pair, its signature.
  const RecordedFunction function(
      kWithPersonality, {0,    0, 4, 0,  //
                         0xe0, 0, 0, 0x01, 0xc0, 0x02, 0xd8, 0x41, 0xd5, 0x01, 0x81, 0xfc, 0xe4, 0xe3, 0xe3, 0xe3});
  const auto caller = function.callerAt(15);
  expectCaller(caller, 16 + 32 + 16 + 8, 16 + 32 + 16 + 16);
  EXPECT_EQ((*caller)[arm64::x(27)], 16u + 32);
}

TEST(UnwindInfoOfArm64, RefusesWhatNoCompilerWrites) {
  EXPECT_FALSE(RecordedFunction(1u << 18 | codeWords(1), {0x85, 0xe4, 0xe3, 0xe3}).callerAt(10)) << "version";
  EXPECT_FALSE(RecordedFunction(codeWords(1), {0xd3, 0xc0, 0xe4, 0xe3}).callerAt(10)) << "no such register";
  EXPECT_FALSE(RecordedFunction(codeWords(1), {0xef, 0xe4, 0xe3, 0xe3}).callerAt(10)) << "no such code";
  EXPECT_FALSE(RecordedFunction(codeWords(1), {0xe1, 0x85, 0xe4, 0xe3}).callerAt(10, 0x1234)) << "no such stack";
}

}  // namespace
}  // namespace heapscape::test
