// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_unwinder.h"

#include <array>
#include <cstdint>
#include <mutex>

#include "memory/elf/eh_frame.h"
#include "memory/elf/library_map.h"
#include "stacks/unwinding/code_unwinding.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostValues = 64;

// DW_OP_*
enum class Operation : std::uint8_t {
  Address = 0x03,
  Dereference = 0x06,
  Constant1u = 0x08,
  Constant1s = 0x09,
  Constant2u = 0x0a,
  Constant2s = 0x0b,
  Constant4u = 0x0c,
  Constant4s = 0x0d,
  Constant8u = 0x0e,
  Constant8s = 0x0f,
  ConstantUnsigned = 0x10,
  ConstantSigned = 0x11,
  Duplicate = 0x12,
  Drop = 0x13,
  Over = 0x14,
  Swap = 0x16,
  And = 0x1a,
  Minus = 0x1c,
  Multiply = 0x1e,
  Negate = 0x1f,
  Not = 0x20,
  Or = 0x21,
  Plus = 0x22,
  PlusConstant = 0x23,
  ShiftLeft = 0x24,
  ShiftRight = 0x25,
  ShiftRightSigned = 0x26,
  ExclusiveOr = 0x27,
  Equal = 0x29,
  GreaterOrEqual = 0x2a,
  Greater = 0x2b,
  LessOrEqual = 0x2c,
  Less = 0x2d,
  NotEqual = 0x2e,
  Literal0 = 0x30,
  Literal31 = 0x4f,
  BaseRegister0 = 0x70,
  BaseRegister31 = 0x8f,
  BaseRegister = 0x92,
  Nop = 0x96,
};

bool isBetween(Operation operation, Operation first, Operation last) {
  return operation >= first && operation <= last;
}

std::uint64_t distance(Operation operation, Operation first) {
  return static_cast<std::uint64_t>(operation) - static_cast<std::uint64_t>(first);
}

template <class T>
std::uint64_t readExtended(BoundedReader& reader) {
  return static_cast<std::uint64_t>(std::int64_t{reader.read<T>()});
}

std::optional<std::uint64_t> combine(Operation operation, std::uint64_t left, std::uint64_t right) {
  const auto signedLeft = static_cast<std::int64_t>(left);
  const auto signedRight = static_cast<std::int64_t>(right);
  switch (operation) {
    case Operation::And:
      return left & right;
    case Operation::Minus:
      return left - right;
    case Operation::Multiply:
      return left * right;
    case Operation::Or:
      return left | right;
    case Operation::Plus:
      return left + right;
    case Operation::ShiftLeft:
      return right < 64 ? left << right : 0;
    case Operation::ShiftRight:
      return right < 64 ? left >> right : 0;
    case Operation::ShiftRightSigned:
      return static_cast<std::uint64_t>(signedLeft >> (right < 64 ? right : 63));
    case Operation::ExclusiveOr:
      return left ^ right;
    case Operation::Equal:
      return left == right;
    case Operation::NotEqual:
      return left != right;
    case Operation::GreaterOrEqual:
      return signedLeft >= signedRight;
    case Operation::Greater:
      return signedLeft > signedRight;
    case Operation::LessOrEqual:
      return signedLeft <= signedRight;
    case Operation::Less:
      return signedLeft < signedRight;
    default:
      return std::nullopt;
  }
}

/// By DWARF's number; on x64 the return address comes after them. Those that a call does not keep are left out where
/// they are not known; the others are good enough to find a frame with even then.
struct DwarfValues {
  std::array<std::optional<std::uint64_t>, kDwarfRegisterCount> values{};

  std::optional<std::uint64_t> operator[](std::uint64_t number) const {
    return number < values.size() ? values[number] : std::nullopt;
  }
};

DwarfValues valuesOf(const Registers& registers) {
  const RegisterFile& file = registerFile(registers.architecture);
  DwarfValues values;
  for (std::size_t i = 0; i < file.byDwarfNumber.size(); ++i) {
    const Register reg = file.byDwarfNumber[i];
    if (registers.isKnown(reg) || isCalleeSaved(reg)) values.values[i] = registers[reg];
  }
  if (registers.architecture == Architecture::X64) values.values[file.dwarfReturnAddress] = registers.instruction.value;
  return values;
}

/// There are no jumps, so the operations end with their bytes.
class StackMachine {
 public:
  StackMachine(const AddressSpace& memory, Bytes expression, const DwarfValues& registers)
      : m_memory(memory), m_reader(expression), m_registers(registers) {}

