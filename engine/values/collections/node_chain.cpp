// SPDX-License-Identifier: MIT
#include "values/collections/node_chain.h"

#include "heap/object_head.h"

namespace heapscape::engine {

Result<NodeShape> readNodeShape(const Instance& node, std::string_view nextName, std::string_view keyName,
                                std::string_view valueName) {
  constexpr auto kFields = static_cast<std::uint32_t>(Instance::kFieldsOffset);
  NodeShape shape{node.type().address};
  HEAPSCAPE_TRY(const std::uint32_t value, node.offsetOf(valueName));
  shape.value = kFields + value;
  if (!nextName.empty()) {
    HEAPSCAPE_TRY(const std::uint32_t next, node.offsetOf(nextName));
    shape.next = kFields + next;
  }
  if (!keyName.empty()) {
    HEAPSCAPE_TRY(const std::uint32_t key, node.offsetOf(keyName));
    shape.key = kFields + key;
  }
  return shape;
}

bool isNode(const AddressSpace& memory, Address node, Address methodTable) {
  Address found;
  return memory.tryRead(node, found) && (found.value & kMethodTableMask) == methodTable.value;
}

}  // namespace heapscape::engine
