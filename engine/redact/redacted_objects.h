// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/object_references.h"
#include "heap/segment_objects.h"
#include "layout/type_layout.h"
#include "redact/mapped_addresses.h"
#include "redact/redact_options.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Of an object, in front of its address: the sync block's number, a thin lock or a hash code.
inline constexpr std::uint64_t kObjectHeaderBytes = 4;

/// What is left of the objects of a heap in a redacted copy: method table, header, length, references, and of fields
/// those that hold addresses, or states without which the runtime's own objects cannot be understood (of a task whether
/// it is done, of a lock who has it). Of free objects the length alone. Safe from any thread.
class RedactedObjects {
 public:
  /// The snapshot needs the stage Objects. It and `mapped` must outlive this.
  RedactedObjects(const Snapshot& snapshot, const RedactOptions& options, const MappedAddresses& mapped);

  /// Copies into `target`, which is zeros and stands for the whole `range`, what is left of objects there.
  void fill(AddressRange range, std::span<std::byte> target) const;

 private:
  enum class When : std::uint8_t { Always, IfAddress };
  /// A field that may stay; offset from an object's address, or from an element's start.
  struct Field {
    std::uint32_t offset = 0;
    std::uint32_t sizeBytes = 0;
    When when = When::Always;
  };
  struct Plan {
    bool isFree = false;
    bool isString = false;
    bool mayBeStackTrace = false;
    bool isArray = false;
    std::uint32_t componentSize = 0;
    std::uint32_t baseSize = 0;
    std::uint32_t elementOffset = 0;
    std::vector<Field> fields = {};  // of the object, or of an array's element
  };
  class Target;

  Plan planOf(TypeId type) const;
  void addFields(const std::vector<LayoutField>& fields, std::uint32_t from, bool keepsCounts,
                 std::vector<Field>& plan) const;
  void fillSegment(SegmentId segment, AddressRange range, Target& target) const;
  /// Elements or characters as the copy says them.
  std::uint32_t shownComponents(const ObjectFacts& facts) const;
  void fillObject(const ObjectFacts& facts, Bytes bytes, Target& target) const;
  void fillReferences(const ObjectFacts& facts, Bytes bytes, Target& target) const;
  void fillString(const ObjectFacts& facts, Bytes bytes, Target& target) const;
  void fillStackTrace(const ObjectFacts& facts, Bytes bytes, Target& target) const;

  const Contents& m_contents;
  const RedactOptions m_options;
  const MappedAddresses& m_mapped;
  TypeReferences m_references;
  std::vector<SegmentObjects> m_segments;
  std::vector<Plan> m_plans;  // by TypeId
};

}  // namespace heapscape::engine
