// SPDX-License-Identifier: MIT
#include "views/runtime/field_rows.h"

#include <QStringList>
#include <array>

#include "models/cells/item_painting.h"
#include "tables/generic_tables.h"
#include "tables/type_detail_tables.h"
#include "widgets/text/figures.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

using engine::TypeField;

QString valueCell(const TypeField& field) {
  return field.value ? valueText(*field.value) : QString();
}

QString fieldDetail(const TypeField& field) {
  return u"%1\nFieldDesc %2, token 0x%3, element type 0x%4"_s.arg(fromEngine(field.name), addressText(field.fieldDesc))
      .arg(field.token, 8, 16, QLatin1Char('0'))
      .arg(field.elementType, 2, 16, QLatin1Char('0'));
}

using engine::MethodState;
using engine::TypeMethod;

enum MethodGroup : std::size_t { Introduced, Inherited, NotVirtual };

MethodGroup kindOf(const TypeMethod& method) {
  if (method.isInherited) return Inherited;
  return method.isVirtual ? Introduced : NotVirtual;
}

QString stateText(MethodState state, engine::Address code) {
  switch (state) {
    case MethodState::None:
      return code ? u"◇ the runtime's"_s : u"○ no code yet"_s;
    case MethodState::ReadyToRun:
      return u"◆ ReadyToRun"_s;
    case MethodState::Jitted:
      break;
  }
  return u"● jitted"_s;
}

QString codeText(const engine::MethodCode& code) {
  QStringList parts{stateText(code.state, code.start)};
  if (!code.tier.empty()) parts << fromEngine(code.tier);
  if (code.sizeBytes) parts << exactBytesText(code.sizeBytes);
  parts << u"at %1"_s.arg(addressText(code.start));
  if (code.isActive) parts << u"calls run it"_s;
  return parts.join(u", "_s);
}

QString stateDetail(const TypeMethod& method) {
  QStringList lines;
  switch (method.state) {
    case MethodState::None:
      lines << (method.code ? u"Runs code of the runtime itself."_s
                            : u"Never called: it is compiled when it first is."_s);
      break;
    case MethodState::ReadyToRun:
      lines << u"Runs native code that the module brought along."_s;
      break;
    case MethodState::Jitted:
      lines << u"Runs code that the just-in-time compiler has made."_s;
  }
  if (method.versions.size() > 1) {
    lines << u"There are %1 versions of it:"_s.arg(countText(method.versions.size()));
    for (const engine::MethodCode& code : method.versions) lines << codeText(code);
  }
  return lines.join(QLatin1Char('\n'));
}

QString marksOf(const TypeMethod& method) {
  QStringList marks;
  if (method.isVirtual) marks << u"virtual"_s;
  if (method.isInherited) marks << u"inherited"_s;
  if (method.isShared) marks << u"shared code"_s;
  return marks.join(wordSeparator());
}

QString methodDetail(const TypeMethod& method) {
  return u"%1.%2\nMethodDesc %3, token 0x%4"_s
      .arg(fromEngine(method.declaringType), fromEngine(method.name), addressText(method.methodDesc))
      .arg(method.token, 8, 16, QLatin1Char('0'));
}

// Which code runs, how well it is optimised, and how long it is.
void addCodeColumns(RowSchema<TypeMethod>& schema) {
  schema.columns.push_back({.setup = {.field = "state", .letters = 15},
                            .words = [](const TypeMethod& method) { return stateText(method.state, method.code); },
                            .detail = stateDetail});
  schema.columns.push_back({.setup = {.field = "tier", .letters = 12}});
  schema.columns.push_back({.setup = {.field = "codeBytes"}});
}

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

using engine::TypeDetails;

Fact addressFact(const QString& label, engine::Address address, const QString& detail = {}) {
  return {.label = label,
          .value = address ? addressText(address) : u"none"_s,
          .detail = detail,
          .isFixed = static_cast<bool>(address),
          .address = address};
}

Fact wordFact(const QString& label, const std::string& text) {
  return {.label = label, .value = text.empty() ? u"–"_s : fromEngine(text)};
}

