// SPDX-License-Identifier: MIT
#include "views/insights/insight_items.h"

#include <QObject>

#include "insight/insight_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

RowSchema<engine::InsightItem> insightItemSchema(engine::InsightKind kind) {
  using engine::InsightItem;
  const bool isGap = kind == engine::InsightKind::Fragmentation;
  RowSchema<InsightItem> schema{.table = &engine::insightItemsTable()};
  schema.columns.push_back(
      {.setup = {.field = "address", .title = isGap ? u"Free object"_s : u"Object"_s}, .object = &InsightItem::object});
  schema.columns.push_back({.setup = {.field = "bytes", .bar = ColumnBar::Plain}});
  schema.columns.push_back({.setup = {.field = "text", .letters = 24, .stretches = true}});
  schema.identity = [](const InsightItem& item) { return item.object; };
  return schema;
}

}  // namespace heapscape::gui
