// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "support/place_scene.h"
#include "views/layouts/layout_panel.h"
#include "views/layouts/layouts_place.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"

namespace heapscape::gui::test {

/// The place Layouts, as wide as its tests need it.
struct LayoutsScene : PlaceScene<LayoutsPlace> {
  LayoutsScene() : PlaceScene(PlaceId::Layouts) { place.resize(1300, 800); }

  LayoutPanel& panel() { return *place.findChild<LayoutPanel*>(); }
  SideBySideCanvas& canvas() { return *panel().findChild<SideBySideCanvas*>(); }

  /// Null for none.
  engine::Address typeNamed(const char* name) const {
    const auto& types = bridge.snapshot()->types();
    const auto type = std::ranges::find(types, name, &engine::TypeRow::name);
    return type == types.end() ? engine::Address{} : type->methodTable;
  }
};

}  // namespace heapscape::gui::test
