// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_unwinder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "memory/elf/library_map.h"
#include "support/builders/unwind_image.h"
#include "support/dump_path.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::uint64_t kNativeUnwinderBase = 0x7f0000000000;
constexpr std::uint64_t kNativeUnwinderStack = 0x7ffe00000000;
constexpr std::uint64_t kCode = kNativeUnwinderBase + UnwindImage::kCodeOffset;

/// A library and a stack whose words are given.
class CraftedCore {
 public:
  CraftedCore(const FileBytes& image, const std::vector<std::uint64_t>& stack,
              Architecture architecture = Architecture::X64)
      : m_core(builderOf(image, stack, architecture)) {}

  NativeUnwinder unwinder() const { return {m_core.space(), m_core.core()}; }

  static Registers at(std::uint64_t instruction, std::uint64_t stackPointer = kNativeUnwinderStack) {
    Registers registers;
    registers.instruction = {instruction};
    registers.setStackPointer({stackPointer});
    return registers;
  }

 private:
  static CoreBuilder builderOf(const FileBytes& image, const std::vector<std::uint64_t>& stack,
                               Architecture architecture) {
    FileBytes words(stack.size() * 8);
    if (!stack.empty()) std::memcpy(words.data(), stack.data(), words.size());
    CoreBuilder builder;
    if (architecture == Architecture::Arm64) builder.header([](Elf64_Ehdr& header) { header.e_machine = EM_AARCH64; });
    builder.dataAlignment(16)
        .memory(kNativeUnwinderBase, image)
        .memory(kNativeUnwinderStack, words)
        .mappedFile({{kNativeUnwinderBase}, {kNativeUnwinderBase + UnwindImage::kSizeBytes}}, 0, "/opt/libcrafted.so");
    return builder;
  }

  OpenedCore m_core;
};

struct Walk {
  std::vector<Registers> frames;  // the innermost first
};

Walk walk(const NativeUnwinder& unwinder, Registers registers) {
  Walk walk;
  bool isReturnAddress = false;
  for (int i = 0; i < 200; ++i) {
    walk.frames.push_back(registers);
    const auto step = unwinder.callerOf(registers, isReturnAddress);
    if (!step) break;
    registers = step->caller;
    isReturnAddress = !step->isSignalFrame;
  }
  return walk;
}

struct RealDump {
  const char* name;
  std::size_t steps;        // of all threads together; gdb takes as many
  std::size_t wholeStacks;  // threads that end at their first function, in libc
};

void PrintTo(const RealDump& dump, std::ostream* stream) {
  *stream << dump.name;
}

class NativeStacks : public testing::TestWithParam<RealDump> {
 protected:
  OpenedCore m_dump{dumpPath(std::string(GetParam().name))};
  NativeUnwinder m_unwinder{m_dump.space(), m_dump.core()};
  LibraryMap m_libraries{m_dump.core()};

  std::string libraryAt(Address address) const {
    const auto index = m_libraries.indexAt(address);
    if (!index) return {};
    const std::string& path = m_libraries.all()[*index].path;
    return path.substr(path.rfind('/') + 1);
  }
};

TEST_P(NativeStacks, RiseUntilManagedCodeOrTheThreadsFirstFunction) {
  std::size_t steps = 0;
  std::size_t wholeStacks = 0;
  for (const CoreThread& thread : m_dump.core().threads) {
    const Walk found = walk(m_unwinder, registersOf(thread));
    for (std::size_t i = 1; i < found.frames.size(); ++i) {
      EXPECT_GT(found.frames[i].stackPointer(), found.frames[i - 1].stackPointer()) << thread.osId;
    }
    steps += found.frames.size() - 1;
    const std::string last = libraryAt(found.frames.back().instruction);
    EXPECT_TRUE(last.empty() || last.ends_with(".dll") || last == "libc.so.6") << thread.osId << " ends in " << last;
    if (last == "libc.so.6") ++wholeStacks;
  }
  EXPECT_EQ(steps, GetParam().steps);
  EXPECT_EQ(wholeStacks, GetParam().wholeStacks);
}

