// SPDX-License-Identifier: MIT
#include "stacks/debug_info/debug_info_reader.h"

#include "base/limits.h"
#include "stacks/gc_info/nibble_reader.h"
#include "stacks/ready_to_run_sections.h"

namespace heapscape::engine {
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
  const auto own = m_readyToRun.functionAt(range->module, static_cast<std::uint32_t>(code.start - code.imageBase));
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