Fact countFact(const QString& label, std::uint64_t count) {
  return {.label = label, .value = countText(count)};
}

QString yesNo(bool isSo) {
  return isSo ? u"yes"_s : u"no"_s;
}

QString listed(const std::vector<std::string>& names, const QString& separator) {
  QStringList words;
  for (const std::string& name : names) words << fromEngine(name);
  return words.join(separator);
}

QString hexText(std::uint32_t bits) {
  return u"0x%1"_s.arg(bits, 8, 16, QLatin1Char('0'));
}

FactGroup typeGroup(const TypeDetails& type) {
  FactGroup group{.heading = u"Type"_s, .facts = {}};
  group.facts = {wordFact(u"Kind"_s, type.kind),
                 wordFact(u"In C#"_s, type.csharpName),
                 wordFact(u"In metadata"_s, type.clrName),
                 {.label = u"Token"_s, .value = hexText(type.token), .isFixed = true},
                 {.label = u"Attributes"_s,
                  .value = listed(type.attributeNames, u", "_s),
                  .detail = u"%1 %2"_s.arg(hexText(type.attributes), listed(type.attributeNames, u", "_s))},
                 wordFact(u"Element type"_s, type.elementType)};
  if (type.rank > 0) group.facts.push_back(countFact(u"Rank"_s, type.rank));
  if (type.elementTypeLink) group.facts.push_back(wordFact(u"Elements"_s, type.elementTypeLink->name));
  return group;
}

FactGroup methodTableGroup(const TypeDetails& type) {
  FactGroup group{.heading = u"Method table"_s, .facts = {}};
  const bool isCanonical = type.canonical.methodTable == type.methodTable;
  group.facts = {
      addressFact(u"Address"_s, type.methodTable),
      {.label = u"Canonical"_s,
       .value = isCanonical ? u"itself"_s : addressText(type.canonical.methodTable),
       .detail = fromEngine(type.canonical.name),
       .isFixed = !isCanonical,
       .address = isCanonical ? engine::Address{} : type.canonical.methodTable},
      {.label = u"Base size"_s, .value = bytesText(type.baseSize), .detail = exactBytesText(type.baseSize)},
      {.label = u"Component size"_s,
       .value = bytesText(type.componentSize),
       .detail = exactBytesText(type.componentSize)},
      {.label = u"Slots"_s,
       .value = u"%1 virtual, %2 in all"_s.arg(countText(type.vtableSlots), countText(type.totalSlots))},
      countFact(u"Interfaces"_s, type.interfaces.size()),
      {.label = u"References"_s,
       .value = yesNo(type.containsPointers),
       .detail = u"Whether its objects hold references that the GC has to follow"_s},
      {.label = u"Flags"_s,
       .value = u"%1 %2"_s.arg(hexText(type.flags), hexText(type.flags2)),
       .detail = listed(type.flagNames, u"\n"_s),
       .isFixed = true},
      addressFact(u"Auxiliary data"_s, type.auxiliaryData),
  };
  return group;
}

/// Facts that only some classes have, by the runtime's names.
void addClassParts(const TypeDetails& type, std::vector<Fact>& facts) {
  const auto add = [&](const QString& label, const QString& value, const QString& detail) {
    facts.push_back({.label = label, .value = value, .detail = detail});
  };
  if (const auto& optional = type.eeClassOptionalFields) {
    facts.push_back(addressFact(u"Dictionary layout"_s, optional->dictionaryLayout));
    if (!optional->variances.empty()) add(u"Variance"_s, listed(optional->variances, u", "_s), u"VarianceInfo"_s);
    if (!optional->registers.empty()) {
      add(u"In registers"_s, fromEngine(engine::registersText(*optional)),
          u"How values are passed: EightByteRegistersInfo"_s);
    }
    if (optional->fieldAlignment)
      add(u"Field alignment"_s, countText(optional->fieldAlignment), u"RequiredFieldAlignment"_s);
    if (optional->staticsId) add(u"Statics id"_s, countText(*optional->staticsId), u"ModuleDynamicID"_s);
  }
  if (const auto& layout = type.eeClassLayout) {
    const QString detail = u"EEClassLayoutInfo at %1"_s.arg(addressText(layout->address));
    if (!layout->kind.empty()) add(u"Layout"_s, fromEngine(layout->kind), detail);
    if (layout->managedSize) add(u"Size of fields"_s, bytesText(*layout->managedSize), detail);
    add(u"Largest alignment"_s, countText(layout->largestAlignment), detail);
    add(u"Packing"_s, countText(layout->packing), detail);
    add(u"Layout flags"_s, layout->flags.empty() ? u"none"_s : listed(layout->flags, u", "_s), detail);
  }
}

