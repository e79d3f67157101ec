// SPDX-License-Identifier: MIT
#include "memory/elf/eh_frame.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace heapscape::engine {
namespace {

// DW_EH_PE_*: the low four bits tell the form, the next three what the value is relative to.
constexpr std::uint8_t kFormMask = 0x0f;
constexpr std::uint8_t kRelativeMask = 0x70;
constexpr std::uint8_t kRelativeToPlace = 0x10;
constexpr std::uint8_t kRelativeToData = 0x30;
constexpr std::uint8_t kIndirect = 0x80;
constexpr std::uint8_t kOmitted = 0xff;
constexpr std::uint8_t kTableEncoding = 0x3b;  // signed 32 bits, relative to the header: what all linkers write

constexpr std::uint64_t kMostHeaderBytes = 64;  // of .eh_frame_hdr, in front of its table
constexpr std::uint64_t kTableEntryBytes = 8;
constexpr std::uint64_t kMostEntryBytes = 1 << 20;  // of one CIE or FDE
constexpr std::uint32_t kExtendedLength = 0xffffffff;

// The parts of a CIE that FDEs need.
struct CommonInformation {
  FrameDescription description;
  bool hasAugmentationData = false;
  std::uint8_t languageDataEncoding = kOmitted;
};

/// The bytes of a CIE or FDE behind its length.
std::optional<MemoryView> entryAt(const AddressSpace& memory, Address address) {
  std::uint32_t length = 0;
  if (!memory.tryRead(address, length) || length < 4 || length == kExtendedLength || length > kMostEntryBytes) {
    return std::nullopt;
  }
  const Address start = address + sizeof length;
  auto view = memory.view({start, start + length});
  if (!view) return std::nullopt;
  return std::move(*view);
}

Bytes restOf(const BoundedReader& reader, Bytes bytes) {
  return bytes.subspan(std::min<std::size_t>(reader.position(), bytes.size()));
}

/// What the letters of an augmentation announce. False for letters whose meaning, and so length, is not known.
bool readAugmentation(BoundedReader& reader, std::string_view letters, Address place, CommonInformation& common) {
  FrameDescription& description = common.description;
  if (letters.empty()) return true;
  if (letters.front() != 'z') return false;
  const std::uint64_t length = readUleb128(reader);
  const std::uint64_t start = reader.position();
  for (const char letter : letters.substr(1)) {
    if (letter == 'R') {
      description.pointerEncoding = reader.read<std::uint8_t>();
    } else if (letter == 'L') {
      common.languageDataEncoding = reader.read<std::uint8_t>();
    } else if (letter == 'P') {
      description.hasPersonality = true;
      const auto encoding = static_cast<std::uint8_t>(reader.read<std::uint8_t>() & ~kIndirect);
      if (!readEncodedPointer(reader, encoding, place)) return false;
    } else if (letter == 'S') {
      description.isSignalFrame = true;
    }
  }
  reader.seek(start + std::min(length, kMostEntryBytes));
  return !reader.failed();
}

std::optional<CommonInformation> readCommon(const AddressSpace& memory, Address address) {
  auto view = entryAt(memory, address);
  if (!view) return std::nullopt;
  BoundedReader reader(view->bytes);
  if (reader.read<std::uint32_t>() != 0) return std::nullopt;  // an FDE
  const auto version = reader.read<std::uint8_t>();
  if (version != 1 && version != 3) return std::nullopt;
  const std::string_view letters = reader.readZeroTerminated();
  CommonInformation common;
  FrameDescription& description = common.description;
  description.codeAlignment = readUleb128(reader);
  description.dataAlignment = readSleb128(reader);
  description.returnAddressRegister = version == 1 ? reader.read<std::uint8_t>() : readUleb128(reader);
  common.hasAugmentationData = !letters.empty();
  if (!readAugmentation(reader, letters, address + 4, common) || reader.failed()) return std::nullopt;
  description.initialInstructions = restOf(reader, view->bytes);
  description.common = std::move(*view);
  return common;
}

std::optional<FrameDescription> readDescription(const AddressSpace& memory, Address address) {
  auto view = entryAt(memory, address);
  if (!view) return std::nullopt;
  const Address place = address + 4;
  BoundedReader reader(view->bytes);
  const auto back = reader.read<std::uint32_t>();
  if (back == 0 || back > place.value) return std::nullopt;  // a CIE
  auto common = readCommon(memory, place - back);
  if (!common) return std::nullopt;
  FrameDescription description = std::move(common->description);
  const auto start = readEncodedPointer(reader, description.pointerEncoding, place);
  const auto size = readEncodedPointer(reader, description.pointerEncoding & kFormMask, place);
  if (!start || !size || *start + *size < *start) return std::nullopt;
  description.code = {{*start}, {*start + *size}};
  if (common->hasAugmentationData) {
    const std::uint64_t length = readUleb128(reader);
    const std::uint64_t end = reader.position() + std::min(length, kMostEntryBytes);
    if (length > 0 && common->languageDataEncoding != kOmitted)
      description.languageData = {readEncodedPointer(reader, common->languageDataEncoding, place).value_or(0)};
    reader.seek(end);
  }
  if (reader.failed()) return std::nullopt;
  description.instructions = restOf(reader, view->bytes);
  description.instructionsAddress = place + (view->bytes.size() - description.instructions.size());
  description.own = std::move(*view);
  return description;
}

}  // namespace