  void push(std::uint64_t value) {
    if (m_count == kMostValues) {
      m_failed = true;
    } else {
      m_values[m_count++] = value;
    }
  }

  std::optional<std::uint64_t> run() {
    while (!m_reader.atEnd() && !hasFailed()) {
      const auto operation = static_cast<Operation>(m_reader.read<std::uint8_t>());
      if (!pushValue(operation) && !change(operation)) return std::nullopt;
    }
    const std::uint64_t result = pop();
    if (hasFailed()) return std::nullopt;
    return result;
  }

 private:
  bool hasFailed() const { return m_failed || m_reader.failed(); }

  std::uint64_t pop() {
    if (m_count == 0) {
      m_failed = true;
      return 0;
    }
    return m_values[--m_count];
  }

  std::uint64_t registerValue(std::uint64_t number) {
    const auto value = m_registers[number];
    m_failed |= !value;
    return value.value_or(0);
  }

  /// Operations that take nothing from the stack.
  bool pushValue(Operation operation) {
    if (isBetween(operation, Operation::Literal0, Operation::Literal31)) {
      push(distance(operation, Operation::Literal0));
      return true;
    }
    if (isBetween(operation, Operation::BaseRegister0, Operation::BaseRegister31)) {
      const std::uint64_t base = registerValue(distance(operation, Operation::BaseRegister0));
      push(base + static_cast<std::uint64_t>(readSleb128(m_reader)));
      return true;
    }
    if (operation == Operation::BaseRegister) {
      const std::uint64_t base = registerValue(readUleb128(m_reader));
      push(base + static_cast<std::uint64_t>(readSleb128(m_reader)));
      return true;
    }
    const auto constant = readConstant(operation);
    if (constant) push(*constant);
    return constant.has_value();
  }

  std::optional<std::uint64_t> readConstant(Operation operation) {
    switch (operation) {
      case Operation::Address:
      case Operation::Constant8u:
      case Operation::Constant8s:
        return m_reader.read<std::uint64_t>();
      case Operation::Constant1u:
        return m_reader.read<std::uint8_t>();
      case Operation::Constant1s:
        return readExtended<std::int8_t>(m_reader);
      case Operation::Constant2u:
        return m_reader.read<std::uint16_t>();
      case Operation::Constant2s:
        return readExtended<std::int16_t>(m_reader);
      case Operation::Constant4u:
        return m_reader.read<std::uint32_t>();
      case Operation::Constant4s:
        return readExtended<std::int32_t>(m_reader);
      case Operation::ConstantUnsigned:
        return readUleb128(m_reader);
      case Operation::ConstantSigned:
        return static_cast<std::uint64_t>(readSleb128(m_reader));
      default:
        return std::nullopt;
    }
  }

  bool change(Operation operation) {
    const std::uint64_t top = operation == Operation::Nop ? 0 : pop();
    switch (operation) {
      case Operation::Nop:
      case Operation::Drop:
        return true;
      case Operation::Dereference: {
        std::uint64_t value = 0;
        m_failed |= !m_memory.tryRead({top}, value);
        push(value);
        return true;
      }
      case Operation::Duplicate:
        push(top);
        push(top);
        return true;
      case Operation::Negate:
        push(0 - top);
        return true;
      case Operation::Not:
        push(~top);
        return true;
      case Operation::PlusConstant:
        push(top + readUleb128(m_reader));
        return true;
      default:
        return changeTwo(operation, top);
    }
  }

  bool changeTwo(Operation operation, std::uint64_t top) {
    const std::uint64_t below = pop();
    if (operation == Operation::Over || operation == Operation::Swap) {
      if (operation == Operation::Over) push(below);
      push(top);
      push(below);
      return true;
    }
    const auto combined = combine(operation, below, top);
    if (combined) push(*combined);
    return combined.has_value();
  }

  const AddressSpace& m_memory;
  BoundedReader m_reader;
  const DwarfValues& m_registers;
  std::array<std::uint64_t, kMostValues> m_values{};
  std::size_t m_count = 0;
  bool m_failed = false;
};

/// Computes an expression as call frame information has them (DWARF 5, section 2.5), on the values of registers by
/// DWARF's numbers. `initial` lies on the stack at the start. Nothing for operations that unwinding does not need,
/// jumps among them, and where memory is missing.
std::optional<std::uint64_t> evaluateExpression(const AddressSpace& memory, Bytes expression,
                                                const DwarfValues& registers, std::optional<std::uint64_t> initial) {
  StackMachine machine(memory, expression, registers);
  if (initial) machine.push(*initial);
  return machine.run();
}

