// SPDX-License-Identifier: MIT
#include "stacks/debug_info/debug_info.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "stacks/ready_to_run_sections.h"

namespace heapscape::engine {
namespace {

constexpr unsigned kBitsInNibble = 3;
constexpr std::uint32_t kAnotherFollows = 8;
constexpr unsigned kMostNibbles = 11;  // of a number of 32 bits

}  // namespace

std::uint32_t NibbleReader::readNibble() {
  std::uint8_t byte = 0;
  if (m_failed || !tryReadAt(m_bytes, m_position / 2, byte)) {
    m_failed = true;
    return 0;
  }
  const unsigned shift = m_position % 2 == 0 ? 0 : 4;
  ++m_position;
  return byte >> shift & 0xfu;
}

std::uint32_t NibbleReader::readUnsigned() {
  std::uint32_t value = 0;
  for (unsigned count = 0; count < kMostNibbles; ++count) {
    const std::uint32_t nibble = readNibble();
    value = value << kBitsInNibble | (nibble & (kAnotherFollows - 1));
    if ((nibble & kAnotherFollows) == 0) return m_failed ? 0 : value;
  }
  m_failed = true;
  return 0;
}

std::int32_t NibbleReader::readSigned() {
  const std::uint32_t value = readUnsigned();
  const auto magnitude = static_cast<std::int32_t>(value >> 1);
  return (value & 1) != 0 ? -magnitude : magnitude;
}

namespace {

// What special numbers of mappings and variables are lifted by, so that none is negative.
constexpr std::int32_t kLeastIlOffset = IlMapping::kEpilog;

tl::unexpected<Error> damaged() {
  return failure(ErrorCode::Damaged, "The debug info of a method contradicts itself.");
}

std::int32_t lifted(std::uint32_t value, std::int32_t least) {
  return static_cast<std::int32_t>(value + static_cast<std::uint32_t>(least));
}

/// Reads numbers of any count of bits, the least significant bit first.
class BitReader {
 public:
  explicit BitReader(Bytes bytes) : m_bytes(bytes) {}

  std::uint32_t read(unsigned bits) {
    std::uint64_t value = 0;
    unsigned have = 0;
    while (have < bits) {
      std::uint8_t byte = 0;
      if (!tryReadAt(m_bytes, m_position / 8, byte)) {
        m_failed = true;
        return 0;
      }
      const auto skipped = static_cast<unsigned>(m_position % 8);
      const unsigned taken = std::min(8 - skipped, bits - have);
      value |= static_cast<std::uint64_t>(byte >> skipped & ((1u << taken) - 1)) << have;
      have += taken;
      m_position += taken;
    }
    return static_cast<std::uint32_t>(value);
  }
  bool failed() const { return m_failed; }

 private:
  Bytes m_bytes;
  std::uint64_t m_position = 0;
  bool m_failed = false;
};

// What an entry has at least, which bounds what a count can claim.
constexpr std::uint64_t kBitsOfPackedMapping = 4;
constexpr std::uint64_t kBitsOfMapping = 3 * 4;
constexpr std::uint64_t kBitsOfVariable = 5 * 4;

bool canHold(Bytes bytes, std::uint64_t count, std::uint64_t bitsOfEntry) {
  return count * bitsOfEntry <= 8 * static_cast<std::uint64_t>(bytes.size());
}

Result<std::vector<IlMapping>> parsePackedMappings(Bytes bytes, NibbleReader& head, std::uint32_t count,
                                                   unsigned sourceBits) {
  const std::uint32_t nativeBits = head.readUnsigned();  // each less one
  const std::uint32_t ilBits = head.readUnsigned();
  if (head.failed() || nativeBits >= 32 || ilBits >= 32) return damaged();
  BitReader reader(bytes.subspan(std::min<std::size_t>(head.nextByte(), bytes.size())));
  std::vector<IlMapping> mappings;
  mappings.reserve(count);
  std::uint32_t native = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    reader.read(sourceBits);
    native += reader.read(nativeBits + 1);
    const std::uint32_t il = reader.read(ilBits + 1);
    if (reader.failed()) return damaged();
    mappings.push_back({native, lifted(il, kLeastIlOffset)});
  }
  return mappings;
}

/// Reads one NativeVarInfo after the other.
class PlaceReader {
 public:
  PlaceReader(NibbleReader& reader, const DebugInfoRules& rules)
      : m_reader(reader), m_rules(rules), m_registers(registerFile(rules.architecture)) {}

