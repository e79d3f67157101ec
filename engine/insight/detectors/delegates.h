// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "insight/heap_objects.h"

namespace heapscape::engine {

/// A delegate that calls several others.
struct InvocationList {
  std::uint32_t delegate = 0;  // ObjectId
  std::vector<std::uint32_t> called;
};

/// Reads many delegates, by ObjectId, with the offsets that values/reading/delegate_details reads single ones with.
class Delegates {
 public:
  explicit Delegates(const HeapObjects& heap);

  /// Types with objects that are delegates.
  const std::vector<TypeId>& types() const { return m_types; }
  /// Returns what a multicast delegate calls; nothing for every other one, and where there are fewer than `minimum`.
  InvocationList listOf(std::uint32_t delegate, std::size_t minimum) const;
  /// Returns what the method is called on: kNone for a static method, and for what cannot be read.
  std::uint32_t targetOf(std::uint32_t delegate) const;
  /// "Shop.View.OnPlaced"; empty if it cannot be told.
  std::string methodOf(std::uint32_t delegate) const;
  /// Where its code is: the same for all delegates of one method that were made with the same code.
  Address codeOf(std::uint32_t delegate) const;

 private:
  std::uint64_t word(std::uint32_t delegate, std::uint64_t offset) const;

  const HeapObjects& m_heap;
  std::vector<TypeId> m_types;
  std::uint64_t m_target, m_code, m_secondCode, m_list, m_count;
};

/// Whether a type is the class that the compiler made for lambdas that capture nothing: there is one object of it for
/// all times.
bool isSharedLambdas(std::string_view typeName);

}  // namespace heapscape::engine