struct Found {
  std::uint64_t value = 0;
  Address savedAt;  // 0 if the value was not read from memory
};

/// Applies the rules of a row to the registers of its frame.
class RowApplication {
 public:
  RowApplication(const AddressSpace& memory, const UnwindRow& row, const Registers& registers)
      : m_memory(memory),
        m_row(row),
        m_values(valuesOf(registers)),
        m_generalCount(registerFile(registers.architecture).byDwarfNumber.size()) {}

  /// The stack pointer before the call.
  std::optional<std::uint64_t> frameAddress() const {
    const RegisterRule& rule = m_row.frameAddress;
    if (rule.kind == RegisterRule::Kind::IsExpression)
      return evaluateExpression(m_memory, rule.expression, m_values, std::nullopt);
    if (rule.kind != RegisterRule::Kind::InRegister || rule.reg >= m_generalCount) return std::nullopt;
    const auto value = m_values[rule.reg];
    return value ? std::optional(*value + static_cast<std::uint64_t>(rule.offset)) : std::nullopt;
  }

  /// What a rule other than Same says; nothing if it says that the value is lost, or if it cannot be read.
  std::optional<Found> find(const RegisterRule& rule, std::uint64_t frameAddress) const {
    switch (rule.kind) {
      case RegisterRule::Kind::SavedAt:
        return savedAt(frameAddress + static_cast<std::uint64_t>(rule.offset));
      case RegisterRule::Kind::IsOffset:
        return Found{frameAddress + static_cast<std::uint64_t>(rule.offset), {}};
      case RegisterRule::Kind::InRegister:
        if (const auto value = m_values[rule.reg]) return Found{*value, {}};
        return std::nullopt;
      case RegisterRule::Kind::SavedAtExpression: {
        const auto place = evaluateExpression(m_memory, rule.expression, m_values, frameAddress);
        return place ? savedAt(*place) : std::nullopt;
      }
      case RegisterRule::Kind::IsExpression: {
        const auto value = evaluateExpression(m_memory, rule.expression, m_values, frameAddress);
        return value ? std::optional(Found{*value, {}}) : std::nullopt;
      }
      default:
        return std::nullopt;
    }
  }

 private:
  std::optional<Found> savedAt(std::uint64_t place) const {
    std::uint64_t value = 0;
    if (!m_memory.tryRead({place}, value)) return std::nullopt;
    return Found{value, {place}};
  }

  const AddressSpace& m_memory;
  const UnwindRow& m_row;
  DwarfValues m_values;
  std::size_t m_generalCount;
};

/// The caller's registers as a row has them; nothing if it has no caller.
std::optional<Registers> callerBy(const AddressSpace& memory, const UnwindRow& row, const Registers& registers,
                                  std::uint64_t returnAddressRegister, std::uint64_t signatureBits) {
  const auto byNumber = registerFile(registers.architecture).byDwarfNumber;
  const RowApplication application(memory, row, registers);
  const auto frameAddress = application.frameAddress();
  if (!frameAddress || returnAddressRegister >= kDwarfRegisterCount) return std::nullopt;
  Registers caller = registers;
  caller.forgetScratch();
  caller.setStackPointer({*frameAddress});
  for (std::size_t i = 0; i < byNumber.size(); ++i) {
    const RegisterRule& rule = row.registers[i];
    if (rule.kind == RegisterRule::Kind::Undefined) {
      caller.setSavedPlace(byNumber[i], {});
      caller.setKnown(byNumber[i], false);
    }
    if (rule.kind == RegisterRule::Kind::Same || rule.kind == RegisterRule::Kind::Undefined) continue;
    const auto found = application.find(rule, *frameAddress);
    if (!found) return std::nullopt;
    caller[byNumber[i]] = found->value;
    caller.setKnown(byNumber[i], true);
    caller.setSavedPlace(byNumber[i], found->savedAt);
  }
  const RegisterRule& rule = row.registers[returnAddressRegister];
  auto found = application.find(rule, *frameAddress);
  // A function of arm64 that calls none may leave its return address in the register that the call put it in.
  const bool isInRegister = registers.architecture == Architecture::Arm64 && registers.isKnown(arm64::kLr);
  if (rule.kind == RegisterRule::Kind::Same && isInRegister) found = Found{registers[arm64::kLr], {}};
  if (!found) return std::nullopt;
  caller.instruction = {found->value & ~signatureBits};
  if (!caller.instruction) return std::nullopt;
  if (registers.architecture == Architecture::Arm64) caller.setKnown(arm64::kLr, false);
  return caller;
}

