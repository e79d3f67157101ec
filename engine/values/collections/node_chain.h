// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "values/instance.h"

namespace heapscape::engine {

/// Objects of one type that refer to each other, with the places of their fields.
struct NodeShape {
  Address methodTable;
  std::uint32_t next = 0, key = 0, value = 0;  // from the object's address
};

/// Where the fields of a node's type lie; `nextName` and `keyName` may be empty.
Result<NodeShape> readNodeShape(const Instance& node, std::string_view nextName, std::string_view keyName,
                                std::string_view valueName);

/// Whether there is an object of exactly this type at the address.
bool isNode(const AddressSpace& memory, Address node, Address methodTable);

/// A walk along references that tells when it has come to a place for the second time (Brent's algorithm).
class CycleWatch {
 public:
  /// True if the place was seen before.
  bool isRepeated(Address place) {
    if (place == m_mark) return true;
    if (++m_steps == m_limit) {
      m_mark = place;
      m_steps = 0;
      m_limit *= 2;
    }
    return false;
  }

 private:
  Address m_mark;
  std::uint64_t m_steps = 0;
  std::uint64_t m_limit = 1;
};

}  // namespace heapscape::engine
