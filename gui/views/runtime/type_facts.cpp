// SPDX-License-Identifier: MIT
#include "views/runtime/type_facts.h"

#include <QStringList>
#include <array>

#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

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

std::vector<FactGroup> factGroups(const TypeDetails& type) {
  return {typeGroup(type), methodTableGroup(type), classGroup(type), moduleGroup(type)};
}

}  // namespace heapscape::gui