TEST_P(NativeStacks, HaveReturnAddressesBehindCalls) {
  std::size_t all = 0;
  std::size_t byChance = 0;
  for (const CoreThread& thread : m_dump.core().threads) {
    const Walk found = walk(m_unwinder, registersOf(thread));
    for (std::size_t i = 1; i < found.frames.size(); ++i) {
      const Address address = found.frames[i].instruction;
      if (libraryAt(address).find(".so") == std::string::npos) continue;
      EXPECT_TRUE(m_unwinder.isBehindCall(address)) << toString(address);
      ++all;
      if (m_unwinder.isBehindCall(address + 1)) ++byChance;
    }
  }
  EXPECT_GT(all, 80u);
  EXPECT_LT(byChance, all / 10) << "the bytes of other instructions look like a call now and then";
}

TEST_P(NativeStacks, TellWhereCallersRegistersWereSaved) {
  std::set<Register> seen;
  for (const CoreThread& thread : m_dump.core().threads) {
    for (const Registers& frame : walk(m_unwinder, registersOf(thread)).frames) {
      for (const Register reg : registerFile(Architecture::X64).calleeSaved) {
        if (!frame.savedPlace(reg)) continue;
        seen.insert(reg);
        EXPECT_EQ(m_dump.space().read<std::uint64_t>(frame.savedPlace(reg)).value_or(0), frame[reg]);
        EXPECT_LT(frame.savedPlace(reg), frame.stackPointer());
      }
    }
  }
  EXPECT_EQ(seen.size(), registerFile(Architecture::X64).calleeSaved.size());
}

