// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "layout/layout_items.h"
#include "layout/type_layout.h"
#include "session/details/object_details.h"

namespace heapscape::gui {

/// An object ready to be shown; made on the engine thread.
struct ObjectPage {
  engine::ObjectDetails object;
  std::optional<engine::TypeLayout> layout;          // nothing if the type's layout cannot be read
  std::shared_ptr<const engine::LayoutItems> items;  // null without a layout
  std::optional<std::uint64_t> length;               // elements or characters; nothing if it has none of either
  engine::Address segmentStart;                      // where the objects of its segment begin
  std::uint32_t heap = 0;

  engine::Address address() const { return object.row.address; }
};

engine::Result<std::shared_ptr<const ObjectPage>> readObjectPage(const engine::Snapshot& snapshot,
                                                                 engine::Address address,
                                                                 const engine::DetailLimits& limits);

/// The kind of field at an offset from the object's address, so that its bytes get the colour that its field has
/// elsewhere.
engine::FieldKind kindAt(const ObjectPage& page, std::int64_t offset);

/// Calls the bytes behind an array's length unused, in every array: no padding that another order of fields would save.
void nameUnused(const ObjectPage& page, engine::ObjectBytes& bytes);

/// The innermost stretch of the layout at an offset; engine::LayoutItem::kNoItem behind what the layout shows of an
/// array.
std::uint32_t itemAt(const engine::LayoutItems& items, std::int64_t offset);
/// The stretch that is exactly these bytes, else the innermost one that holds their start.
std::uint32_t itemOf(const engine::LayoutItems& items, std::int64_t begin, std::int64_t end);

}  // namespace heapscape::gui
