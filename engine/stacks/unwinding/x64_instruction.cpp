// SPDX-License-Identifier: MIT
#include "stacks/unwinding/x64_instruction.h"

#include <algorithm>
#include <string_view>

namespace heapscape::engine {
namespace {

using Kind = X64Instruction::Kind;

constexpr std::uint8_t kNoRegister = 16;

// What follows each opcode: '.' nothing, 'm' a ModRM byte, 'b' a byte, 'z' four bytes (two under the prefix 0x66), 'B'
// and 'Z' these behind a ModRM byte, 'v' as 'z' but eight for a whole register, 'q' eight, 'r' four in any case, 'w'
// two, 'e' three; ' ' is no instruction of 64-bit code, or a prefix.
constexpr std::string_view kOneByte =
    "mmmmbz  mmmmbz  "   // 00
    "mmmmbz  mmmmbz  "   // 10
    "mmmmbz  mmmmbz  "   // 20
    "mmmmbz  mmmmbz  "   // 30
    "                "   // 40
    "................"   // 50
    "   m    zZbB...."   // 60
    "bbbbbbbbbbbbbbbb"   // 70
    "BZ Bmmmmmmmmmmmm"   // 80
    ".......... ....."   // 90
    "qqqq....bz......"   // a0
    "bbbbbbbbvvvvvvvv"   // b0
    "BBw.  BZe.w..b ."   // c0
    "mmmm   .mmmmmmmm"   // d0
    "bbbbbbbbrr b...."   // e0
    " .  ..mm......mm";  // f0
// Behind 0x0f.
constexpr std::string_view kTwoBytes =
    "mmmm ..... . m  "   // 00, where 0b is a trap on purpose
    "mmmmmmmmmmmmmmmm"   // 10
    "mmmm    mmmmmmmm"   // 20
    "......          "   // 30
    "mmmmmmmmmmmmmmmm"   // 40
    "mmmmmmmmmmmmmmmm"   // 50
    "mmmmmmmmmmmmmmmm"   // 60
    "BBBBmmm.mm  mmmm"   // 70
    "rrrrrrrrrrrrrrrr"   // 80
    "mmmmmmmmmmmmmmmm"   // 90
    "...mBm  ...mBmmm"   // a0
    "mmmmmmmmmmBmmmmm"   // b0
    "mmBmBBBm........"   // c0
    "mmmmmmmmmmmmmmmm"   // d0
    "mmmmmmmmmmmmmmmm"   // e0
    "mmmmmmmmmmmmmmmm";  // f0
constexpr std::string_view kPrefixes = "\x66\xf2\xf3\x2e\x36\x3e\x26\x64\x65\x67\xf0";
static_assert(kOneByte.size() == 256 && kTwoBytes.size() == 256);

/// Reads one instruction from its first byte on.
class Decoder {
 public:
  explicit Decoder(Bytes code) : m_reader(code) {}

  std::optional<X64Instruction> decode() {
    readPrefixes();
    const char form = readOpcode();
    m_hasModRm = form == 'm' || form == 'B' || form == 'Z';
    if (m_hasModRm) readModRm();
    m_value = readValue(form);
    if (form == ' ' || m_reader.failed()) return std::nullopt;
    X64Instruction instruction = m_map == 1 ? ofOneByte() : ofTwoBytes();
    instruction.length = m_reader.position();
    return instruction;
  }

 private:
  void readPrefixes() {
    m_opcode = next();
    while (!m_reader.failed() && kPrefixes.find(static_cast<char>(m_opcode)) != std::string_view::npos) {
      m_isSmall = m_isSmall || m_opcode == 0x66;
      m_opcode = next();
    }
    if ((m_opcode & 0xf0) != 0x40) return;
    m_rex = m_opcode;
    m_opcode = next();
  }

  /// Returns the form, as the tables have it.
  char readOpcode() {
    if (m_opcode == 0xc4 || m_opcode == 0xc5) return readVex();
    if (m_opcode != 0x0f) return kOneByte[m_opcode];
    m_map = 2;
    m_opcode = next();
    if (m_opcode != 0x38 && m_opcode != 0x3a) return kTwoBytes[m_opcode];
    m_map = m_opcode == 0x38 ? 3 : 4;
    m_opcode = next();
    return m_map == 3 ? 'm' : 'B';
  }

