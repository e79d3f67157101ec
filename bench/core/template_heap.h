// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bounded_reader.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::bench {

/// A type of the template, as new objects need it.
struct Kind {
  std::uint64_t methodTable = 0;
  std::uint32_t baseSize = 0;
  std::uint32_t componentSize = 0;

  std::uint64_t sizeBytes(std::uint64_t components = 0) const {
    return (baseSize + componentSize * components + 7) & ~std::uint64_t{7};
  }
};

/// A small real dump whose heap is to grow: its types, where their fields lie, and the ends of the GC's lists. Ends the
/// program with a message if the dump lacks what is asked for.
class TemplateHeap {
 public:
  explicit TemplateHeap(const std::string& path);

  Kind kind(const std::string& typeName) const;
  /// From the object's address.
  std::uint64_t field(const Kind& kind, const std::string& name) const;
  std::uint64_t property(const Kind& kind, const std::string& name) const {
    return field(kind, "<" + name + ">k__BackingField");
  }

  /// The list that the first static field of type List<object> refers to.
  std::uint64_t heldList() const;
  /// The structure of the last segment of a generation (0 to 4), which the next one is to be linked to.
  std::uint64_t lastSegment(std::size_t generation) const;
  /// Of a heap_segment.
  std::uint64_t segmentField(const std::string& name) const;
  /// Bytes between the start of a region and its first object.
  std::uint64_t firstObjectOffset() const;

  std::uint64_t read(std::uint64_t address) const;
  engine::Bytes bytes(std::uint64_t address, std::size_t size) const;
  const engine::Contents& contents() const { return m_snapshot.contents(); }

 private:
  engine::Snapshot m_snapshot;
};

[[noreturn]] void fail(const std::string& what);

}  // namespace heapscape::bench
