// SPDX-License-Identifier: MIT
#include "views/insights/insight_items.h"

#include <QObject>

#include "widgets/text/figures.h"

namespace heapscape::gui {

RowSchema<engine::InsightItem> insightItemSchema(engine::InsightKind kind) {
  using engine::InsightItem;
  const bool isGap = kind == engine::InsightKind::Fragmentation;
  RowSchema<InsightItem> schema;
  schema.columns = {
      {.setup = {.title = isGap ? QObject::tr("Gap") : QObject::tr("Object"), .look = ColumnLook::Address},
       .number = [](const InsightItem& item) { return item.object.value; },
       .link = [](const InsightItem& item) { return RowLink{.object = item.object}; }},
      {.setup = {.title = QObject::tr("Bytes"),
                 .tip = QObject::tr("Its share"),
                 .look = ColumnLook::Bytes,
                 .hidesZero = true,
                 .bar = ColumnBar::Plain},
       .number = [](const InsightItem& item) { return item.bytes; }},
      {.setup = {.title = QObject::tr("What it is"), .letters = 24, .stretches = true},
       .words = [](const InsightItem& item) { return fromEngine(item.text); }},
  };
  schema.identity = [](const InsightItem& item) { return item.object; };
  return schema;
}

}  // namespace heapscape::gui