  char readVex() {
    m_map = m_opcode == 0xc5 ? 2 : static_cast<std::uint8_t>((next() & 0x1f) + 1);
    (void)next();
    m_opcode = next();
    m_isVector = true;
    if (m_map == 2) return kTwoBytes[m_opcode];
    return m_map == 3 ? 'm' : m_map == 4 ? 'B' : ' ';
  }

  void readModRm() {
    const std::uint8_t modes = next();
    m_mode = modes >> 6;
    m_operation = modes >> 3 & 7;
    m_reg = static_cast<std::uint8_t>(m_operation | (m_rex & 4) << 1);
    m_base = static_cast<std::uint8_t>((modes & 7) | (m_rex & 1) << 3);
    if (m_mode == 3) return;
    bool isFourBytes = m_mode == 2;
    if ((modes & 7) == 4) {
      const std::uint8_t index = next();
      m_base = static_cast<std::uint8_t>((index & 7) | (m_rex & 1) << 3);
      m_hasIndex = (index >> 3 & 7) != 4 || (m_rex & 2) != 0;
      isFourBytes |= m_mode == 0 && (index & 7) == 5;
      if (m_mode == 0 && (index & 7) == 5) m_base = kNoRegister;
    } else if (m_mode == 0 && (modes & 7) == 5) {
      isFourBytes = true;
      m_base = kNoRegister;
      m_isFromInstruction = true;
    }
    if (m_mode == 1) m_displacement = m_reader.read<std::int8_t>();
    if (isFourBytes) m_displacement = m_reader.read<std::int32_t>();
  }

  std::int64_t readValue(char form) {
    // Of test alone, among the operations that share an opcode, does a value follow.
    const bool isTest = m_map == 1 && m_operation < 2;
    if (isTest && m_opcode == 0xf6) form = 'b';
    if (isTest && m_opcode == 0xf7) form = 'z';
    switch (form) {
      case 'b':
      case 'B':
        return m_reader.read<std::int8_t>();
      case 'v':
        if ((m_rex & 8) != 0) return m_reader.read<std::int64_t>();
        [[fallthrough]];
      case 'z':
      case 'Z':
        return m_isSmall ? m_reader.read<std::int16_t>() : m_reader.read<std::int32_t>();
      case 'r':
        return m_reader.read<std::int32_t>();
      case 'q':
        return m_reader.read<std::int64_t>();
      case 'e':
        m_reader.skip(1);
        [[fallthrough]];
      case 'w':
        return m_reader.read<std::int16_t>();
      default:
        return 0;
    }
  }

  X64Instruction ofOneByte() const {
    if (m_opcode >= 0x50 && m_opcode <= 0x5f) {
      const auto reg = static_cast<std::uint8_t>((m_opcode & 7) | (m_rex & 1) << 3);
      return {m_opcode < 0x58 ? Kind::Push : Kind::Pop, reg, 0, 0};
    }
    if ((m_opcode >= 0x70 && m_opcode <= 0x7f) || (m_opcode >= 0xe0 && m_opcode <= 0xe3)) return of(Kind::JumpIf);
    switch (m_opcode) {
      case 0x68:
      case 0x6a:
      case 0x9c:
        return of(Kind::Push);
      case 0x9d:
        return of(Kind::Pop);
      case 0xc2:
      case 0xc3:
        return of(Kind::Return);
      case 0xc9:
        return of(Kind::Leave);
      case 0xe8:
        return of(Kind::Call);
      case 0xe9:
      case 0xeb:
        return of(Kind::Jump);
      case 0xc8:
      case 0xcc:
      case 0xf4:
        return of(Kind::Stop);
      case 0x8f:
        return m_mode == 3 ? X64Instruction{Kind::Pop, m_base, 0, 0} : of(Kind::Pop);
      case 0xff:
        return ofGroupFive();
      default:
        return writesStackPointer() ? changeOfStackPointer() : ofFrameOrLoad();
    }
  }

  X64Instruction ofTwoBytes() const {
    if (m_map == 2 && !m_isVector && m_opcode >= 0x80 && m_opcode <= 0x8f) return of(Kind::JumpIf);
    if (m_map == 2 && !m_isVector && m_opcode == 0x0b) return of(Kind::Stop);
    return {};
  }