std::optional<std::uint64_t> readEncodedPointer(BoundedReader& reader, std::uint8_t encoding, Address place,
                                                Address dataBase) {
  if (encoding == kOmitted || (encoding & kIndirect) != 0) return std::nullopt;
  const std::uint64_t position = reader.position();
  std::uint64_t value = 0;
  switch (encoding & kFormMask) {
    case 0x0:
    case 0x4:
    case 0xc:
      value = reader.read<std::uint64_t>();
      break;
    case 0x1:
      value = readUleb128(reader);
      break;
    case 0x2:
      value = reader.read<std::uint16_t>();
      break;
    case 0x3:
      value = reader.read<std::uint32_t>();
      break;
    case 0x9:
      value = static_cast<std::uint64_t>(readSleb128(reader));
      break;
    case 0xa:
      value = static_cast<std::uint64_t>(std::int64_t{reader.read<std::int16_t>()});
      break;
    case 0xb:
      value = static_cast<std::uint64_t>(std::int64_t{reader.read<std::int32_t>()});
      break;
    default:
      return std::nullopt;
  }
  if (reader.failed()) return std::nullopt;
  switch (encoding & kRelativeMask) {
    case 0:
      return value;
    case kRelativeToPlace:
      return value + place.value + position;
    case kRelativeToData:
      return value + dataBase.value;
    default:
      return std::nullopt;
  }
}

std::optional<EhFrame> EhFrame::of(const AddressSpace& memory, const ElfImage& image) {
  const AddressRange header = image.unwindTable();
  if (header.isEmpty()) return std::nullopt;
  const Bytes bytes = memory.prefix(header.start, std::min(header.sizeBytes(), kMostHeaderBytes));
  BoundedReader reader(bytes);
  const auto version = reader.read<std::uint8_t>();
  const auto frameEncoding = reader.read<std::uint8_t>();
  const auto countEncoding = reader.read<std::uint8_t>();
  const auto tableEncoding = reader.read<std::uint8_t>();
  if (version != 1 || tableEncoding != kTableEncoding) return std::nullopt;
  if (!readEncodedPointer(reader, frameEncoding, header.start, header.start)) return std::nullopt;
  const auto count = readEncodedPointer(reader, countEncoding, header.start, header.start);
  if (!count) return std::nullopt;
  EhFrame frame(memory, header);
  frame.m_table = header.start + reader.position();
  frame.m_entries =
      std::min(*count, (header.sizeBytes() - std::min(header.sizeBytes(), reader.position())) / kTableEntryBytes);
  return frame;
}

std::optional<Address> EhFrame::descriptionOf(Address address) const {
  struct Entry {
    std::int32_t code;
    std::int32_t description;
  };
  static_assert(sizeof(Entry) == kTableEntryBytes);
  const auto at = [this](std::int32_t offset) {
    return m_header.start + static_cast<std::uint64_t>(std::int64_t{offset});
  };
  std::uint64_t first = 0;
  std::uint64_t last = m_entries;
  Address found;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    Entry entry{};
    if (!m_memory->tryRead(m_table + middle * sizeof entry, entry)) return std::nullopt;
    if (at(entry.code) <= address) {
      found = at(entry.description);
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return found;
}

std::optional<FrameDescription> EhFrame::find(Address address) const {
  const auto place = descriptionOf(address);
  auto description = place && *place ? readDescription(*m_memory, *place) : std::nullopt;
  if (!description || !description->code.contains(address)) return std::nullopt;
  return description;
}

bool EhFrame::leavesOut(Address address) const {
  const auto place = descriptionOf(address);
  if (!place) return false;
  if (!*place) return true;
  const auto description = readDescription(*m_memory, *place);
  return description && !description->code.contains(address);
}

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
  NegateSignature = 0x2d,  // of arm64: from here on the return address is signed, or no more
  ArgumentsSize = 0x2e,
};
constexpr std::uint8_t kShortMask = 0xc0;

/// The machine of DWARF 5, section 6.4.2. There are no jumps: it ends with its bytes at the latest.
class RowMachine {
 public:
  RowMachine(const FrameDescription& description, Address target, Architecture architecture)
      : m_description(description),
        m_target(target),
        m_architecture(architecture),
        m_location(description.code.start) {}

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
      case Instruction::NegateSignature:
        return m_architecture == Architecture::Arm64;
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
  Architecture m_architecture;
  Address m_location;
  UnwindRow m_row;
  std::array<RegisterRule, kDwarfRegisterCount> m_initial;
  std::vector<UnwindRow> m_remembered;
};

}  // namespace

std::optional<UnwindRow> unwindRowAt(const FrameDescription& description, Address address, Architecture architecture) {
  return RowMachine(description, address, architecture).run();
}

}  // namespace heapscape::engine