/// The other counts of the EEClass; the runtime's own name stands in the tooltip.
void addClassFigures(const TypeDetails& type, std::vector<Fact>& facts) {
  struct Label {
    const char* name;
    QString label;
  };
  const std::array labels{Label{"NumHandleStatics", u"Static references"_s},
                          Label{"NumBoxedStatics", u"Boxed statics"_s},
                          Label{"NonGCStaticFieldBytes", u"Static bytes"_s},
                          Label{"NumHandleThreadStatics", u"Thread references"_s},
                          Label{"NumBoxedThreadStatics", u"Boxed thread statics"_s},
                          Label{"NonGCThreadStaticFieldBytes", u"Thread static bytes"_s},
                          Label{"NumNonVirtualSlots", u"Slots not virtual"_s}};
  for (const Label& label : labels) {
    for (const engine::EEClassFigure& figure : type.eeClassFigures) {
      if (figure.name == label.name)
        facts.push_back(
            {.label = label.label, .value = countText(figure.value), .detail = QString::fromLatin1(label.name)});
    }
  }
}

FactGroup classGroup(const TypeDetails& type) {
  FactGroup group{
      .heading = u"EEClass"_s,
      .facts = {addressFact(u"Address"_s, type.eeClass),
                addressFact(u"Optional fields"_s,
                            type.eeClassOptionalFields ? type.eeClassOptionalFields->address : engine::Address{},
                            u"EEClassOptionalFields: what few types need"_s),
                countFact(u"Methods"_s, type.methodCount),
                countFact(u"Instance fields"_s, type.instanceFieldCount),
                countFact(u"Static fields"_s, type.staticFieldCount),
                countFact(u"Thread statics"_s, type.threadStaticFieldCount),
                {.label = u"Dynamic statics"_s, .value = yesNo(type.isDynamicStatics)},
                {.label = u"Initialised"_s,
                 .value = yesNo(type.isClassInitialised),
                 .detail = u"Whether its static constructor has run, or it has none"_s},
                {.label = u"Finalizer"_s, .value = yesNo(type.hasFinalizer)}}};
  addClassFigures(type, group.facts);
  addClassParts(type, group.facts);
  return group;
}

FactGroup moduleGroup(const TypeDetails& type) {
  return {.heading = u"Module"_s,
          .facts = {wordFact(u"Name"_s, type.moduleName),
                    wordFact(u"Path"_s, type.modulePath),
                    wordFact(u"Load context"_s, type.loadContext),
                    addressFact(u"Module"_s, type.module),
                    addressFact(u"Loader module"_s, type.loaderModule),
                    addressFact(u"Loader allocator"_s, type.loaderAllocator),
                    {.label = u"Collectible"_s,
                     .value = yesNo(type.isCollectible),
                     .detail = u"Whether the type can be unloaded"_s}}};
}

}  // namespace

