// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "session/types/type_details.h"
#include "widgets/hex_view/object_page.h"

namespace heapscape::gui {

/// A structure of the runtime that an object leads to.
struct ObjectAnatomyBox {
  QString title;    // "EEClass"
  QString address;  // "0x7f…"; empty if there is none
  QStringList lines;
  int column = 0;
  engine::Address type;  // whose page a click opens; 0 for none
};

/// "points to", from one box to another.
struct ObjectAnatomyArrow {
  std::size_t from = 0;
  std::size_t to = 0;
};

struct ObjectAnatomy {
  std::vector<ObjectAnatomyBox> boxes;  // by column, then from the top
  std::vector<ObjectAnatomyArrow> arrows;
};

/// Object → method table → EEClass, with parent and module; without the type's details only the first two.
ObjectAnatomy objectAnatomy(const ObjectPage& page, const std::optional<engine::TypeDetails>& type);

}  // namespace heapscape::gui
