// SPDX-License-Identifier: MIT
#include "stacks/unwinding/code_unwinding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "memory/elf/library_map.h"
#include "stacks/unwinding/native_unwinder.h"
#include "stacks/unwinding/x64_instruction.h"
#include "support/builders/unwind_image.h"
#include "support/dump_path.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;
using Kind = X64Instruction::Kind;

std::optional<X64Instruction> decoded(std::initializer_list<unsigned> code) {
  return decodeX64(instructions(code));
}

TEST(X64Instructions, HaveTheLengthsOfTheirOperands) {
  const auto lengthOf = [](std::initializer_list<unsigned> code) {
    const auto instruction = decoded(code);
    return instruction ? instruction->length : 0;
  };
  EXPECT_EQ(lengthOf({0x90, 0x90}), 1u) << "nop";
  EXPECT_EQ(lengthOf({0xf3, 0x0f, 0x1e, 0xfa, 0x90}), 4u) << "endbr64";
  EXPECT_EQ(lengthOf({0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0, 0x90}), 10u) << "nop of ten bytes";
  EXPECT_EQ(lengthOf({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8, 0x90}), 10u) << "movabs";
  EXPECT_EQ(lengthOf({0x66, 0xb8, 1, 2, 0x90}), 4u) << "mov ax, 0x201";
  EXPECT_EQ(lengthOf({0xf7, 0x44, 0x24, 8, 1, 0, 0, 0, 0x90}), 8u) << "test dword [rsp + 8], 1";
  EXPECT_EQ(lengthOf({0xf7, 0xd8, 0x90}), 2u) << "neg eax";
  EXPECT_EQ(lengthOf({0x8b, 0x04, 0x25, 1, 2, 3, 4, 0x90}), 7u) << "mov eax, [0x4030201]";
  EXPECT_EQ(lengthOf({0x66, 0x0f, 0x3a, 0x0f, 0xc1, 8, 0x90}), 6u) << "palignr";
  EXPECT_EQ(lengthOf({0xc5, 0xf8, 0x77, 0x90}), 3u) << "vzeroupper";
  EXPECT_EQ(lengthOf({0xc4, 0xe3, 0x7d, 0x39, 0xc1, 1, 0x90}), 6u) << "vextracti128";
  EXPECT_EQ(lengthOf({0x62, 0xf1, 0x7c, 0x48, 0x28, 0xc1}), 0u) << "of AVX-512, not known";
  EXPECT_EQ(lengthOf({0xe8, 1, 2}), 0u) << "cut";
}

TEST(X64Instructions, TellWhatTheyDoToTheStack) {
  const auto is = [](std::initializer_list<unsigned> code, Kind kind, int reg = 16, std::int64_t value = 0) {
    const auto instruction = decoded(code);
    return instruction && instruction->kind == kind && instruction->reg == reg && instruction->value == value;
  };
  EXPECT_TRUE(is({0x53}, Kind::Push, 3));
  EXPECT_TRUE(is({0x41, 0x54}, Kind::Push, 12));
  EXPECT_TRUE(is({0xff, 0x75, 8}, Kind::Push)) << "push qword [rbp + 8]";
  EXPECT_TRUE(is({0x41, 0x5f}, Kind::Pop, 15));
  EXPECT_TRUE(is({0x48, 0x83, 0xec, 0x18}, Kind::AddToStack, 16, -0x18));
  EXPECT_TRUE(is({0x48, 0x81, 0xc4, 0, 1, 0, 0}, Kind::AddToStack, 16, 0x100));
  EXPECT_TRUE(is({0x48, 0x83, 0xfc, 0x18}, Kind::Other, 16)) << "cmp rsp, 24";
  EXPECT_TRUE(is({0x48, 0x8d, 0x64, 0x24, 0x28}, Kind::StackFrom, 4, 0x28));
  EXPECT_TRUE(is({0x48, 0x8d, 0x65, 0xd8}, Kind::StackFrom, 5, -0x28));
  EXPECT_TRUE(is({0x48, 0x89, 0xec}, Kind::StackFrom, 5));
  EXPECT_TRUE(is({0x48, 0x29, 0xc4}, Kind::Stop)) << "sub rsp, rax";
  EXPECT_TRUE(is({0x48, 0x8b, 0x5c, 0x24, 0x10}, Kind::Load, 3, 0x10));
  EXPECT_TRUE(is({0x48, 0x8b, 0x5d, 0x10}, Kind::Other)) << "mov rbx, [rbp + 16]";
  EXPECT_TRUE(is({0x48, 0x89, 0xe5}, Kind::FrameFrom, 4)) << "mov rbp, rsp";
  EXPECT_TRUE(is({0x48, 0x8b, 0xec}, Kind::FrameFrom, 4)) << "the same, written otherwise";
  EXPECT_TRUE(is({0x48, 0x8d, 0x6c, 0x24, 0x20}, Kind::FrameFrom, 4, 0x20));
  EXPECT_TRUE(is({0x48, 0x89, 0xe3}, Kind::Other)) << "mov rbx, rsp";
  EXPECT_TRUE(is({0xc9}, Kind::Leave));
  EXPECT_TRUE(is({0xc3}, Kind::Return));
  EXPECT_TRUE(is({0xff, 0x15, 4, 0, 0, 0}, Kind::CallThrough, 16, 4));
  EXPECT_TRUE(is({0xff, 0x25, 4, 0, 0, 0}, Kind::JumpThrough, 16, 4));
  EXPECT_TRUE(is({0xff, 0xe0}, Kind::Stop)) << "jmp rax";
  EXPECT_TRUE(is({0x0f, 0x84, 4, 0, 0, 0}, Kind::JumpIf, 16, 4));
  EXPECT_TRUE(is({0x0f, 0x05}, Kind::Other)) << "syscall";
  EXPECT_TRUE(is({0x0f, 0x0b}, Kind::Stop)) << "ud2";
}