  bool tryRead(VariablePlace& place) {
    if (m_rules.isVariableFirst) place.variable = lifted(m_reader.readUnsigned(), m_rules.leastVariable);
    place.start = m_reader.readUnsigned();
    // Of what a call has returned the place in the IL follows instead of a length.
    const std::uint32_t length = m_reader.readUnsigned();
    place.end = place.start + (place.variable == VariablePlace::kCallResult ? 0 : length);
    if (!m_rules.isVariableFirst) place.variable = lifted(m_reader.readUnsigned(), m_rules.leastVariable);
    return tryReadLocation(m_reader.readUnsigned(), place) && !m_reader.failed();
  }

 private:
  // By VarLocType; what follows it depends on it.
  bool tryReadLocation(std::uint32_t type, VariablePlace& place) {
    using Kind = VariablePlace::Kind;
    constexpr std::array kKinds{
        Kind::Register,        Kind::RegisterHoldsPlace, Kind::FloatRegister,     Kind::Stack,
        Kind::StackHoldsPlace, Kind::TwoRegisters,       Kind::RegisterThenStack, Kind::StackThenRegister,
        Kind::TwoStackSlots,   Kind::Elsewhere,          Kind::Elsewhere};
    if (type >= kKinds.size()) return false;
    place.kind = kKinds[type];
    switch (place.kind) {
      case Kind::Register:
      case Kind::RegisterHoldsPlace:
        place.first = readRegister();
        break;
      case Kind::Stack:
      case Kind::StackHoldsPlace:
      case Kind::TwoStackSlots:
        readBase(place);
        place.offset = m_reader.readSigned();
        break;
      case Kind::TwoRegisters:
        place.first = readRegister();
        place.second = readRegister();
        break;
      case Kind::RegisterThenStack:
        place.first = readRegister();
        readBase(place);
        place.offset = m_reader.readSigned();
        break;
      case Kind::StackThenRegister:
        place.offset = m_reader.readSigned();
        readBase(place);
        place.first = readRegister();
        break;
      case Kind::FloatRegister:
        place.floatRegister = readFloatRegister();
        break;
      case Kind::Elsewhere:
        m_reader.readUnsigned();
        break;
    }
    return true;
  }

  // Numbers behind those of the general registers are floating-point ones.
  std::optional<Register> readRegister() {
    const std::uint32_t number = m_reader.readUnsigned();
    return number < m_registers.count() ? std::optional(numbered(number)) : std::nullopt;
  }

  std::optional<std::uint8_t> readFloatRegister() {
    const std::uint32_t number = m_reader.readUnsigned();
    return number >= m_rules.firstFloatRegister && number - m_rules.firstFloatRegister < m_registers.floatCount
               ? std::optional(static_cast<std::uint8_t>(number - m_rules.firstFloatRegister))
               : std::nullopt;
  }

  // Behind the registers (and the instruction of arm64) stands the stack pointer of a frame that has no other base. No
  // code moves it between prologue and epilogue (REGNUM_AMBIENT_SP, src/coreclr/inc/cordebuginfo.h).
  void readBase(VariablePlace& place) {
    const std::size_t ambient = m_registers.count() + (m_rules.architecture == Architecture::X64 ? 1 : 2);
    const std::uint32_t number = m_reader.readUnsigned();
    if (number < m_registers.count()) place.base = numbered(number);
    if (number == ambient) place.base = m_registers.stackPointer;
  }

  Register numbered(std::uint32_t number) const { return {static_cast<std::uint8_t>(number), m_rules.architecture}; }

  NibbleReader& m_reader;
  const DebugInfoRules& m_rules;
  const RegisterFile& m_registers;
};

}  // namespace

