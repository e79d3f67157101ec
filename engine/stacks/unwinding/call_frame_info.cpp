// SPDX-License-Identifier: MIT
#include "stacks/unwinding/call_frame_info.h"

#include <limits>
#include <vector>

#include "stacks/unwinding/leb128.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kMostRememberedRows = 64;

// DW_CFA_*. The first three have their operand in the low six bits.
enum class Instruction : std::uint8_t {
  AdvanceShort = 0x40,
  OffsetShort = 0x80,
  RestoreShort = 0xc0,
  Nop = 0x00,
  SetLocation = 0x01,
  Advance1 = 0x02,
  Advance2 = 0x03,
  Advance4 = 0x04,
  Offset = 0x05,
  Restore = 0x06,
  Undefined = 0x07,
  SameValue = 0x08,
  InRegister = 0x09,
  RememberState = 0x0a,
  RestoreState = 0x0b,
  DefineAddress = 0x0c,
  DefineAddressRegister = 0x0d,
  DefineAddressOffset = 0x0e,
  DefineAddressExpression = 0x0f,
  Expression = 0x10,
  OffsetSigned = 0x11,
  DefineAddressSigned = 0x12,
  DefineAddressOffsetSigned = 0x13,
  ValueOffset = 0x14,
  ValueOffsetSigned = 0x15,
  ValueExpression = 0x16,
  ArgumentsSize = 0x2e,
};
constexpr std::uint8_t kShortMask = 0xc0;

/// The machine of DWARF 5, section 6.4.2. There are no jumps: it ends with its bytes at the latest.
class RowMachine {
 public:
  RowMachine(const FrameDescription& description, Address target)
      : m_description(description), m_target(target), m_location(description.code.start) {}

  std::optional<UnwindRow> run() {
    if (!execute(m_description.initialInstructions, {})) return std::nullopt;
    m_initial = m_row.registers;
    if (!execute(m_description.instructions, m_description.instructionsAddress)) return std::nullopt;
    return m_row;
  }

 private:
  /// Rows begin at places in ascending order: what comes behind the target is none of it.
  bool execute(Bytes instructions, Address place) {
    BoundedReader reader(instructions);
    while (!reader.atEnd() && m_location <= m_target) {
      const auto byte = reader.read<std::uint8_t>();
      const bool isKnown = (byte & kShortMask) != 0 ? stepShort(byte, reader)
                                                    : stepPlace(static_cast<Instruction>(byte), reader, place) ||
                                                          stepAddress(static_cast<Instruction>(byte), reader) ||
                                                          stepRegister(static_cast<Instruction>(byte), reader) ||
                                                          stepState(static_cast<Instruction>(byte), reader);
      if (!isKnown || reader.failed()) return false;
    }
    return true;
  }

  bool stepShort(std::uint8_t byte, BoundedReader& reader) {
    const std::uint64_t operand = byte & static_cast<std::uint8_t>(~kShortMask);
    switch (static_cast<Instruction>(byte & kShortMask)) {
      case Instruction::AdvanceShort:
        advance(operand);
        return true;
      case Instruction::OffsetShort:
        setRule(operand, {RegisterRule::Kind::SavedAt, 0, factored(readUleb128(reader)), {}});
        return true;
      default:
        restore(operand);
        return true;
    }
  }

  bool stepPlace(Instruction instruction, BoundedReader& reader, Address place) {
    switch (instruction) {
      case Instruction::SetLocation: {
        const auto location = readEncodedPointer(reader, m_description.pointerEncoding, place);
        if (location) m_location = {*location};
        return location.has_value();
      }
      case Instruction::Advance1:
        advance(reader.read<std::uint8_t>());
        return true;
      case Instruction::Advance2:
        advance(reader.read<std::uint16_t>());
        return true;
      case Instruction::Advance4:
        advance(reader.read<std::uint32_t>());
        return true;
      default:
        return false;
    }
  }

