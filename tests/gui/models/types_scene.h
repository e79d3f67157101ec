// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/rows_table.h"
#include "support/place_scene.h"
#include "views/types/object_list.h"
#include "views/types/types_place.h"

namespace heapscape::gui::test {

struct TypesScene : PlaceScene<TypesPlace> {
  TypesScene() : PlaceScene(PlaceId::Types) {}
  /// Of the page of objects.
  ObjectList& objects() { return *static_cast<ObjectList*>(part<RowsTable>("foundObjects")->parentWidget()); }
};

}  // namespace heapscape::gui::test