DebugInfoRules DebugInfoRules::of(const Contract& contract) {
  DebugInfoRules rules;
  rules.architecture = contract.architecture();
  rules.arePacked = contract.constant("DebugInfo.HasPackedBounds") != 0;
  rules.sourceBits = static_cast<unsigned>(contract.constant("DebugInfo.SourceBits"));
  rules.firstFloatRegister = static_cast<std::uint32_t>(contract.constant("DebugInfo.FirstFloatRegister"));
  rules.isFatMarked = contract.constant("DebugInfo.HasFatHead") != 0;
  rules.isVariableFirst = contract.constant("DebugInfo.VariableComesFirst") != 0;
  rules.leastVariable = -static_cast<std::int32_t>(contract.constant("DebugInfo.SpecialVariables"));
  return rules;
}

Result<std::vector<IlMapping>> parseIlMappings(Bytes bytes, const DebugInfoRules& rules) {
  if (bytes.empty()) return std::vector<IlMapping>{};
  NibbleReader reader(bytes);
  const std::uint32_t count = reader.readUnsigned();
  if (reader.failed() || !canHold(bytes, count, rules.arePacked ? kBitsOfPackedMapping : kBitsOfMapping)) {
    return damaged();
  }
  if (rules.arePacked) return parsePackedMappings(bytes, reader, count, rules.sourceBits);
  std::vector<IlMapping> mappings;
  mappings.reserve(count);
  std::uint32_t native = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    native += reader.readUnsigned();
    const std::uint32_t il = reader.readUnsigned();
    reader.readUnsigned();  // what kind of place it is
    if (reader.failed()) return damaged();
    mappings.push_back({native, lifted(il, kLeastIlOffset)});
  }
  return mappings;
}

Result<std::vector<VariablePlace>> parseVariablePlaces(Bytes bytes, const DebugInfoRules& rules) {
  if (bytes.empty()) return std::vector<VariablePlace>{};
  NibbleReader reader(bytes);
  const std::uint32_t count = reader.readUnsigned();
  if (reader.failed() || !canHold(bytes, count, kBitsOfVariable)) return damaged();
  std::vector<VariablePlace> places(count);
  PlaceReader placeReader(reader, rules);
  for (VariablePlace& place : places) {
    if (!placeReader.tryRead(place)) return damaged();
  }
  return places;
}

// Numbers of all points come first, then the variables of all of them (DebugInfoStore, src/coreclr/vm/
// debuginfostore.cpp).
Result<std::vector<SuspensionPoint>> parseSuspensionPoints(Bytes bytes, const DebugInfoRules& rules) {
  constexpr std::uint64_t kBitsOfPoint = 2 * 4;
  constexpr std::uint64_t kBitsOfSavedVariable = 2 * 4;
  std::vector<SuspensionPoint> points;
  if (bytes.empty()) return points;
  NibbleReader reader(bytes);
  const std::uint32_t count = reader.readUnsigned();
  const std::uint32_t variables = reader.readUnsigned();
  if (reader.failed() || !canHold(bytes, count, kBitsOfPoint) || !canHold(bytes, variables, kBitsOfSavedVariable))
    return damaged();
  points.resize(count);
  std::vector<std::uint32_t> counts(count);
  std::uint64_t all = 0;
  std::uint32_t native = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    native += static_cast<std::uint32_t>(reader.readSigned());
    points[i].nativeOffset = native;
    counts[i] = reader.readUnsigned();
    all += counts[i];
  }
  if (reader.failed() || all > variables) return damaged();
  for (std::uint32_t i = 0; i < count; ++i) {
    points[i].variables.resize(counts[i]);
    for (SavedVariable& saved : points[i].variables) {
      saved.variable = lifted(reader.readUnsigned(), rules.leastVariable);
      saved.offset = reader.readUnsigned();
    }
  }
  if (reader.failed()) return damaged();
  return points;
}

const SuspensionPoint* suspensionAt(const DebugInfo& info, std::uint32_t nativeOffset) {
  const auto found = std::ranges::find(info.suspensions, nativeOffset, &SuspensionPoint::nativeOffset);
  return found == info.suspensions.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> ilOffsetAt(const DebugInfo& info, std::uint32_t nativeOffset, bool isReturnOffset) {
  if (isReturnOffset && nativeOffset > 0) --nativeOffset;
  const auto next = std::ranges::upper_bound(info.mappings, nativeOffset, {}, &IlMapping::nativeOffset);
  if (next == info.mappings.begin()) return std::nullopt;
  const std::int32_t ilOffset = std::prev(next)->ilOffset;
  if (ilOffset == IlMapping::kProlog) return 0;
  return ilOffset < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(ilOffset));
}