/// Whether the bytes in front of a return address end with a call of x64: direct, or through a register or memory.
bool endsWithCall(Bytes bytes) {
  constexpr auto kDirect = std::byte{0xe8};
  constexpr auto kIndirect = std::byte{0xff};
  constexpr unsigned kCallOperation = 2;  // in bits 3 to 5 of the byte behind kIndirect
  const std::size_t size = bytes.size();
  if (size >= 5 && bytes[size - 5] == kDirect) return true;
  for (std::size_t length = 2; length <= 7 && length <= size; ++length) {
    if (bytes[size - length] != kIndirect) continue;
    const auto modes = std::to_integer<unsigned>(bytes[size - length + 1]);
    if ((modes >> 3 & 7) != kCallOperation) continue;
    const unsigned mode = modes >> 6;
    const unsigned operand = modes & 7;
    const bool hasIndex = mode != 3 && operand == 4;
    const unsigned base = hasIndex && length > 2 ? std::to_integer<unsigned>(bytes[size - length + 2]) & 7 : operand;
    std::size_t expected = hasIndex ? 3 : 2;
    if (mode == 1) expected += 1;
    if (mode == 2 || (mode == 0 && base == 5)) expected += 4;
    if (expected == length) return true;
  }
  return false;
}

/// What leads from a frame to its caller.
struct FrameStep {
  UnwindRow row;
  std::uint64_t returnAddressRegister = kDwarfX64ReturnAddress;
  bool isSignalFrame = false;
  bool isByCode = false;  // by instructions alone
};

}  // namespace

struct NativeUnwinder::Parts {
  struct Lazy {
    std::once_flag once;
    bool isWithoutTable = false;  // of functions; false of what is no ELF image, as an assembly
    std::optional<EhFrame> frames;

    /// Whether this address is in code that nothing describes.
    bool leavesOut(Address address) const { return isWithoutTable || (frames && frames->leavesOut(address)); }
  };

  const AddressSpace& memory;
  LibraryMap map;
  std::unique_ptr<Lazy[]> lazy;

  Architecture architecture;
  std::uint64_t signatureBits;

  Parts(const AddressSpace& space, const ElfCore& core)
      : memory(space),
        map(core),
        lazy(std::make_unique<Lazy[]>(map.all().size())),
        architecture(core.architecture),
        signatureBits(core.signatureBits) {}

  /// What a signal has interrupted, if these are the registers at the end of its handler (arm64).
  std::optional<Registers> interruptedBy(const Registers& registers) const;

  const Lazy& libraryOf(std::size_t index) const {
    Lazy& library = lazy[index];
    std::call_once(library.once, [&] {
      if (const auto image = ElfImage::at(memory, map.all()[index].range.start)) {
        library.isWithoutTable = image->unwindTable().isEmpty();
        library.frames = EhFrame::of(memory, *image);
      }
    });
    return library;
  }

  std::optional<FrameDescription> descriptionAt(Address address) const {
    const auto index = map.indexAt(address);
    const Lazy* const library = index ? &libraryOf(*index) : nullptr;
    return library && library->frames ? library->frames->find(address) : std::nullopt;
  }

