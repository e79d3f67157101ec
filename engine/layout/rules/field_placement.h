// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "layout/type_layout.h"

namespace heapscape::engine {

/// Why a type that asks for sequential layout does not get it.
enum class SequentialObstacle : std::uint8_t {
  None,
  Reference,  // an own field is a reference, or a value type that holds one
  InheritedReference,
  BaseNotSequential,
  AutoField,  // a value type with auto layout; by classic rules alone
};

/// Where the runtime puts the fields of a type, and what it needs to know of it to place it inside others. All offsets
/// and sizes in bytes from the start of the fields.
struct FieldPlacement {
  std::vector<std::uint32_t> offsets;  // of the own instance fields, in metadata's order
  std::vector<std::uint32_t> sizes;    // of the same, of one element
  std::uint32_t start = 0;             // where own fields may begin: the end of the base
  std::uint32_t fieldBytes = 0;        // the end, base included: of a value type its size; of a class not rounded
  std::uint32_t alignment = 1;         // of a value type inside another
  std::uint32_t repeat = 1;            // of the only field of an inline array or fixed buffer
  LayoutKind effective = LayoutKind::Auto;
  SequentialObstacle obstacle = SequentialObstacle::None;
  std::uint32_t obstacleField = 0;  // its index, for Reference and AutoField
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      references;  // [offset, bytes], base included, as the GCDesc has them
  bool isAllReferences = false;

  // What derived and surrounding types ask.
  bool isZeroSized = false;          // has layout and nothing in it; a derived class begins at 0
  bool isManagedSequential = false;  // a class below keeps its declared order
  bool isBlittable = false;
  bool dependsOnOtherBubbles = false;  // ReadyToRun code of its own assembly cannot rely on it
};

}  // namespace heapscape::engine
