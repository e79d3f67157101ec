// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// A class or value type that objects are made of: their own type, a base class, a value type of elements or fields.
struct HeapPart {
  Address methodTable;
  std::uint64_t objects = 0;                // of exactly this type; boxes of a value type
  std::uint64_t derived = 0;                // objects of classes below
  std::uint64_t elements = 0;               // of arrays
  std::uint64_t nested = 0;                 // fields inside objects and elements, at any depth
  std::uint64_t paddingBytes = 0;           // own and nested; base classes have no share in that of derived objects
  std::uint64_t ownPaddingBytes = 0;        // not inside a nested value type
  std::vector<std::uint32_t> holders = {};  // indices of the held types whose size may follow from this part
};

/// A type with objects on the heap whose size follows from how parts are laid out. Arrays of references or primitives
/// and strings are none.
struct HoldingType {
  TypeId type;
  bool isArray = false;
  std::uint32_t part = 0;  // the type itself, or the type of the array's elements
};

/// What the objects of the heap are made of, as the runtime laid them out.
struct HeapParts {
  std::vector<HeapPart> parts;
  std::vector<HoldingType> types;
  std::uint64_t boxRoundingBytes = 0;  // behind boxed values
  std::uint64_t arrayEndBytes = 0;     // behind the last element of arrays and the last character of strings
  std::vector<Address> unread;         // method tables whose layout could not be read
};

/// Reads the layout of every type with objects.
Outcome<HeapParts> readHeapParts(const Contents& contents, StageProgress& progress, std::stop_token stop);

}  // namespace heapscape::engine