namespace {

constexpr std::uint64_t kMostDebugInfoBytes = 4 << 20;  // of one method

// EXTRA_DEBUG_INFO_FLAGS, src/coreclr/vm/debuginfostore.cpp
constexpr std::uint8_t kHasPatchpoints = 1;
constexpr std::uint8_t kHasInlineTree = 2;

/// The parts of a method's debug info; empty ranges where there is nothing.
struct Parts {
  AddressRange mappings;
  AddressRange variables;
  AddressRange suspensions = {};
};

/// The head since .NET 11: two sizes, or behind a zero those of all parts, which follow in the order of their sizes.
std::optional<Parts> readMarkedHead(const AddressSpace& memory, Address debugInfo) {
  constexpr std::uint64_t kMostHeadBytes = 39;  // seven numbers of eleven nibbles
  constexpr std::size_t kSkippedParts = 2;      // patchpoints, inlined calls
  NibbleReader reader(memory.prefix(debugInfo, kMostHeadBytes));
  std::uint64_t mappingBytes = reader.readUnsigned();
  const bool isFat = mappingBytes == 0;
  if (isFat) mappingBytes = reader.readUnsigned();
  const std::uint64_t variableBytes = reader.readUnsigned();
  const std::uint64_t originalBytes = isFat ? reader.readUnsigned() : 0;
  std::uint64_t skippedBytes = 0;
  for (std::size_t i = 0; isFat && i < kSkippedParts; ++i) skippedBytes += reader.readUnsigned();
  const std::uint64_t suspensionBytes = isFat ? reader.readUnsigned() : 0;
  if (reader.failed() ||
      mappingBytes + variableBytes + originalBytes + skippedBytes + suspensionBytes > kMostDebugInfoBytes)
    return std::nullopt;
  const Address mappings = debugInfo + reader.nextByte();
  const Address variables = mappings + mappingBytes;
  const Address originals = variables + variableBytes;
  const AddressRange chosen =
      originalBytes != 0 ? AddressRange{originals, originals + originalBytes} : AddressRange{mappings, variables};
  const Address suspensions = originals + originalBytes + skippedBytes;
  return Parts{chosen, {variables, originals}, {suspensions, suspensions + suspensionBytes}};
}

std::optional<Parts> readHead(const AddressSpace& memory, Address debugInfo, bool isInstrumentedMarked) {
  constexpr std::uint64_t kMostHeadBytes = 24;  // four numbers of eleven nibbles
  constexpr std::uint32_t kInstrumentedMark = 0xffffffff;
  NibbleReader reader(memory.prefix(debugInfo, kMostHeadBytes));
  std::uint64_t mappingBytes = reader.readUnsigned();
  std::uint64_t originalBytes = 0;
  if (isInstrumentedMarked && mappingBytes == kInstrumentedMark) {
    mappingBytes = reader.readUnsigned();
    originalBytes = reader.readUnsigned();
  }
  const std::uint64_t variableBytes = reader.readUnsigned();
  if (reader.failed() || mappingBytes + originalBytes + variableBytes > kMostDebugInfoBytes) return std::nullopt;
  const Address mappings = debugInfo + reader.nextByte();
  const Address originals = mappings + mappingBytes;
  const Address variables = originals + originalBytes;
  // A profiler has changed the IL: what is mapped to the program's own comes second.
  const AddressRange chosen =
      originalBytes != 0 ? AddressRange{originals, variables} : AddressRange{mappings, originals};
  return Parts{chosen, {variables, variables + variableBytes}};
}

}  // namespace

std::shared_ptr<const DebugInfo> DebugInfoReader::of(const CodeLocation& code) const {
  {
    const std::lock_guard lock(m_mutex);
    const auto known = m_known.find(code.start);
    if (known != m_known.end()) return known->second;
  }
  auto info = read(code);
  const std::lock_guard lock(m_mutex);
  return m_known.emplace(code.start, std::move(info)).first->second;
}

