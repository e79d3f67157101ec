// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bounded_reader.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// What a word of a transition block holds, by the map that a ReadyToRun image has of a call's arguments
/// (CORCOMPILE_GCREFMAP_TOKENS, src/coreclr/inc/readytorun.h). Other words hold nothing that the GC knows.
enum class ReferenceMapToken : std::uint8_t {
  Reference = 1,
  Interior = 2,
  MethodParameter = 3,   // the MethodDesc of shared generic code
  TypeParameter = 4,     // the method table of shared generic code
  VariableArguments = 5  // a cookie that leads to the signature of a vararg call
};
struct ReferenceMapEntry {
  std::uint32_t position = 0;  // in words from the argument registers on; behind the block come the stack's arguments
  ReferenceMapToken token = ReferenceMapToken::Reference;

  bool operator==(const ReferenceMapEntry&) const = default;
};

/// Decodes one map; nullopt if it makes no sense (GCRefMapDecoder, src/coreclr/inc/gcrefmap.h).
std::optional<std::vector<ReferenceMapEntry>> decodeReferenceMap(Bytes map);

/// The map of the call that goes through a cell of an import section of the module's image, of which `module` may be
/// any part. Fails with NotFound where the cell is in no section that has maps, with NotInDump or Damaged.
Result<std::vector<ReferenceMapEntry>> readReferenceMap(const ClrRuntime& runtime, Address module, Address cell);

}  // namespace heapscape::engine
