// SPDX-License-Identifier: MIT
#include "stacks/unwinding/native_unwinder.h"

#include <array>
#include <memory>
#include <mutex>

#include "memory/elf/library_map.h"
#include "stacks/unwinding/call_frame_info.h"
#include "stacks/unwinding/dwarf_expression.h"
#include "stacks/unwinding/eh_frame.h"

namespace heapscape::engine {
namespace {

// By DWARF's number (System V ABI for x86-64, figure 3.36).
constexpr std::array kByDwarfNumber{Register::Rax, Register::Rdx, Register::Rcx, Register::Rbx,
                                    Register::Rsi, Register::Rdi, Register::Rbp, Register::Rsp,
                                    Register::R8,  Register::R9,  Register::R10, Register::R11,
                                    Register::R12, Register::R13, Register::R14, Register::R15};
static_assert(kByDwarfNumber.size() + 1 == kDwarfRegisterCount);

using DwarfValues = std::array<std::uint64_t, kDwarfRegisterCount>;

struct Found {
  std::uint64_t value = 0;
  Address savedAt;  // 0 if the value was not read from memory
};

DwarfValues valuesOf(const Registers& registers) {
  DwarfValues values{};
  for (std::size_t i = 0; i < kByDwarfNumber.size(); ++i) values[i] = registers[kByDwarfNumber[i]];
  values[kDwarfReturnAddress] = registers.instruction.value;
  return values;
}

/// Applies the rules of a row to the registers of its frame.
class RowApplication {
 public:
  RowApplication(const AddressSpace& memory, const UnwindRow& row, const Registers& registers)
      : m_memory(memory), m_row(row), m_values(valuesOf(registers)) {}

  /// The stack pointer before the call.
  std::optional<std::uint64_t> frameAddress() const {
    const RegisterRule& rule = m_row.frameAddress;
    if (rule.kind == RegisterRule::Kind::IsExpression)
      return evaluateExpression(m_memory, rule.expression, m_values, std::nullopt);
    if (rule.kind != RegisterRule::Kind::InRegister || rule.reg >= kDwarfReturnAddress) return std::nullopt;
    return m_values[rule.reg] + static_cast<std::uint64_t>(rule.offset);
  }

  /// What a rule other than Same says; nothing if it says that the value is lost, or if it cannot be read.
  std::optional<Found> find(const RegisterRule& rule, std::uint64_t frameAddress) const {
    switch (rule.kind) {
      case RegisterRule::Kind::SavedAt:
        return savedAt(frameAddress + static_cast<std::uint64_t>(rule.offset));
      case RegisterRule::Kind::IsOffset:
        return Found{frameAddress + static_cast<std::uint64_t>(rule.offset), {}};
      case RegisterRule::Kind::InRegister:
        if (rule.reg >= m_values.size()) return std::nullopt;
        return Found{m_values[rule.reg], {}};
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
};

/// The caller's registers as a row has them; nothing if it has no caller.
std::optional<Registers> callerBy(const AddressSpace& memory, const UnwindRow& row, const Registers& registers,
                                  std::uint64_t returnAddressRegister) {
  const RowApplication application(memory, row, registers);
  const auto frameAddress = application.frameAddress();
  if (!frameAddress || returnAddressRegister >= kDwarfRegisterCount) return std::nullopt;
  Registers caller = registers;
  caller.forgetScratch();
  caller.setStackPointer({*frameAddress});
  for (std::size_t i = 0; i < kByDwarfNumber.size(); ++i) {
    const RegisterRule& rule = row.registers[i];
    if (rule.kind == RegisterRule::Kind::Undefined) {
      caller.setSavedPlace(kByDwarfNumber[i], {});
      caller.setKnown(kByDwarfNumber[i], false);
    }
    if (rule.kind == RegisterRule::Kind::Same || rule.kind == RegisterRule::Kind::Undefined) continue;
    const auto found = application.find(rule, *frameAddress);
    if (!found) return std::nullopt;
    caller[kByDwarfNumber[i]] = found->value;
    caller.setKnown(kByDwarfNumber[i], true);
    caller.setSavedPlace(kByDwarfNumber[i], found->savedAt);
  }
  const auto found = application.find(row.registers[returnAddressRegister], *frameAddress);
  if (!found || found->value == 0) return std::nullopt;
  caller.instruction = {found->value};
  return caller;
}

/// Whether the bytes in front of a return address end with a call: direct, or through a register or memory.
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

}  // namespace

struct NativeUnwinder::Parts {
  struct Lazy {
    std::once_flag once;
    std::optional<EhFrame> frames;
  };

  const AddressSpace& memory;
  LibraryMap map;
  std::unique_ptr<Lazy[]> lazy;

  Parts(const AddressSpace& space, const ElfCore& core)
      : memory(space), map(core), lazy(std::make_unique<Lazy[]>(map.all().size())) {}

  std::optional<FrameDescription> descriptionAt(Address address) const {
    const auto index = map.indexAt(address);
    if (!index) return std::nullopt;
    Lazy& library = lazy[*index];
    std::call_once(library.once, [&] {
      if (const auto image = ElfImage::at(memory, map.all()[*index].range.start)) {
        library.frames = EhFrame::of(memory, *image);
      }
    });
    return library.frames ? library.frames->find(address) : std::nullopt;
  }
};

NativeUnwinder::NativeUnwinder(const AddressSpace& memory, const ElfCore& core)
    : m_parts(std::make_unique<Parts>(memory, core)) {}
NativeUnwinder::~NativeUnwinder() = default;

std::optional<NativeUnwinder::Step> NativeUnwinder::callerOf(const Registers& registers, bool isReturnAddress) const {
  // A call may be its function's last instruction, so that the return address belongs to the next one.
  const Address place = registers.instruction - (isReturnAddress ? 1 : 0);
  const auto description = m_parts->descriptionAt(place);
  const auto row = description ? unwindRowAt(*description, place) : std::nullopt;
  auto caller = row ? callerBy(m_parts->memory, *row, registers, description->returnAddressRegister) : std::nullopt;
  if (!caller) return std::nullopt;
  // Every frame lies below its caller's, unless that is on another stack: signals may be handled on one, and the
  // runtime changes to one of its own when a stack overflows.
  const AddressRange down{caller->stackPointer(), registers.stackPointer() + 1};
  const AddressRange top{down.start, down.start + kPointerBytes};
  if (!description->isSignalFrame && !down.isEmpty() && (m_parts->memory.holds(down) || !m_parts->memory.holds(top)))
    return std::nullopt;
  return Step{*caller, description->isSignalFrame};
}

bool NativeUnwinder::mayBeCode(Address address) const {
  return m_parts->map.indexAt(address) || m_parts->memory.holds({address, address + 1});
}

bool NativeUnwinder::isBehindCall(Address address) const {
  constexpr std::uint64_t kLongestCall = 7;
  if (address.value < kLongestCall || !m_parts->descriptionAt(address - 1)) return false;
  const Bytes bytes = m_parts->memory.prefix(address - kLongestCall, kLongestCall);
  return bytes.size() == kLongestCall && endsWithCall(bytes);
}

}  // namespace heapscape::engine