std::shared_ptr<const DebugInfo> DebugInfoReader::read(const CodeLocation& code) const {
  const AddressSpace& memory = m_runtime.memory();
  const Address debugInfo = code.state == MethodState::Jitted ? ofJitted(code) : ofReadyToRun(code);
  if (!debugInfo) return nullptr;
  const auto parts =
      m_rules.isFatMarked ? readMarkedHead(memory, debugInfo) : readHead(memory, debugInfo, m_rules.arePacked);
  if (!parts) return nullptr;
  DebugInfo info;
  if (!parts->mappings.isEmpty()) {
    const auto view = memory.view(parts->mappings);
    auto mappings = view ? parseIlMappings(view->bytes, m_rules) : tl::unexpected<Error>(view.error());
    if (!mappings) return nullptr;
    info.mappings = std::move(*mappings);
  }
  if (!parts->variables.isEmpty()) {
    const auto view = memory.view(parts->variables);
    auto variables = view ? parseVariablePlaces(view->bytes, m_rules) : tl::unexpected<Error>(view.error());
    if (variables) info.variables = std::move(*variables);
  }
  if (!parts->suspensions.isEmpty()) {
    const auto view = memory.view(parts->suspensions);
    auto points = view ? parseSuspensionPoints(view->bytes, m_rules) : tl::unexpected<Error>(view.error());
    if (points) info.suspensions = std::move(*points);
  }
  return std::make_shared<const DebugInfo>(std::move(info));
}

// EEJitManager::GetBoundariesAndVars, src/coreclr/vm/codeman.cpp.
Address DebugInfoReader::ofJitted(const CodeLocation& code) const {
  constexpr std::uint64_t kHeaderPointerBytes = 8;  // in front of the code
  const auto header = m_runtime.memory().readPointer(code.start - kHeaderPointerBytes);
  const auto debugInfo = header ? m_runtime.pointerAt(*header, "RealCodeHeader", "DebugInfo") : header;
  if (!debugInfo || !*debugInfo) return {};
  return m_rules.isFatMarked ? *debugInfo : behindExtras(*debugInfo);
}

Address DebugInfoReader::behindExtras(Address debugInfo) const {
  std::uint8_t flags = 0;
  if (!m_runtime.memory().tryRead(debugInfo, flags)) return {};
  debugInfo += sizeof flags;
  if ((flags & kHasPatchpoints) != 0) {
    const auto locals = m_runtime.valueAt<std::uint32_t>(debugInfo, "PatchpointInfo", "LocalCount");
    if (!locals) return {};
    debugInfo += m_runtime.contract().sizeOf("PatchpointInfo") + sizeof(std::int32_t) * std::uint64_t{*locals};
  }
  if ((flags & kHasInlineTree) != 0) {
    std::uint32_t bytes = 0;
    if (!m_runtime.memory().tryRead(debugInfo, bytes)) return {};
    debugInfo += sizeof bytes + std::uint64_t{bytes};
  }
  return debugInfo;
}

// ReadyToRunInfo::GetDebugInfo, src/coreclr/vm/readytoruninfo.cpp: an array by the method's place in the table of
// functions. Methods of equal debug info share it: a number in front says how far back it is.
Address DebugInfoReader::ofReadyToRun(const CodeLocation& code) const {
  const auto range = findCodeRange(m_runtime, code.start);
  if (!range || !range->module || code.start < code.imageBase) return {};
  const auto own =
      m_readyToRun.functionAt(range->module, code.imageBase, static_cast<std::uint32_t>(code.start - code.imageBase));
  const auto sections = own.function ? readReadyToRunSections(m_runtime, range->module) : std::nullopt;
  if (!sections) return {};
  const AddressRange index = sections->find(m_runtime.contract().constant("R2RSection.DebugInfo"));
  const AddressSpace& memory = m_runtime.memory();
  const auto element = index.isEmpty() ? std::nullopt : findInNativeArray(memory, index.start, own.index);
  const auto lookBack = element ? readNativeNumber(memory, *element) : std::nullopt;
  if (!lookBack) return {};
  return lookBack->value == 0 ? lookBack->end : *element - lookBack->value;
}

}  // namespace heapscape::engine
