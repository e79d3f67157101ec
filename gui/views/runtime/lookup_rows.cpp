// SPDX-License-Identifier: MIT
#include "views/runtime/lookup_rows.h"

#include <QObject>
#include <QStringList>

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
      return QObject::tr("■ argument");
    case SlotState::Size:
      return QObject::tr("· size");
    case SlotState::Filled:
      return QObject::tr("● filled");
    case SlotState::Empty:
      return QObject::tr("○ empty");
    case SlotState::Beyond:
      return QObject::tr("◌ beyond");
    case SlotState::Free:
      break;
  }
  return QObject::tr("– free");
}

QString slotStateDetail(const DictionarySlot& slot) {
  switch (slot.state) {
    case SlotState::Argument:
      return QObject::tr("A type argument, there from the start");
    case SlotState::Size:
      return QObject::tr("Of the dictionary itself, for code that asks for a slot it may lack");
    case SlotState::Filled:
      return QObject::tr("Looked up before: it is read from here");
    case SlotState::Empty:
      return QObject::tr("Not looked up yet: the runtime is asked once, and fills it");
    case SlotState::Beyond:
      return QObject::tr("The dictionary ends before it: the runtime is asked once, and makes a larger one");
    case SlotState::Free:
      break;
  }
  return QObject::tr("No code looks anything up here yet");
}

QString nextText(const DictionarySlot& slot) {
  switch (slot.state) {
    case SlotState::Argument:
      return QObject::tr("read");
    case SlotState::Filled:
      return slot.checksSize ? QObject::tr("size and slot read") : QObject::tr("read");
    case SlotState::Empty:
      return QObject::tr("asks the runtime once");
    case SlotState::Beyond:
      return QObject::tr("asks once, and grows");
    case SlotState::Size:
    case SlotState::Free:
      break;
  }
  return {};
}

QString wantedText(const DictionarySlot& slot) {
  return slot.isOfReadyToRun ? QObject::tr("by ReadyToRun code") : fromEngine(slot.wanted);
}

QString usersOf(LookupSource source) {
  switch (source) {
    case LookupSource::None:
      break;
    case LookupSource::This:
      return QObject::tr("Instance methods");
    case LookupSource::MethodTable:
      return QObject::tr("Static methods, those of structs and interfaces (hidden argument)");
    case LookupSource::Method:
      return QObject::tr("Generic methods (hidden argument)");
  }
  return {};
}

QString figuresText(const DictionaryFigures& figures) {
  QString text = QObject::tr("%1 of %2 slots used: %3 filled, %4 empty, %5 beyond the end")
                     .arg(countText(figures.used), countText(figures.layoutSlots), countText(figures.filled),
                          countText(figures.empty), countText(figures.beyond));
  if (figures.layoutSlots > figures.initialSlots)
    text += QObject::tr("; behind the first %1 the size is read, too").arg(countText(figures.initialSlots));
  if (figures.isLayoutFull)
    text += QObject::tr("; the layout is full, what more is looked up asks the runtime every time");
  return text;
}

template <class Row>
RowColumn<Row> countColumn(const QString& title, const QString& tip, std::function<std::uint64_t(const Row&)> number) {
  return {.setup = {.title = title, .tip = tip, .look = ColumnLook::Count, .letters = 8}, .number = std::move(number)};
}

QString inheritedText(const InheritedLookups& row) {
  if (!row.isOutdated) return QObject::tr("= the parent's own");
  return row.missed > 0 ? QObject::tr("older, a miss costs once") : QObject::tr("older, with all that is used");
}

QString inheritedDetail(const InheritedLookups& row) {
  if (!row.isOutdated) return QObject::tr("The type and its parent use the same dictionary.");
  return QObject::tr(
      "The parent's dictionary has grown since the type was made, which keeps the old one. The next lookup "
      "that misses there asks the runtime, which then gives the type the new one.");
}

}  // namespace

