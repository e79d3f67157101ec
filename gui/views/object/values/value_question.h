// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "session/details/object_details.h"

namespace heapscape::gui {

/// What a line of the tree of values asks for when it is opened for the first time.
struct ValueQuestion {
  enum class Kind : std::uint8_t { Object, Elements, Items };
  Kind kind = Kind::Object;
  engine::Address object;   // the array or collection, where it is about a part of one
  std::uint64_t first = 0;  // of Elements and Items
  std::size_t count = 0;
};

/// The member that the question's kind names.
struct ValueAnswer {
  std::optional<engine::ObjectDetails> object;
  std::vector<engine::FieldValue> elements;
  std::vector<engine::CollectionItem> items;
};

/// On the engine thread.
engine::Outcome<ValueAnswer> readValues(const engine::Snapshot& snapshot, const ValueQuestion& question,
                                        std::stop_token stop);

}  // namespace heapscape::gui