RowSchema<TypeField> fieldSchema() {
  RowSchema<TypeField> schema{.table = &engine::fieldsTable()};
  schema.columns.push_back({.setup = {.field = "objectOffset", .letters = 8},
                            .detail = [](const TypeField& field) { return u"0x%1"_s.arg(field.objectOffset, 0, 16); }});
  schema.columns.push_back({.setup = {.field = "offset", .letters = 7},
                            .detail = [](const TypeField& field) { return u"0x%1"_s.arg(field.offset, 0, 16); }});
  schema.columns.push_back({.setup = {.field = "size"}});
  schema.columns.push_back({.setup = {.field = "name", .letters = 26, .stretches = true},
                            .words = [](const TypeField& field) { return fieldNameText(field.name); },
                            .detail = fieldDetail});
  schema.columns.push_back({.setup = {.field = "type", .letters = 32}, .type = &TypeField::typeMethodTable});
  schema.columns.push_back(
      {.setup = {.field = "value", .letters = 24},
       .words = valueCell,
       .object = [](const TypeField& field) { return field.value ? field.value->object : engine::Address{}; },
       .detail = [](const TypeField& field) { return field.value ? valueTip(*field.value) : QString(); }});
  schema.columns.push_back({.setup = {.field = "valueType", .letters = 5},
                            .words = [](const TypeField& field) { return field.isValueType ? u"yes"_s : u"no"_s; }});
  schema.columns.push_back({.setup = {.field = "declaredType", .letters = 22}});
  schema.columns.push_back({.setup = {.field = "attributes", .letters = 18}});
  schema.columns.push_back(
      {.setup = {.field = "declaringType", .letters = 22}, .type = &TypeField::declaringMethodTable});
  schema.columns.push_back({.setup = {.field = "declaringMethodTable"}});
  schema.columns.push_back(
      {.setup = {.field = "token", .isInWords = true, .letters = 14},
       .words = [](const TypeField& field) { return u"%1"_s.arg(field.token, 8, 16, QLatin1Char('0')); }});
  schema.columns.push_back({.setup = {.field = "fieldDesc"}});
  schema.kinds = {
      {.name = u"Instance"_s, .tip = u"In every object, parents' fields first."_s},
      {.name = u"Static"_s, .tip = u"Once for the type."_s},
      {.name = u"Thread static"_s, .tip = u"Once for each thread."_s},
      {.name = u"RVA"_s, .tip = u"Data in the module's image."_s},
  };
  schema.kindOf = [](const TypeField& field) { return static_cast<std::size_t>(engine::homeOf(field)); };
  schema.identity = [](const TypeField& field) { return field.fieldDesc; };
  return schema;
}

RowSchema<engine::TypeEnumMember> enumMemberSchema() {
  using Member = engine::TypeEnumMember;
  RowSchema<Member> schema{.table = &engine::enumMembersTable()};
  schema.columns.push_back({.setup = {.field = "name", .letters = 32, .stretches = true}});
  schema.columns.push_back({.setup = {.field = "value", .isInWords = true, .letters = 20},
                            .words = [](const Member& member) { return fromEngine(member.value); }});
  schema.columns.push_back({.setup = {.field = "hex", .isInWords = true, .letters = 20},
                            .words = [](const Member& member) { return u"0x%1"_s.arg(member.bits, 0, 16); }});
  return schema;
}

using engine::GenericDefinition;
using engine::TypeArgument;
using engine::TypeLink;

namespace {

QString codeDetail(const GenericDefinition& definition) {
  QString text = u"%1, of it %2 jitted; %3 of %4 with code"_s.arg(
      exactBytesText(definition.codeBytes), exactBytesText(definition.jittedBytes),
      countText(definition.methodsWithCode), countedText(definition.methods, u"method"_s));
  if (definition.codeSizeUnknown > 0) {
    text += QLatin1Char('\n') +
            u"The code size of %1 is unknown."_s.arg(countedText(definition.codeSizeUnknown, u"method"_s));
  }
  return text;
}

}  // namespace

RowSchema<TypeLink> typeLinkSchema(const QString& title) {
  RowSchema<TypeLink> schema{.table = &engine::typeLinksTable()};
  schema.columns.push_back(
      {.setup = {.field = "name", .title = title, .stretches = true}, .type = &TypeLink::methodTable});
  schema.columns.push_back({.setup = {.field = "methodTable"}});
  schema.identity = [](const TypeLink& type) { return type.methodTable; };
  return schema;
}