  // inc, dec, call, jmp, push
  X64Instruction ofGroupFive() const {
    switch (m_operation) {
      case 2:
        return m_isFromInstruction ? X64Instruction{Kind::CallThrough, kNoRegister, m_displacement, 0} : of(Kind::Call);
      case 4:
        return m_isFromInstruction ? X64Instruction{Kind::JumpThrough, kNoRegister, m_displacement, 0} : of(Kind::Stop);
      case 6:
        return of(Kind::Push);
      default:
        return m_mode == 3 && m_base == kX64StackPointer ? of(Kind::Stop) : X64Instruction{};
    }
  }

  /// Whether rsp is what an instruction with a ModRM byte writes.
  bool writesStackPointer() const {
    if (!m_hasModRm) return false;
    const bool isOperand = m_mode == 3 && m_base == kX64StackPointer;
    const bool isReg = m_reg == kX64StackPointer;
    if (m_opcode < 0x38) return (m_opcode & 7) == 1 ? isOperand : (m_opcode & 7) == 3 && isReg;
    if (m_opcode == 0x81 || m_opcode == 0x83) return isOperand && m_operation != 7;
    if (m_opcode == 0x89 || m_opcode == 0xc7 || m_opcode == 0xf7)
      return isOperand && (m_opcode != 0xf7 || m_operation > 1);
    if (m_opcode == 0x87) return isOperand || isReg;
    return (m_opcode == 0x8b || m_opcode == 0x8d || m_opcode == 0x63 || m_opcode == 0x69 || m_opcode == 0x6b) && isReg;
  }

  X64Instruction changeOfStackPointer() const {
    constexpr unsigned kAdd = 0;
    constexpr unsigned kSubtract = 5;
    if ((m_rex & 8) == 0) return of(Kind::Stop);
    if (m_opcode == 0x81 || m_opcode == 0x83) {
      if (m_operation == kAdd) return {Kind::AddToStack, kNoRegister, m_value, 0};
      if (m_operation == kSubtract) return {Kind::AddToStack, kNoRegister, -m_value, 0};
    }
    if (m_opcode == 0x8d && !m_hasIndex && m_base != kNoRegister) return {Kind::StackFrom, m_base, m_displacement, 0};
    if (m_opcode == 0x89) return {Kind::StackFrom, m_reg, 0, 0};
    if (m_opcode == 0x8b && m_mode == 3) return {Kind::StackFrom, m_base, 0, 0};
    return of(Kind::Stop);
  }

  /// What takes a whole register from the stack pointer, or from what it points to.
  X64Instruction ofFrameOrLoad() const {
    if ((m_rex & 8) == 0 || m_hasIndex) return {};
    const bool isFromStack = m_base == kX64StackPointer;
    const bool isMove = m_mode == 3 && ((m_opcode == 0x89 && m_reg == kX64StackPointer && m_base == kX64FramePointer) ||
                                        (m_opcode == 0x8b && m_reg == kX64FramePointer && isFromStack));
    if (isMove) return {Kind::FrameFrom, kX64StackPointer, 0, 0};
    if (m_mode == 3 || !isFromStack) return {};
    if (m_opcode == 0x8b) return {Kind::Load, m_reg, m_displacement, 0};
    const bool isFrame = m_opcode == 0x8d && m_reg == kX64FramePointer;
    return isFrame ? X64Instruction{Kind::FrameFrom, kX64StackPointer, m_displacement, 0} : X64Instruction{};
  }

  X64Instruction of(Kind kind) const { return {kind, kNoRegister, m_value, 0}; }
  std::uint8_t next() { return m_reader.read<std::uint8_t>(); }

  BoundedReader m_reader;
  std::uint8_t m_opcode = 0;
  std::uint8_t m_map = 1;  // 1 opcodes of one byte, 2 behind 0x0f, 3 behind 0x0f38, 4 behind 0x0f3a
  std::uint8_t m_rex = 0;
  bool m_isSmall = false;  // operands of two bytes
  bool m_isVector = false;
  bool m_hasModRm = false;
  std::uint8_t m_mode = 0;
  std::uint8_t m_operation = 0;  // the reg field without REX
  std::uint8_t m_reg = kNoRegister;
  std::uint8_t m_base = kNoRegister;  // the register itself in mode 3
  bool m_hasIndex = false;
  bool m_isFromInstruction = false;  // the operand lies at an offset from the next instruction
  std::int64_t m_displacement = 0;
  std::int64_t m_value = 0;
};

}  // namespace

std::optional<X64Instruction> decodeX64(Bytes code) {
  return Decoder(code.first(std::min(code.size(), kLongestX64Instruction))).decode();
}

}  // namespace heapscape::engine