  bool isCallInFront(Address address) const {
    if (architecture == Architecture::Arm64) {
      std::uint32_t instruction = 0;
      constexpr std::uint32_t kCall = 0x25;  // bl, in the upper six bits
      constexpr std::uint32_t kCallRegister = 0xd63f'0000;
      return memory.tryRead(address - sizeof instruction, instruction) &&
             (instruction >> 26u == kCall || (instruction & 0xffff'fc1f) == kCallRegister);
    }
    constexpr std::uint64_t kLongestCall = 7;
    if (address.value < kLongestCall) return false;
    const Bytes bytes = memory.prefix(address - kLongestCall, kLongestCall);
    return bytes.size() == kLongestCall && endsWithCall(bytes);
  }

  /// How the caller of code without a description is found; nothing if no library holds it.
  std::optional<FrameStep> stepByCode(const Registers& registers) const {
    const auto index = map.indexAt(registers.instruction);
    if (!index || architecture != Architecture::X64 || !libraryOf(*index).leavesOut(registers.instruction))
      return std::nullopt;
    if (const auto row = signalReturnRow(memory, registers.instruction))
      return FrameStep{*row, kDwarfX64ReturnAddress, true};
    const auto row = rowByCode(memory, {.instruction = registers.instruction,
                                        .stackPointer = registers.stackPointer(),
                                        .framePointer = {registers[x64::kRbp]},
                                        .isInLibrary = [&](Address at) { return map.indexAt(at) == index; },
                                        .isBehindCall = [&](Address at) { return isCallInFront(at); }});
    return row ? std::optional(FrameStep{.row = *row, .isByCode = true}) : std::nullopt;
  }

  std::optional<FrameStep> stepOf(const Registers& registers, bool isReturnAddress) const {
    // A call may be its function's last instruction, so that the return address belongs to the next one.
    const Address place = registers.instruction - (isReturnAddress ? 1 : 0);
    const auto description = descriptionAt(place);
    if (!description) return stepByCode(registers);
    const auto row = unwindRowAt(*description, place, architecture);
    if (!row) return std::nullopt;
    return FrameStep{*row, description->returnAddressRegister, description->isSignalFrame};
  }
};

// struct rt_sigframe (arch/arm64/kernel/signal.c): siginfo_t, then ucontext_t, whose registers are x0 to x30, sp, pc.
// The kernel's own unwind information of the code that ends a signal's handler tells less, and newer ones have none.
std::optional<Registers> NativeUnwinder::Parts::interruptedBy(const Registers& registers) const {
  constexpr std::array<std::uint32_t, 2> kReturnFromSignal{0xd280'1168, 0xd400'0001};  // mov x8, 139; svc 0
  constexpr std::uint64_t kRegistersOffset = 128 + 176 + 8;
  std::array<std::uint32_t, 2> code{};
  std::array<std::uint64_t, kMostRegisters + 1> saved{};
  if (architecture != Architecture::Arm64 || !memory.tryRead(registers.instruction, code) ||
      code != kReturnFromSignal || !memory.tryRead(registers.stackPointer() + kRegistersOffset, saved))
    return std::nullopt;
  Registers interrupted;
  interrupted.architecture = architecture;
  std::copy_n(saved.begin(), kMostRegisters, interrupted.values.begin());
  interrupted.known = ~std::uint32_t{0};
  for (unsigned i = 0; i < arm64::kSp.number; ++i)
    interrupted.savedAt[i] = registers.stackPointer() + kRegistersOffset + i * kPointerBytes;
  interrupted.instruction = {saved.back()};
  return interrupted;
}

NativeUnwinder::NativeUnwinder(const AddressSpace& memory, const ElfCore& core)
    : m_parts(std::make_unique<Parts>(memory, core)) {}
NativeUnwinder::~NativeUnwinder() = default;

std::optional<NativeUnwinder::Step> NativeUnwinder::callerOf(const Registers& registers, bool isReturnAddress) const {
  if (auto interrupted = m_parts->interruptedBy(registers)) return Step{*interrupted, true};
  const auto step = m_parts->stepOf(registers, isReturnAddress);
  auto caller =
      step ? callerBy(m_parts->memory, step->row, registers, step->returnAddressRegister, m_parts->signatureBits)
           : std::nullopt;
  if (!caller) return std::nullopt;
  // Instructions show where the caller is, but not for certain what they have put away on the way: good enough to find
  // the next frame with, not for a root.
  if (step->isByCode) caller->forgetCalleeSaved(/*andFramePointer=*/true);
  // Every frame lies below its caller's, unless that is on another stack: signals may be handled on one, and the
  // runtime changes to one of its own when a stack overflows. On arm64 a call pushes nothing, so that the innermost
  // function may still have its caller's stack.
  const bool mayStay = !isReturnAddress && m_parts->architecture == Architecture::Arm64;
  const AddressRange down{caller->stackPointer(), registers.stackPointer() + (mayStay ? 0 : 1)};
  const AddressRange top{down.start, down.start + kPointerBytes};
  if (!step->isSignalFrame && !down.isEmpty() && (m_parts->memory.holds(down) || !m_parts->memory.holds(top)))
    return std::nullopt;
  return Step{*caller, step->isSignalFrame};
}

bool NativeUnwinder::mayBeCode(Address address) const {
  return m_parts->map.indexAt(address) || m_parts->memory.holds({address, address + 1});
}

bool NativeUnwinder::isBehindCall(Address address) const {
  return m_parts->descriptionAt(address - 1) && m_parts->isCallInFront(address);
}

}  // namespace heapscape::engine
