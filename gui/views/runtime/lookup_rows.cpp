// SPDX-License-Identifier: MIT
#include "views/runtime/lookup_rows.h"

#include <QObject>
#include <QStringList>

#include "tables/generic_tables.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::DictionaryFigures;
using engine::DictionarySlot;
using engine::InheritedLookups;
using engine::LookupSource;
using engine::MethodLookups;
using engine::SlotState;

QString stateText(SlotState state) {
  switch (state) {
    case SlotState::Argument:
      return QStringLiteral("■ argument");
    case SlotState::Size:
      return QStringLiteral("· size");
    case SlotState::Filled:
      return QStringLiteral("● filled");
    case SlotState::Empty:
      return QStringLiteral("○ empty");
    case SlotState::Beyond:
      return QStringLiteral("◌ beyond");
    case SlotState::Free:
      break;
  }
  return QStringLiteral("– free");
}

QString slotStateDetail(const DictionarySlot& slot) {
  switch (slot.state) {
    case SlotState::Argument:
      return QStringLiteral("A type argument, there from the start");
    case SlotState::Size:
      return QStringLiteral("Of the dictionary itself, for code that asks for a slot it may lack");
    case SlotState::Filled:
      return QStringLiteral("Looked up before: it is read from here");
    case SlotState::Empty:
      return QStringLiteral("Not looked up yet: the runtime is asked once, and fills it");
    case SlotState::Beyond:
      return QStringLiteral("The dictionary ends before it: the runtime is asked once, and makes a larger one");
    case SlotState::Free:
      break;
  }
  return QStringLiteral("No code looks anything up here yet");
}

QString wantedText(const DictionarySlot& slot) {
  return slot.isOfReadyToRun ? QStringLiteral("by ReadyToRun code") : fromEngine(slot.wanted);
}

QString usersOf(LookupSource source) {
  switch (source) {
    case LookupSource::None:
      break;
    case LookupSource::This:
      return QStringLiteral("Instance methods");
    case LookupSource::MethodTable:
      return QStringLiteral("Static methods, those of structs and interfaces (hidden argument)");
    case LookupSource::Method:
      return QStringLiteral("Generic methods (hidden argument)");
  }
  return {};
}

QString figuresText(const DictionaryFigures& figures) {
  QString text = QStringLiteral("%1 of %2 slots used: %3 filled, %4 empty, %5 beyond the end")
                     .arg(countText(figures.used), countText(figures.layoutSlots), countText(figures.filled),
                          countText(figures.empty), countText(figures.beyond));
  if (figures.layoutSlots > figures.initialSlots)
    text += QStringLiteral("; behind the first %1 the size is read, too").arg(countText(figures.initialSlots));
  if (figures.isLayoutFull)
    text += QStringLiteral("; the layout is full, what more is looked up asks the runtime every time");
  return text;
}

QString inheritedText(const InheritedLookups& row) {
  if (!row.isOutdated) return QStringLiteral("= the parent's own");
  return row.missed > 0 ? QStringLiteral("older, a miss costs once") : QStringLiteral("older, with all that is used");
}

QString inheritedDetail(const InheritedLookups& row) {
  if (!row.isOutdated) return QStringLiteral("The type and its parent use the same dictionary.");
  return QStringLiteral(
      "The parent's dictionary has grown since the type was made, which keeps the old one. The next lookup "
      "that misses there asks the runtime, which then gives the type the new one.");
}

}  // namespace

RowSchema<DictionarySlot> dictionarySchema() {
  RowSchema<DictionarySlot> schema{.table = &engine::dictionaryTable()};
  schema.columns.push_back({.setup = {.field = "index", .letters = 6}});
  schema.columns.push_back({.setup = {.field = "state", .letters = 12},
                            .words = [](const DictionarySlot& slot) { return stateText(slot.state); },
                            .detail = slotStateDetail});
  schema.columns.push_back({.setup = {.field = "wanted", .letters = 26}, .words = wantedText});
  schema.columns.push_back({.setup = {.field = "meaning", .letters = 26, .stretches = true}});
  schema.columns.push_back({.setup = {.field = "next", .letters = 26}});
  // The size of a dictionary is no address.
  schema.columns.push_back({.setup = {.field = "value"}, .cell = [](const DictionarySlot& slot) {
                              return slot.state == SlotState::Size ? engine::Address{} : slot.value;
                            }});
  schema.columns.push_back({.setup = {.field = "address"}});
  schema.identity = [](const DictionarySlot& slot) { return slot.address; };
  return schema;
}

RowSchema<InheritedLookups> inheritedSchema() {
  RowSchema<InheritedLookups> schema{.table = &engine::inheritedLookupsTable()};
  schema.columns.push_back(
      {.setup = {.field = "owner", .stretches = true}, .type = &InheritedLookups::ownerMethodTable});
  schema.columns.push_back({.setup = {.field = "outdated", .title = QStringLiteral("State"), .letters = 27},
                            .words = inheritedText,
                            .detail = inheritedDetail,
                            .isWarning = [](const InheritedLookups& row) { return row.isOutdated && row.missed > 0; }});
  for (const char* field : {"room", "used", "missed"})
    schema.columns.push_back({.setup = {.field = field, .letters = 8}});
  schema.columns.push_back({.setup = {.field = "dictionary"}});
  schema.columns.push_back({.setup = {.field = "current"}});
  schema.identity = [](const InheritedLookups& row) { return row.dictionary; };
  return schema;
}

RowSchema<MethodLookups> methodLookupSchema() {
  RowSchema<MethodLookups> schema{.table = &engine::methodLookupsTable()};
  schema.columns.push_back({.setup = {.field = "name", .letters = 40, .stretches = true},
                            .detail = [](const MethodLookups& row) { return figuresText(row.figures); }});
  for (const char* field : {"used", "filled", "empty", "beyond"})
    schema.columns.push_back({.setup = {.field = field, .letters = 8}});
  schema.columns.push_back({.setup = {.field = "address"}});
  schema.columns.push_back({.setup = {.field = "methodDesc"}});
  schema.identity = [](const MethodLookups& row) { return row.methodDesc; };
  return schema;
}

QString lookupText(const engine::TypeDetails& type) {
  QStringList lines;
  for (const engine::LookupPath& path : type.lookupPaths) {
    QStringList steps;
    for (const std::string& step : path.steps) steps << fromEngine(step);
    lines << QStringLiteral("%1: %2, %3 reads")
                 .arg(usersOf(path.source), steps.join(QStringLiteral(" → ")), countText(path.reads()));
  }
  if (type.dictionaryFigures.layout) lines << figuresText(type.dictionaryFigures);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace heapscape::gui
