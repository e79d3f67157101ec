// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "metadata/image/pe_image.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// What stands in front of a method's IL (ECMA-335 II.25.4).
struct IlHead {
  std::uint32_t headBytes = 1;
  std::uint32_t codeBytes = 0;
  std::uint16_t maxStack = 8;
  bool hasSections = false;   // behind the code
  Token localSignature = {};  // in StandAloneSig; nil for a method without locals
};

/// Fails with NotInDump where the reader lacks it, or with Damaged.
Result<IlHead> readIlHead(const PeReader& read, std::uint64_t offset);

/// A part of a method that is protected, and what handles exceptions there (II.25.4.6). Offsets are bytes in the code.
struct IlClause {
  static constexpr std::uint32_t kFilter = 1;
  static constexpr std::uint32_t kFinally = 2;
  static constexpr std::uint32_t kFault = 4;

  std::uint32_t flags = 0;  // one of these, or 0 for a catch
  std::uint32_t tryStart = 0;
  std::uint32_t tryBytes = 0;
  std::uint32_t handlerStart = 0;
  std::uint32_t handlerBytes = 0;
  std::uint32_t tokenOrFilter = 0;  // the type that is caught; of a filter where it begins
};

/// A method's IL with all that belongs to it.
struct IlBody {
  IlHead head;
  std::vector<std::byte> code;
  std::vector<IlClause> clauses;
};

/// Reads a whole body, which begins at an offset of what the reader reads. Fails as readIlHead does.
Result<IlBody> readIlBody(const PeReader& read, std::uint64_t offset);

}  // namespace heapscape::engine