  bool stepAddress(Instruction instruction, BoundedReader& reader) {
    RegisterRule& rule = m_row.frameAddress;
    switch (instruction) {
      case Instruction::DefineAddress:
        rule = {RegisterRule::Kind::InRegister, readUleb128(reader), 0, {}};
        rule.offset = static_cast<std::int64_t>(readUleb128(reader));
        return true;
      case Instruction::DefineAddressSigned:
        rule = {RegisterRule::Kind::InRegister, readUleb128(reader), 0, {}};
        rule.offset = factored(readSleb128(reader));
        return true;
      case Instruction::DefineAddressRegister:
        rule.reg = readUleb128(reader);
        return rule.kind == RegisterRule::Kind::InRegister;
      case Instruction::DefineAddressOffset:
        rule.offset = static_cast<std::int64_t>(readUleb128(reader));
        return rule.kind == RegisterRule::Kind::InRegister;
      case Instruction::DefineAddressOffsetSigned:
        rule.offset = factored(readSleb128(reader));
        return rule.kind == RegisterRule::Kind::InRegister;
      case Instruction::DefineAddressExpression:
        rule = {RegisterRule::Kind::IsExpression, 0, 0, reader.readBytes(readUleb128(reader))};
        return true;
      default:
        return false;
    }
  }

  bool stepRegister(Instruction instruction, BoundedReader& reader) {
    switch (instruction) {
      case Instruction::Offset:
        return readRule(reader, RegisterRule::Kind::SavedAt, [&] { return factored(readUleb128(reader)); });
      case Instruction::OffsetSigned:
        return readRule(reader, RegisterRule::Kind::SavedAt, [&] { return factored(readSleb128(reader)); });
      case Instruction::ValueOffset:
        return readRule(reader, RegisterRule::Kind::IsOffset, [&] { return factored(readUleb128(reader)); });
      case Instruction::ValueOffsetSigned:
        return readRule(reader, RegisterRule::Kind::IsOffset, [&] { return factored(readSleb128(reader)); });
      case Instruction::InRegister: {
        const std::uint64_t reg = readUleb128(reader);
        setRule(reg, {RegisterRule::Kind::InRegister, readUleb128(reader), 0, {}});
        return true;
      }
      case Instruction::Undefined:
        return readRule(reader, RegisterRule::Kind::Undefined, [] { return 0; });
      case Instruction::SameValue:
        return readRule(reader, RegisterRule::Kind::Same, [] { return 0; });
      case Instruction::Expression:
      case Instruction::ValueExpression: {
        const std::uint64_t reg = readUleb128(reader);
        const Bytes expression = reader.readBytes(readUleb128(reader));
        const bool isSaved = instruction == Instruction::Expression;
        setRule(reg,
                {isSaved ? RegisterRule::Kind::SavedAtExpression : RegisterRule::Kind::IsExpression, 0, 0, expression});
        return true;
      }
      case Instruction::Restore:
        restore(readUleb128(reader));
        return true;
      default:
        return false;
    }
  }

  bool stepState(Instruction instruction, BoundedReader& reader) {
    switch (instruction) {
      case Instruction::Nop:
        return true;
      case Instruction::ArgumentsSize:
        readUleb128(reader);
        return true;
      case Instruction::RememberState:
        m_remembered.push_back(m_row);
        return m_remembered.size() <= kMostRememberedRows;
      case Instruction::RestoreState:
        if (m_remembered.empty()) return false;
        m_row = m_remembered.back();
        m_remembered.pop_back();
        return true;
      default:
        return false;
    }
  }

  template <class Offset>
  bool readRule(BoundedReader& reader, RegisterRule::Kind kind, Offset offset) {
    const std::uint64_t reg = readUleb128(reader);
    setRule(reg, {kind, 0, offset(), {}});
    return true;
  }

  /// Registers that are not general ones are of no interest.
  void setRule(std::uint64_t reg, const RegisterRule& rule) {
    if (reg < kDwarfRegisterCount) m_row.registers[reg] = rule;
  }

  void restore(std::uint64_t reg) {
    if (reg < kDwarfRegisterCount) m_row.registers[reg] = m_initial[reg];
  }

  void advance(std::uint64_t units) { m_location += units * m_description.codeAlignment; }

  std::int64_t factored(std::uint64_t units) const {
    return static_cast<std::int64_t>(units * static_cast<std::uint64_t>(m_description.dataAlignment));
  }
  std::int64_t factored(std::int64_t units) const { return factored(static_cast<std::uint64_t>(units)); }

  const FrameDescription& m_description;
  Address m_target;
  Address m_location;
  UnwindRow m_row;
  std::array<RegisterRule, kDwarfRegisterCount> m_initial;
  std::vector<UnwindRow> m_remembered;
};

}  // namespace

std::optional<UnwindRow> unwindRowAt(const FrameDescription& description, Address address) {
  return RowMachine(description, address).run();
}

}  // namespace heapscape::engine
