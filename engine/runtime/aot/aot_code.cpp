// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_code.h"

#include "memory/elf/elf_image.h"

namespace heapscape::engine {
namespace {

// UnwindBlockFlags: the first byte of what the runtime keeps of a function.
constexpr std::uint8_t kAotFunctionKind = 0x03;
constexpr std::uint8_t kAotFilterKind = 2;
constexpr std::uint8_t kAotHasClauses = 0x04;
constexpr std::uint8_t kAotHasAssociatedData = 0x10;

/// Of a funclet: how far away its method's data lies, from here, and how far behind the method's start it begins.
struct FuncletOrigin {
  std::int32_t methodData;
  std::int32_t distance;
};
static_assert(sizeof(FuncletOrigin) == 8);

Address moved(Address from, std::int32_t distance) {
  return {from.value + static_cast<std::uint64_t>(std::int64_t{distance})};
}

}  // namespace

AotCode::AotCode(const AddressSpace& memory, Address program) : m_memory(memory) {
  if (const auto image = ElfImage::at(memory, program)) m_frames = EhFrame::of(memory, *image);
}

std::optional<AotFunction> AotCode::find(Address instruction) const {
  const auto description = m_frames ? m_frames->find(instruction) : std::nullopt;
  if (!description || !description->languageData || description->hasPersonality) return std::nullopt;
  Address data = description->languageData;
  std::uint8_t flags = 0;
  if (!m_memory.tryRead(data, flags)) return std::nullopt;
  AotFunction function{.code = description->code, .methodStart = description->code.start};
  if ((flags & kAotFunctionKind) != 0) {
    FuncletOrigin origin{};
    if (!m_memory.tryRead(data + 1, origin)) return std::nullopt;
    function.isFunclet = true;
    function.isFilter = (flags & kAotFunctionKind) == kAotFilterKind;
    function.methodStart = function.code.start - static_cast<std::uint32_t>(origin.distance);
    data = moved(data + 1, origin.methodData);
    // A funclet follows its method, and a method's data is no funclet's.
    if (origin.distance <= 0 || !m_memory.tryRead(data, flags) || (flags & kAotFunctionKind) != 0) return std::nullopt;
  }
  data += sizeof flags;
  if (flags & kAotHasAssociatedData) data += sizeof(std::int32_t);
  if (flags & kAotHasClauses) {
    std::int32_t distance = 0;
    if (m_memory.tryRead(data, distance)) function.exceptionClauses = moved(data, distance);
    data += sizeof distance;
  }
  function.gcInfo = data;
  return function;
}

}  // namespace heapscape::engine