INSTANTIATE_TEST_SUITE_P(All, NativeStacks,
                         testing::Values(RealDump{"shop-8", 154, 6}, RealDump{"shop-9", 154, 6},
                                         RealDump{"shop-10", 150, 6}, RealDump{"storm-8-collecting", 107, 7},
                                         RealDump{"storm-9-full", 100, 7}, RealDump{"storm-10-calm", 104, 7}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(NativeUnwinder, FollowsRulesFromTheirPlacesOn) {
  // push rbp (1 byte), mov rbp, rsp (3 bytes), …, pop rbp, ret
  const CraftedCore core(
      UnwindImage()
          .function(0x1000, 0x20,
                    instructions({0x41, 0x0e, 16, 0x86, 2,   // advance 1; frame = rsp + 16; rbp at -16
                                  0x43, 0x0d, 6,             // advance 3; frame = rbp + 16
                                  0x4b, 0x0c, 7, 8, 0xc6}))  // advance 11; frame = rsp + 8; rbp restored
          .build(),
      {0x1111, 0x2222, 0x3333, 0x4444});
  const auto unwinder = core.unwinder();
  const auto entered = unwinder.callerOf(CraftedCore::at(kCode), false);
  ASSERT_TRUE(entered);
  EXPECT_EQ(entered->caller.instruction, Address{0x1111});
  EXPECT_EQ(entered->caller.stackPointer(), Address{kNativeUnwinderStack + 8});
  EXPECT_EQ(entered->caller.savedPlace(x64::kRbp), Address{});

  const auto pushed = unwinder.callerOf(CraftedCore::at(kCode + 1), false);
  ASSERT_TRUE(pushed);
  EXPECT_EQ(pushed->caller.instruction, Address{0x2222});
  EXPECT_EQ(pushed->caller[x64::kRbp], 0x1111u);
  EXPECT_EQ(pushed->caller.savedPlace(x64::kRbp), Address{kNativeUnwinderStack});

  Registers inside = CraftedCore::at(kCode + 4);
  inside[x64::kRbp] = kNativeUnwinderStack + 16;
  const auto based = unwinder.callerOf(inside, false);
  ASSERT_TRUE(based);
  EXPECT_EQ(based->caller.instruction, Address{0x4444});
  EXPECT_EQ(based->caller.stackPointer(), Address{kNativeUnwinderStack + 32});

  EXPECT_EQ(unwinder.callerOf(CraftedCore::at(kCode + 15), false)->caller.instruction, Address{0x1111});
  EXPECT_FALSE(unwinder.callerOf(CraftedCore::at(kCode + 0x20), false)) << "behind the function";
}

/// Registers of arm64 that tell their numbers.
Registers onArm64(std::uint64_t instruction) {
  Registers registers;
  registers.architecture = Architecture::Arm64;
  for (unsigned i = 0; i < 31; ++i) registers[arm64::x(i)] = 0x100 + i;
  registers.known = ~0u;
  registers.setStackPointer({kNativeUnwinderStack});
  registers.instruction = {instruction};
  return registers;
}

TEST(NativeUnwinder, FollowsFunctionsOfArm64) {
  // stp x29, x30, [sp, -32]!, with the return address signed before; another function that calls none.
  const CraftedCore core(UnwindImage()
                             .common(instructions({0x0c, 31, 0}))
                             .returnAddressIn(30)
                             .augmentation("zRB")
                             .function(0x1000, 0x20,
                                       instructions({0x44, 0x2d,                          // advance 4; signed
                                                     0x44, 0x0e, 32, 0x9d, 4, 0x9e, 3}))  // x29 at -32, x30 at -24
                             .function(0x1020, 0x20, {})
                             .build(),
                         {0x2222, 0x005a'0000'0000'3333, 0, 0, 0}, Architecture::Arm64);
  const auto unwinder = core.unwinder();
  const auto inside = unwinder.callerOf(onArm64(kCode + 0x10), false);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->caller.instruction, Address{0x3333}) << "without the signature";
  EXPECT_EQ(inside->caller.stackPointer(), Address{kNativeUnwinderStack + 32});
  EXPECT_EQ(inside->caller.framePointer(), 0x2222u);
  EXPECT_EQ(inside->caller.savedPlace(arm64::kFp), Address{kNativeUnwinderStack});
  EXPECT_EQ(inside->caller[arm64::x(19)], 0x113u);
  EXPECT_FALSE(inside->caller.isKnown(arm64::x(3)));

  const auto leaf = unwinder.callerOf(onArm64(kCode + 0x24), false);
  ASSERT_TRUE(leaf);
  EXPECT_EQ(leaf->caller.instruction, Address{0x11e});
  EXPECT_EQ(leaf->caller.stackPointer(), Address{kNativeUnwinderStack});
  EXPECT_FALSE(leaf->caller.isKnown(arm64::kLr));
  EXPECT_FALSE(unwinder.callerOf(onArm64(kCode + 0x24), true)) << "a caller has saved it";
}

TEST(NativeUnwinder, TakesTheCallInFrontOfAReturnAddress) {
  const CraftedCore core(
      UnwindImage().function(0x1000, 0x10, instructions({0x0e, 16})).function(0x1010, 0x10, {}).build(),
      {0x1111, 0x2222});
  EXPECT_EQ(core.unwinder().callerOf(CraftedCore::at(kCode + 0x10), false)->caller.instruction, Address{0x1111});
  EXPECT_EQ(core.unwinder().callerOf(CraftedCore::at(kCode + 0x10), true)->caller.instruction, Address{0x2222});
}

TEST(NativeUnwinder, RemembersAndRestoresRules) {
  const CraftedCore core(UnwindImage()
                             .function(0x1000, 0x20,
                                       instructions({0x0e, 24, 0x83, 3, 0x0a,  // rbx at -24; remember
                                                     0x44, 0x0e, 8, 0xc3,      // advance 4; rbx restored
                                                     0x44, 0x0b}))             // advance 4; restore
                             .build(),
                         {0x1111, 0x2222, 0x3333});
  EXPECT_EQ(core.unwinder().callerOf(CraftedCore::at(kCode + 3), false)->caller[x64::kRbx], 0x1111u);
  const auto epilogue = core.unwinder().callerOf(CraftedCore::at(kCode + 5), false);
  EXPECT_EQ(epilogue->caller.instruction, Address{0x1111});
  EXPECT_EQ(epilogue->caller.savedPlace(x64::kRbx), Address{});
  const auto behind = core.unwinder().callerOf(CraftedCore::at(kCode + 9), false);
  EXPECT_EQ(behind->caller.instruction, Address{0x3333});
  EXPECT_EQ(behind->caller[x64::kRbx], 0x1111u);
}

TEST(NativeUnwinder, ComputesTheFrameOfALinkageTable) {
  // As linkers describe .plt: rsp + 8 + ((rip & 15) >= 11) * 8.
  const CraftedCore core(
      UnwindImage()
          .function(0x1000, 0x20, instructions({0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}))
          .build(),
      {0x1111, 0x2222});
  EXPECT_EQ(core.unwinder().callerOf(CraftedCore::at(kCode + 0x1a), false)->caller.instruction, Address{0x1111});
  EXPECT_EQ(core.unwinder().callerOf(CraftedCore::at(kCode + 0x1b), false)->caller.instruction, Address{0x2222});
}

TEST(NativeUnwinder, LooksThroughASignalHandlersTrampoline) {
  // As glibc describes __restore_rt: all registers lie in a ucontext on the stack, rsp and rip among them.
  const CraftedCore core(UnwindImage()
                             .augmentation("zRS")
                             .function(0x1000, 0x10, instructions({0x0f, 3,  0x77, 8,    0x06,  // frame = [rsp + 8]
                                                                   0x10, 0,  2,    0x77, 0,     // rax in [rsp]
                                                                   0x10, 7,  2,    0x77, 8,     // rsp in [rsp + 8]
                                                                   0x10, 16, 2,    0x77, 16}))  // rip in [rsp + 16]
                             .build(),
                         {0x1111, 0x2222, 0x3333});
  const auto step = core.unwinder().callerOf(CraftedCore::at(kCode + 1), true);
  ASSERT_TRUE(step);
  EXPECT_TRUE(step->isSignalFrame);
  EXPECT_EQ(step->caller.instruction, Address{0x3333});
  EXPECT_EQ(step->caller.stackPointer(), Address{0x2222}) << "the interrupted code may have another stack";
  EXPECT_EQ(step->caller[x64::kRax], 0x1111u);
  EXPECT_EQ(step->caller.savedPlace(x64::kRax), Address{kNativeUnwinderStack});
}

TEST(NativeUnwinder, ForgetsWhereScratchRegistersWere) {
  const CraftedCore core(UnwindImage().function(0x1000, 0x10, {}).build(), {0x1111});
  Registers registers = CraftedCore::at(kCode);
  registers.setSavedPlace(x64::kRdi, {kNativeUnwinderStack - 64});
  registers.setSavedPlace(x64::kR12, {kNativeUnwinderStack - 72});
  const auto step = core.unwinder().callerOf(registers, false);
  EXPECT_EQ(step->caller.savedPlace(x64::kRdi), Address{});
  EXPECT_EQ(step->caller.savedPlace(x64::kR12), Address{kNativeUnwinderStack - 72});
}

TEST(NativeUnwinder, EndsAtAFunctionWithoutACaller) {
  const CraftedCore core(UnwindImage().function(0x1000, 0x10, instructions({0x07, 16})).build(), {0x1111});
  EXPECT_FALSE(core.unwinder().callerOf(CraftedCore::at(kCode), false));
}

TEST(NativeUnwinder, EndsWhereTheStackIsMissing) {
  const CraftedCore core(UnwindImage().function(0x1000, 0x10, {}).build(), {0x1111});
  EXPECT_FALSE(core.unwinder().callerOf(CraftedCore::at(kCode, kNativeUnwinderStack + 8), false));
  EXPECT_FALSE(core.unwinder().callerOf(CraftedCore::at(kCode, ~0ull - 3), false));
}

TEST(NativeUnwinder, RefusesAFrameThatDoesNotRise) {
  const CraftedCore core(UnwindImage().common(instructions({0x0c, 6, 0, 0x90, 1})).function(0x1000, 0x10, {}).build(),
                         {kCode, kCode, kCode});
  Registers circle = CraftedCore::at(kCode, kNativeUnwinderStack + 16);
  circle[x64::kRbp] = kNativeUnwinderStack + 16;
  EXPECT_FALSE(core.unwinder().callerOf(circle, false));
}

TEST(NativeUnwinder, RefusesRulesThatMakeNoSense) {
  const auto refused = [](const FileBytes& rules) {
    const CraftedCore core(UnwindImage().function(0x1000, 0x10, rules).build(), {0x1111, 0x2222});
    return !core.unwinder().callerOf(CraftedCore::at(kCode + 8), false);
  };
  EXPECT_TRUE(refused(instructions({0x0b}))) << "nothing was remembered";
  EXPECT_TRUE(refused(instructions({0x3f}))) << "no such instruction";
  EXPECT_TRUE(refused(instructions({0x0e}))) << "cut";
  EXPECT_TRUE(refused(instructions({0x0c, 60, 8}))) << "no such register";
  EXPECT_TRUE(refused(instructions({0x0f, 2, 0x22, 0x22}))) << "an expression with nothing to add";
  EXPECT_TRUE(refused(instructions({0x0f, 3, 0x2f, 0xfd, 0xff}))) << "an expression that jumps back";
  EXPECT_TRUE(refused(instructions({0x10, 16, 2, 0x30, 0x06}))) << "a return address at 0";
  EXPECT_TRUE(refused(FileBytes(100, std::byte{0x0a}))) << "remembers without end";
  FileBytes deep = instructions({0x0f, 0x80, 1});
  deep.resize(deep.size() + 128, std::byte{0x31});
  EXPECT_TRUE(refused(deep)) << "an expression that only pushes";
}

TEST(NativeUnwinder, RefusesTablesThatLie) {
  const FileBytes sound = UnwindImage().function(0x1000, 0x10, {}).build();
  const auto works = [](const FileBytes& image) {
    const CraftedCore core(image, {0x1111});
    return core.unwinder().callerOf(CraftedCore::at(kCode), false).has_value();
  };
  const auto with = [&](std::size_t offset, std::uint32_t value) {
    FileBytes image = sound;
    std::memcpy(image.data() + offset, &value, sizeof value);
    return image;
  };
  constexpr std::size_t kHeader = UnwindImage::kHeaderOffset;
  constexpr std::size_t kFrames = UnwindImage::kFramesOffset;
  ASSERT_TRUE(works(sound));
  EXPECT_FALSE(works(with(kHeader, 0x3b031b02))) << "another version";
  EXPECT_FALSE(works(with(kHeader, 0x00031b01))) << "another form of table";
  EXPECT_FALSE(works(with(kHeader + 8, 0))) << "no functions";
  (void)works(with(kHeader + 8, 0xffffffff));  // more functions than the header has room for
  EXPECT_FALSE(works(with(kHeader + 16, 0x7fffffff))) << "a description outside of the dump";
  EXPECT_FALSE(works(with(kHeader + 16, kFrames - kHeader))) << "a CIE where a function's belongs";
  EXPECT_FALSE(works(with(kFrames, 0xffffffff))) << "a CIE of the long form";
  EXPECT_FALSE(works(with(kFrames, 0x00080000))) << "a CIE beyond the image";
  EXPECT_FALSE(works(with(kFrames + 8, 0x525a0101))) << "letters that nobody knows";
}

TEST(NativeUnwinder, KnowsCallsByTheirBytes) {
  const auto isBehind = [](std::initializer_list<unsigned> code) {
    FileBytes image = UnwindImage().function(0x1000, 0x40, {}).build();
    std::ranges::copy(instructions(code), image.begin() + static_cast<std::ptrdiff_t>(0x1010));
    return CraftedCore(image, {}).unwinder().isBehindCall({kCode + 0x10 + code.size()});
  };
  EXPECT_TRUE(isBehind({0xe8, 1, 2, 3, 4})) << "call relative";
  EXPECT_TRUE(isBehind({0xff, 0xd0})) << "call rax";
  EXPECT_TRUE(isBehind({0x41, 0xff, 0xd4})) << "call r12";
  EXPECT_TRUE(isBehind({0xff, 0x15, 1, 2, 3, 4})) << "call [rip + …]";
  EXPECT_TRUE(isBehind({0xff, 0x50, 0x18})) << "call [rax + 24]";
  EXPECT_TRUE(isBehind({0xff, 0x90, 1, 2, 3, 4})) << "call [rax + …]";
  EXPECT_TRUE(isBehind({0xff, 0x54, 0x24, 8})) << "call [rsp + 8]";
  EXPECT_TRUE(isBehind({0xff, 0x14, 0xc5, 1, 2, 3, 4})) << "call [rax * 8 + …]";
  EXPECT_FALSE(isBehind({0xff, 0xe0})) << "jmp rax";
  EXPECT_FALSE(isBehind({0x90, 0x90, 0x90}));
  EXPECT_FALSE(CraftedCore(UnwindImage().build(), {}).unwinder().isBehindCall({3}));
}

}  // namespace
}  // namespace heapscape::engine