RowSchema<TypeArgument> typeArgumentSchema() {
  RowSchema<TypeArgument> schema{.table = &engine::typeArgumentsTable()};
  schema.columns.push_back({.setup = {.field = "parameter", .letters = 14}});
  schema.columns.push_back({.setup = {.field = "name", .stretches = true},
                            .type = [](const TypeArgument& argument) { return argument.argument.methodTable; }});
  schema.columns.push_back({.setup = {.field = "canonical", .letters = 26}});
  schema.columns.push_back(
      {.setup = {.field = "shared", .title = u"Code"_s, .letters = 30}, .words = [](const TypeArgument& argument) {
         return argument.isShared ? u"⇄ shared whatever it is"_s : u"= only for this argument"_s;
       }});
  return schema;
}

RowSchema<GenericDefinition> genericSchema() {
  RowSchema<GenericDefinition> schema{.table = &engine::genericsTable()};
  schema.columns.push_back(
      {.setup = {.field = "definition", .stretches = true}, .detail = [](const GenericDefinition& definition) {
         return fromEngine(definition.name) + QLatin1Char('\n') + fromEngine(definition.assembly);
       }});
  schema.columns.push_back({.setup = {.field = "codeBytes"}, .detail = codeDetail});
  schema.columns.push_back({.setup = {.field = "jittedBytes"}});
  for (const char* field : {"methodTables", "codeSets", "methods"})
    schema.columns.push_back({.setup = {.field = field, .letters = 13}});
  schema.columns.push_back({.setup = {.field = "methodTableBytes"}});
  return schema;
}

RowSchema<TypeMethod> instantiationSchema() {
  RowSchema<TypeMethod> schema{.table = &engine::methodInstantiationsTable()};
  schema.columns.push_back({.setup = {.field = "name", .letters = 40, .stretches = true}, .detail = methodDetail});
  schema.columns.push_back({.setup = {.field = "typeArguments", .letters = 30},
                            .words = [](const TypeMethod& method) { return wordsText(method.methodArguments); }});
  addCodeColumns(schema);
  schema.columns.push_back({.setup = {.field = "sharedMethodDesc"}, .detail = [](const TypeMethod& method) {
                              return method.sharedMethodDesc ? u"It only adds its type arguments to code for several."_s
                                                             : QString();
                            }});
  for (const char* field : {"code", "methodDesc"}) schema.columns.push_back({.setup = {.field = field}});
  schema.identity = [](const TypeMethod& method) { return method.methodDesc; };
  return schema;
}

RowSchema<TypeMethod> methodSchema() {
  RowSchema<TypeMethod> schema{.table = &engine::methodsTable()};
  schema.columns.push_back({.setup = {.field = "slot", .letters = 6}});
  schema.columns.push_back({.setup = {.field = "name", .letters = 40, .stretches = true}, .detail = methodDetail});
  addCodeColumns(schema);
  schema.columns.push_back(
      {.setup = {.title = u"Marks"_s, .kind = engine::ColumnKind::Words, .letters = 22, .holdsContents = false},
       .words = marksOf});
  schema.columns.push_back({.setup = {.field = "declaringType", .letters = 22}});
  for (const char* field : {"entry", "code", "methodDesc"}) schema.columns.push_back({.setup = {.field = field}});
  schema.kinds = {
      {.name = u"Own virtual"_s, .tip = u"Virtual slots that the type fills itself."_s},
      {.name = u"Inherited"_s, .tip = u"Virtual slots with the method of a parent."_s},
      {.name = u"Not virtual"_s, .tip = u"Methods outside of the vtable."_s},
  };
  schema.kindOf = [](const TypeMethod& method) { return static_cast<std::size_t>(kindOf(method)); };
  schema.identity = [](const TypeMethod& method) { return method.methodDesc; };
  return schema;
}

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

std::vector<FactGroup> factGroups(const TypeDetails& type) {
  return {typeGroup(type), methodTableGroup(type), classGroup(type), moduleGroup(type)};
}

}  // namespace heapscape::gui