RowSchema<DictionarySlot> dictionarySchema() {
  RowSchema<DictionarySlot> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Slot"), .look = ColumnLook::Count, .letters = 6},
       .number = [](const DictionarySlot& slot) { return std::uint64_t{slot.index}; }},
      {.setup = {.title = QObject::tr("State"), .letters = 12, .holdsContents = false},
       .words = [](const DictionarySlot& slot) { return stateText(slot.state); },
       .detail = slotStateDetail},
      {.setup = {.title = QObject::tr("Looked up"),
                 .tip = QObject::tr("What the shared code asks for, in its own words"),
                 .letters = 26,
                 .isSearched = true,
                 .holdsContents = false},
       .words = wantedText},
      {.setup = {.title = QObject::tr("Meaning"),
                 .letters = 26,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = [](const DictionarySlot& slot) { return fromEngine(slot.meaning); }},
      {.setup = {.title = QObject::tr("Next lookup"),
                 .tip = QObject::tr("What the next one costs, on top of the way to the dictionary"),
                 .letters = 26,
                 .holdsContents = false},
       .words = nextText},
      {.setup = {.title = QObject::tr("Value"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const DictionarySlot& slot) { return slot.state == SlotState::Size ? 0 : slot.value.value; }},
      {.setup = {.title = QObject::tr("Address"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const DictionarySlot& slot) { return slot.address.value; }},
  };
  schema.identity = [](const DictionarySlot& slot) { return slot.address; };
  return schema;
}

RowSchema<InheritedLookups> inheritedSchema() {
  RowSchema<InheritedLookups> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Parent"), .look = ColumnLook::TypeName, .stretches = true, .isSearched = true},
       .words = [](const InheritedLookups& row) { return fromEngine(row.owner); },
       .link =
           [](const InheritedLookups& row) {
             return RowLink{{}, row.ownerMethodTable};
           }},
      {.setup = {.title = QObject::tr("State"), .letters = 27, .holdsContents = false},
       .words = inheritedText,
       .detail = inheritedDetail,
       .isWarning = [](const InheritedLookups& row) { return row.isOutdated && row.missed > 0; }},
      countColumn<InheritedLookups>(QObject::tr("Room"), QObject::tr("Slots of the dictionary that this type uses"),
                                    [](const InheritedLookups& row) { return std::uint64_t{row.room}; }),
      countColumn<InheritedLookups>(QObject::tr("Used"), QObject::tr("Slots that code looks up"),
                                    [](const InheritedLookups& row) { return std::uint64_t{row.used}; }),
      countColumn<InheritedLookups>(QObject::tr("Missed"), QObject::tr("Used slots that it lacks, or that are empty"),
                                    [](const InheritedLookups& row) { return std::uint64_t{row.missed}; }),
      {.setup = {.title = QObject::tr("Dictionary"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const InheritedLookups& row) { return row.dictionary.value; }},
      {.setup = {.title = QObject::tr("The parent's"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const InheritedLookups& row) { return row.current.value; }},
  };
  schema.identity = [](const InheritedLookups& row) { return row.dictionary; };
  return schema;
}

RowSchema<MethodLookups> methodLookupSchema() {
  RowSchema<MethodLookups> schema;
  const auto figure = [](const QString& title, const QString& tip, std::uint32_t DictionaryFigures::*member) {
    return countColumn<MethodLookups>(
        title, tip, [member](const MethodLookups& row) { return std::uint64_t{row.figures.*member}; });
  };
  schema.columns = {
      {.setup = {.title = QObject::tr("Method"),
                 .letters = 40,
                 .stretches = true,
                 .isSearched = true,
                 .holdsContents = false},
       .words = [](const MethodLookups& row) { return fromEngine(row.name); },
       .detail = [](const MethodLookups& row) { return figuresText(row.figures); }},
      figure(QObject::tr("Used"), QObject::tr("Slots that code looks up"), &DictionaryFigures::used),
      figure(QObject::tr("Filled"), QObject::tr("Read when they are looked up next"), &DictionaryFigures::filled),
      figure(QObject::tr("Empty"), QObject::tr("The next lookup asks the runtime, once"), &DictionaryFigures::empty),
      figure(QObject::tr("Beyond"), QObject::tr("Behind the end: the next lookup makes a larger dictionary"),
             &DictionaryFigures::beyond),
      {.setup = {.title = QObject::tr("Dictionary"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const MethodLookups& row) { return row.figures.address.value; }},
      {.setup = {.title = QObject::tr("MethodDesc"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const MethodLookups& row) { return row.methodDesc.value; }},
  };
  schema.identity = [](const MethodLookups& row) { return row.methodDesc; };
  return schema;
}

QString lookupText(const engine::TypeDetails& type) {
  QStringList lines;
  for (const engine::LookupPath& path : type.lookupPaths) {
    QStringList steps;
    for (const std::string& step : path.steps) steps << fromEngine(step);
    lines << QObject::tr("%1: %2, %3 reads")
                 .arg(usersOf(path.source), steps.join(QStringLiteral(" → ")), countText(path.reads()));
  }
  if (type.dictionaryFigures.layout) lines << figuresText(type.dictionaryFigures);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace heapscape::gui
