// SPDX-License-Identifier: MIT
#include "models/retained_cell.h"

#include "models/cells/roles.h"
#include "models/names/reach_text.h"
#include "session/objects/retained_query.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

QString unknownText() {
  return u"–"_s;
}

QVariant retainedCell(const std::optional<engine::Snapshot>& snapshot, engine::Address object, int role) {
  if (!object) return {};
  if (!snapshot || !snapshot->has(engine::Stage::Retained)) {
    if (role == Qt::DisplayRole) return unknownText();
    return role == Qt::ToolTipRole ? QVariant(u"Retained sizes are not known yet."_s) : QVariant();
  }
  const auto bytes = engine::retainedBytesAt(*snapshot, object);
  if (!bytes) return {};
  const bool isGarbage = *bytes == 0 && engine::retainedOf(*snapshot, object)->isGarbage;
  switch (role) {
    case Qt::DisplayRole:
      return *bytes == 0 ? unreachedText(isGarbage) : bytesText(*bytes);
    case kPlainRole:
      return QString::number(*bytes);
    case Qt::ToolTipRole:
      return *bytes == 0 ? unreachedTip(isGarbage) : u"%1 would be freed with it"_s.arg(exactBytesText(*bytes));
    default:
      return {};
  }
}

}  // namespace heapscape::gui