constexpr std::uint64_t kUndescribedBase = 0x7f0000000000;
constexpr std::uint64_t kUndescribedStack = 0x7ffe00000000;
constexpr std::uint64_t kUndescribedCode = kUndescribedBase + UnwindImage::kCodeOffset;

/// A library whose code no table describes, and a stack.
class UndescribedCode {
 public:
  UndescribedCode& code(std::uint64_t offset, std::initializer_list<unsigned> bytes) {
    std::ranges::copy(instructions(bytes),
                      m_image.begin() + static_cast<std::ptrdiff_t>(UnwindImage::kCodeOffset + offset));
    return *this;
  }

  std::optional<NativeUnwinder::Step> callerOf(std::uint64_t offset, const std::vector<std::uint64_t>& stack,
                                               std::uint64_t framePointer = 0) const {
    FileBytes words(stack.size() * 8);
    std::memcpy(words.data(), stack.data(), words.size());
    CoreBuilder builder;
    builder.dataAlignment(16)
        .memory(kUndescribedBase, m_image)
        .memory(kUndescribedStack, words)
        .mappedFile({{kUndescribedBase}, {kUndescribedBase + UnwindImage::kSizeBytes}}, 0, "/lib/ld-musl-x86_64.so.1");
    const OpenedCore core(builder);
    Registers registers;
    registers.instruction = {kUndescribedCode + offset};
    registers.setStackPointer({kUndescribedStack});
    registers[x64::kRbp] = framePointer;
    registers[x64::kRbx] = 0xb0b;
    return NativeUnwinder(core.space(), core.core()).callerOf(registers, false);
  }

 private:
  FileBytes m_image = UnwindImage().function(0xf00, 0x10, {}).build();
};

// 0x00: push rbx; sub rsp, 16; syscall; add rsp, 16; pop rbx; ret
// 0x40: call 0x00
UndescribedCode waiting() {
  return UndescribedCode()
      .code(0x00, {0x53, 0x48, 0x83, 0xec, 0x10, 0x0f, 0x05, 0x48, 0x83, 0xc4, 0x10, 0x5b, 0xc3})
      .code(0x40, {0xe8, 0xbb, 0xff, 0xff, 0xff, 0x90});
}

TEST(CodeUnwinding, TakesTheWordWhoseCallLeadsHere) {
  const auto step = waiting().callerOf(0x07, {1, 2, 0x1234, kUndescribedCode + 0x45});
  ASSERT_TRUE(step);
  EXPECT_FALSE(step->isSignalFrame);
  EXPECT_EQ(step->caller.instruction, Address{kUndescribedCode + 0x45});
  EXPECT_EQ(step->caller.stackPointer(), Address{kUndescribedStack + 0x20});
  EXPECT_EQ(step->caller[x64::kRbx], 0x1234u);
  EXPECT_EQ(step->caller.savedPlace(x64::kRbx), Address{kUndescribedStack + 0x10});
}

