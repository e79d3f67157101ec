// SPDX-License-Identifier: MIT
#include "stacks/unwinding/eh_frame.h"

#include <algorithm>

#include "stacks/unwinding/leb128.h"

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
bool readAugmentation(BoundedReader& reader, std::string_view letters, Address place, FrameDescription& description) {
  if (letters.empty()) return true;
  if (letters.front() != 'z') return false;
  const std::uint64_t length = readUleb128(reader);
  const std::uint64_t start = reader.position();
  for (const char letter : letters.substr(1)) {
    if (letter == 'R') {
      description.pointerEncoding = reader.read<std::uint8_t>();
    } else if (letter == 'L') {
      reader.skip(1);
    } else if (letter == 'P') {
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
  if (!readAugmentation(reader, letters, address + 4, description) || reader.failed()) return std::nullopt;
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
    reader.seek(reader.position() + std::min(length, kMostEntryBytes));
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
  std::optional<Address> found;
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
  auto description = place ? readDescription(*m_memory, *place) : std::nullopt;
  if (!description || !description->code.contains(address)) return std::nullopt;
  return description;
}

}  // namespace heapscape::engine
