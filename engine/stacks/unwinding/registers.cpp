// SPDX-License-Identifier: MIT
#include "stacks/unwinding/registers.h"

namespace heapscape::engine {
namespace {

using namespace x64;

constexpr std::array kNamesOfX64{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                 "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
constexpr std::array kContractNamesOfX64{"Rax", "Rcx", "Rdx", "Rbx", "Rsp", "Rbp", "Rsi", "Rdi",
                                         "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};
constexpr std::array kDwarfOfX64{kRax, kRdx, kRcx, kRbx, kRsi, kRdi, kRbp, kRsp,
                                 kR8,  kR9,  kR10, kR11, kR12, kR13, kR14, kR15};

/// Those that isCalleeSaved() says it of, by number.
template <std::size_t Count>
constexpr std::array<Register, Count> calleeSavedOf(Architecture architecture) {
  std::array<Register, Count> saved{};
  std::size_t count = 0;
  for (std::size_t number = 0; number < kMostRegisters; ++number) {
    const Register reg{static_cast<std::uint8_t>(number), architecture};
    if (isCalleeSaved(reg)) saved.at(count++) = reg;
  }
  return count == Count ? saved : throw count;
}
constexpr auto kSavedOfX64 = calleeSavedOf<6>(Architecture::X64);
constexpr std::array kResultsOfX64{kRax, kRdx};
constexpr std::array kShownOfX64{kRsp, kRbp, kRax, kRbx, kRcx, kRdx, kRsi, kRdi,
                                 kR8,  kR9,  kR10, kR11, kR12, kR13, kR14, kR15};
constexpr std::array<std::pair<const char*, std::size_t>, 10> kOthersOfX64{{{"rflags", 18},
                                                                            {"cs", 17},
                                                                            {"ss", 20},
                                                                            {"ds", 23},
                                                                            {"es", 24},
                                                                            {"fs", 25},
                                                                            {"gs", 26},
                                                                            {"fs_base", 21},
                                                                            {"gs_base", 22},
                                                                            {"orig_rax", 15}}};
// Where user_regs_struct of x86-64 (sys/user.h) has each register; arm64 has them in the order of their numbers.
constexpr std::array<std::size_t, 16> kPlaceInNoteOfX64{10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0};

constexpr std::array kNamesOfArm64{"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
                                   "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
                                   "x22", "x23", "x24", "x25", "x26", "x27", "x28", "fp",  "lr",  "sp"};
constexpr std::array kContractNamesOfArm64{"X0",  "X1",  "X2",  "X3",  "X4",  "X5",  "X6",  "X7",  "X8",  "X9",  "X10",
                                           "X11", "X12", "X13", "X14", "X15", "X16", "X17", "X18", "X19", "X20", "X21",
                                           "X22", "X23", "X24", "X25", "X26", "X27", "X28", "Fp",  "Lr",  "Sp"};
template <std::size_t Count>
constexpr std::array<Register, Count> numberedFrom(unsigned first) {
  std::array<Register, Count> registers{};
  for (unsigned i = 0; i < Count; ++i) registers[i] = arm64::x(first + i);
  return registers;
}
constexpr auto kAllOfArm64 = numberedFrom<32>(0);
constexpr auto kSavedOfArm64 = calleeSavedOf<11>(Architecture::Arm64);
constexpr auto kResultsOfArm64 = numberedFrom<2>(0);
constexpr std::array<std::pair<const char*, std::size_t>, 1> kOthersOfArm64{{{"pstate", 33}}};

constexpr RegisterFile kFileOfX64{.names = kNamesOfX64,
                                  .contractNames = kContractNamesOfX64,
                                  .byDwarfNumber = kDwarfOfX64,
                                  .dwarfReturnAddress = 16,
                                  .contractInstruction = "Rip",
                                  .calleeSaved = kSavedOfX64,
                                  .results = kResultsOfX64,
                                  .stackPointer = kRsp,
                                  .framePointer = kRbp,
                                  .floatCount = 16,
                                  .floatPrefix = "xmm",
                                  .instruction = "rip",
                                  .shown = kShownOfX64,
                                  .instructionShownAt = 2,
                                  .others = kOthersOfX64};
constexpr RegisterFile kFileOfArm64{.names = kNamesOfArm64,
                                    .contractNames = kContractNamesOfArm64,
                                    .byDwarfNumber = kAllOfArm64,
                                    .dwarfReturnAddress = 30,
                                    .contractInstruction = "Pc",
                                    .calleeSaved = kSavedOfArm64,
                                    .results = kResultsOfArm64,
                                    .stackPointer = arm64::kSp,
                                    .framePointer = arm64::kFp,
                                    .floatCount = 32,
                                    .floatPrefix = "v",
                                    .instruction = "pc",
                                    .shown = kAllOfArm64,
                                    .instructionShownAt = 32,
                                    .others = kOthersOfArm64};

}  // namespace

const RegisterFile& registerFile(Architecture architecture) {
  return architecture == Architecture::X64 ? kFileOfX64 : kFileOfArm64;
}

const char* toString(Register reg) {
  const auto names = registerFile(reg.architecture).names;
  return reg.number < names.size() ? names[reg.number] : "?";
}

void Registers::forgetScratch() {
  const std::size_t count = registerFile(architecture).count();
  for (std::size_t i = 0; i < count; ++i) {
    const Register reg{static_cast<std::uint8_t>(i), architecture};
    if (reg == stackRegister() || isCalleeSaved(reg)) continue;
    savedAt[i] = {};
    setKnown(reg, false);
  }
}

void Registers::forgetCalleeSaved(bool andFramePointer) {
  const RegisterFile& file = registerFile(architecture);
  for (const Register reg : file.calleeSaved)
    if (andFramePointer || reg != file.framePointer) setKnown(reg, false);
}

Registers registersOf(const CoreThread& thread) {
  Registers registers;
  registers.architecture = thread.architecture;
  const bool isX64 = thread.architecture == Architecture::X64;
  for (std::size_t i = 0; i < registerFile(thread.architecture).count(); ++i) {
    registers.values[i] = thread.registers[isX64 ? kPlaceInNoteOfX64[i] : i];
    registers.known |= 1u << i;
  }
  registers.instruction = thread.instructionPointer();
  return registers;
}

}  // namespace heapscape::engine