TEST(CodeUnwinding, PassesOverWordsThatOtherCallsHaveLeft) {
  const std::uint64_t left = kUndescribedCode + 0x45;  // the same call, but not where it has to be
  const auto step = waiting().callerOf(0x07, {left, left, 0x1234, kUndescribedCode + 0x45});
  ASSERT_TRUE(step);
  EXPECT_EQ(step->caller.stackPointer(), Address{kUndescribedStack + 0x20});
}

TEST(CodeUnwinding, FollowsJumpsToAnotherFunction) {
  // 0x80: call [rip] to 0x60: test eax, eax; je 0x6a; xor eax, eax; ret; jmp 0x00
  const auto code = waiting()
                        .code(0x60, {0x85, 0xc0, 0x74, 0x06, 0x31, 0xc0, 0xc3, 0x90, 0x90, 0x90, 0xeb, 0x94})
                        .code(0x80, {0xff, 0x15, 0x0a, 0, 0, 0, 0x90})
                        .code(0x90, {0x60, 0x10, 0, 0, 0, 0x7f, 0, 0});
  const auto step = code.callerOf(0x07, {1, 2, 0x1234, kUndescribedCode + 0x86});
  ASSERT_TRUE(step);
  EXPECT_EQ(step->caller.instruction, Address{kUndescribedCode + 0x86});
}

TEST(CodeUnwinding, GoesToTheReturnWhereACallTellsNoTarget) {
  const auto code = waiting().code(0x20, {0x41, 0xff, 0xd4, 0x90});  // call r12
  const auto step = code.callerOf(0x07, {1, 2, 0x1234, kUndescribedCode + 0x23});
  ASSERT_TRUE(step);
  EXPECT_EQ(step->caller.instruction, Address{kUndescribedCode + 0x23});
  EXPECT_EQ(step->caller[x64::kRbx], 0x1234u);
  EXPECT_FALSE(code.callerOf(0x07, {1, 2, 3, 4, kUndescribedCode + 0x23})) << "not where the code returns by";
}

TEST(CodeUnwinding, LeavesARegisterThatIsStillToBePushed) {
  const auto code = waiting().code(0x20, {0x41, 0xff, 0xd4, 0x90});  // call r12
  const auto step = code.callerOf(0x00, {kUndescribedCode + 0x23});
  ASSERT_TRUE(step);
  EXPECT_EQ(step->caller[x64::kRbx], 0xb0bu);
  EXPECT_FALSE(step->caller.isKnown(x64::kRbx)) << "no root may be taken from it";
}

TEST(CodeUnwinding, GoesByTheFramePointerThatIsRestoredFrom) {
  // 0xa0: syscall; leave; ret
  const auto code = UndescribedCode().code(0xa0, {0x0f, 0x05, 0xc9, 0xc3}).code(0x20, {0x41, 0xff, 0xd4, 0x90});
  const auto step = code.callerOf(0xa2, {1, 2, 0x5678, kUndescribedCode + 0x23}, kUndescribedStack + 0x10);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->caller.stackPointer(), Address{kUndescribedStack + 0x20});
  EXPECT_EQ(step->caller[x64::kRbp], 0x5678u);
}

// The frame pointer is still the caller's, wherever that has put it.
TEST(CodeUnwinding, SetsUpTheFrameThatIsLeftLater) {
  // 0xa0: push rbp; mov rbp, rsp; syscall; leave; ret
  const auto code = UndescribedCode()
                        .code(0xa0, {0x55, 0x48, 0x89, 0xe5, 0x0f, 0x05, 0xc9, 0xc3})
                        .code(0x20, {0x41, 0xff, 0xd4, 0x90})
                        .code(0x40, {0xe8, 0x5b, 0x00, 0x00, 0x00, 0x90});
  const std::vector<std::uint64_t> stack{kUndescribedCode + 0x23, 1, 0x5678, kUndescribedCode + 0x23};
  const auto byReturn = code.callerOf(0xa0, stack, kUndescribedStack + 0x10);
  ASSERT_TRUE(byReturn);
  EXPECT_EQ(byReturn->caller.stackPointer(), Address{kUndescribedStack + 8});
  EXPECT_EQ(byReturn->caller.framePointer(), kUndescribedStack + 0x10);
  const auto byCall = code.callerOf(0xa7, {kUndescribedCode + 0x45, 1, 2}, 0x5678);
  ASSERT_TRUE(byCall) << "behind the way in and out again";
  EXPECT_EQ(byCall->caller.stackPointer(), Address{kUndescribedStack + 8});
  EXPECT_EQ(byCall->caller.framePointer(), 0x5678u);
}

