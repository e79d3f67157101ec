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
      return u"■ argument"_s;
    case SlotState::Size:
      return u"· size"_s;
    case SlotState::Filled:
      return u"● filled"_s;
    case SlotState::Empty:
      return u"○ empty"_s;
    case SlotState::Beyond:
      return u"◌ beyond"_s;
    case SlotState::Free:
      break;
  }
  return u"– free"_s;
}

QString slotStateDetail(const DictionarySlot& slot) {
  switch (slot.state) {
    case SlotState::Argument:
      return u"A type argument, there from the start"_s;
    case SlotState::Size:
      return u"Of the dictionary itself, for code that asks for a slot it may lack"_s;
    case SlotState::Filled:
      return u"Looked up before: it is read from here"_s;
    case SlotState::Empty:
      return u"Not looked up yet: the runtime is asked once, and fills it"_s;
    case SlotState::Beyond:
      return u"The dictionary ends before it: the runtime is asked once, and makes a larger one"_s;
    case SlotState::Free:
      break;
  }
  return u"No code looks anything up here yet"_s;
}

QString wantedText(const DictionarySlot& slot) {
  return slot.isOfReadyToRun ? u"by ReadyToRun code"_s : fromEngine(slot.wanted);
}

QString usersOf(LookupSource source) {
  switch (source) {
    case LookupSource::None:
      break;
    case LookupSource::This:
      return u"Instance methods"_s;
    case LookupSource::MethodTable:
      return u"Static methods, those of structs and interfaces (hidden argument)"_s;
    case LookupSource::Method:
      return u"Generic methods (hidden argument)"_s;
  }
  return {};
}

QString figuresText(const DictionaryFigures& figures) {
  QString text = u"%1 of %2 slots used: %3 filled, %4 empty, %5 beyond the end"_s.arg(
      countText(figures.used), countText(figures.layoutSlots), countText(figures.filled), countText(figures.empty),
      countText(figures.beyond));
  if (figures.layoutSlots > figures.initialSlots)
    text += u"; behind the first %1 the size is read, too"_s.arg(countText(figures.initialSlots));
  if (figures.isLayoutFull) text += u"; the layout is full, what more is looked up asks the runtime every time"_s;
  return text;
}

QString inheritedText(const InheritedLookups& row) {
  if (!row.isOutdated) return u"= the parent's own"_s;
  return row.missed > 0 ? u"older, a miss costs once"_s : u"older, with all that is used"_s;
}

QString inheritedDetail(const InheritedLookups& row) {
  if (!row.isOutdated) return u"The type and its parent use the same dictionary."_s;
  return u"The parent's dictionary has grown since the type was made, which keeps the old one. The next lookup "
         "that misses there asks the runtime, which then gives the type the new one."_s;
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
  schema.columns.push_back({.setup = {.field = "outdated", .title = u"State"_s, .letters = 27},
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
    lines << u"%1: %2, %3 reads"_s.arg(usersOf(path.source), steps.join(u" → "_s), countText(path.reads()));
  }
  if (type.dictionaryFigures.layout) lines << figuresText(type.dictionaryFigures);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace heapscape::gui