TEST(CodeUnwinding, TakesAPoppedRegisterAsTheCallersAgain) {
  // 0x60: push rbx; pop rbx; jmp 0x80, where: push r12; syscall
  const auto code = UndescribedCode()
                        .code(0x60, {0x53, 0x5b, 0xeb, 0x1c})
                        .code(0x80, {0x41, 0x54, 0x0f, 0x05, 0x41, 0x5c, 0xc3})
                        .code(0x40, {0xe8, 0x1b, 0x00, 0x00, 0x00, 0x90});
  const auto step = code.callerOf(0x82, {0x1212, kUndescribedCode + 0x45});
  ASSERT_TRUE(step);
  EXPECT_EQ(step->caller[x64::kR12], 0x1212u);
  EXPECT_EQ(step->caller[x64::kRbx], 0xb0bu);
}

TEST(CodeUnwinding, SettlesNothingWhereWaysDisagree) {
  // je: add rsp, 8; ret, or ret
  const auto code = UndescribedCode()
                        .code(0x00, {0x74, 0x05, 0x48, 0x83, 0xc4, 0x08, 0xc3, 0xc3})
                        .code(0x20, {0x41, 0xff, 0xd4, 0x90});
  EXPECT_FALSE(code.callerOf(0x00, {kUndescribedCode + 0x23, kUndescribedCode + 0x23}));
  EXPECT_TRUE(code.callerOf(0x00, {kUndescribedCode + 0x23, 0}));
}

TEST(CodeUnwinding, EndsInCodeThatGoesRound) {
  EXPECT_FALSE(UndescribedCode().code(0x00, {0xeb, 0xfe}).callerOf(0x00, {1, 2, 3}));
  EXPECT_FALSE(UndescribedCode().code(0x00, {0x53, 0xeb, 0xfd}).callerOf(0x00, {1, 2, 3}));
}

TEST(CodeUnwinding, KnowsTheWayBackFromASignal) {
  const auto code = UndescribedCode().code(0x00, {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05});
  std::vector<std::uint64_t> context(5 + 17);
  for (std::size_t i = 0; i < context.size(); ++i) context[i] = 0x1000 + i;
  const auto step = code.callerOf(0x00, context);
  ASSERT_TRUE(step);
  EXPECT_TRUE(step->isSignalFrame);
  EXPECT_EQ(step->caller[x64::kR8], 0x1005u);
  EXPECT_EQ(step->caller[x64::kRbp], 0x1000u + 5 + 10);
  EXPECT_EQ(step->caller[x64::kRcx], 0x1000u + 5 + 14);
  EXPECT_EQ(step->caller.stackPointer(), Address{0x1000 + 5 + 15});
  EXPECT_EQ(step->caller.instruction, Address{0x1000 + 5 + 16});
}

// A dump has the page of the instruction that each thread was at, and no more of musl's code.
TEST(CodeUnwinding, LeadsOutOfMuslsSystemCalls) {
  for (const char* name : {"stacks-musl-8", "stacks-musl-10"}) {
    const OpenedCore dump(dumpPath(name));
    const NativeUnwinder unwinder(dump.space(), dump.core());
    const LibraryMap libraries(dump.core());
    std::size_t found = 0;
    for (const CoreThread& thread : dump.core().threads) {
      const auto library = libraries.indexAt(thread.instructionPointer());
      const auto step = unwinder.callerOf(registersOf(thread), false);
      if (!library || !step || !libraries.all()[*library].path.ends_with("/libc.so")) continue;
      EXPECT_EQ(libraries.indexAt(step->caller.instruction), library) << thread.osId;
      EXPECT_EQ(step->caller.stackPointer(), thread.stackPointer() + 8) << thread.osId;
      ++found;
    }
    EXPECT_GT(found, 50u) << name;
  }
}

}  // namespace
}  // namespace heapscape::engine
