// SPDX-License-Identifier: MIT
#include "views/runtime/type_facts.h"

#include <QObject>
#include <QStringList>
#include <array>

#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::TypeDetails;

Fact addressFact(const QString& label, engine::Address address, const QString& detail = {}) {
  return {.label = label,
          .value = address ? addressText(address) : QStringLiteral("none"),
          .detail = detail,
          .isFixed = static_cast<bool>(address),
          .address = address};
}

Fact wordFact(const QString& label, const std::string& text) {
  return {.label = label, .value = text.empty() ? QStringLiteral("–") : fromEngine(text)};
}

Fact countFact(const QString& label, std::uint64_t count) {
  return {.label = label, .value = countText(count)};
}

QString yesNo(bool isSo) {
  return isSo ? QStringLiteral("yes") : QStringLiteral("no");
}

QString listed(const std::vector<std::string>& names, const QString& separator) {
  QStringList words;
  for (const std::string& name : names) words << fromEngine(name);
  return words.join(separator);
}

QString hexText(std::uint32_t bits) {
  return QStringLiteral("0x%1").arg(bits, 8, 16, QLatin1Char('0'));
}

FactGroup typeGroup(const TypeDetails& type) {
  FactGroup group{.heading = QStringLiteral("Type"), .facts = {}};
  group.facts = {wordFact(QStringLiteral("Kind"), type.kind),
                 wordFact(QStringLiteral("In C#"), type.csharpName),
                 wordFact(QStringLiteral("In metadata"), type.clrName),
                 {.label = QStringLiteral("Token"), .value = hexText(type.token), .isFixed = true},
                 {.label = QStringLiteral("Attributes"),
                  .value = listed(type.attributeNames, QStringLiteral(", ")),
                  .detail = QStringLiteral("%1 %2").arg(hexText(type.attributes),
                                                        listed(type.attributeNames, QStringLiteral(", ")))},
                 wordFact(QStringLiteral("Element type"), type.elementType)};
  if (type.rank > 0) group.facts.push_back(countFact(QStringLiteral("Rank"), type.rank));
  if (type.elementTypeLink) group.facts.push_back(wordFact(QStringLiteral("Elements"), type.elementTypeLink->name));
  return group;
}

FactGroup methodTableGroup(const TypeDetails& type) {
  FactGroup group{.heading = QStringLiteral("Method table"), .facts = {}};
  const bool isCanonical = type.canonical.methodTable == type.methodTable;
  group.facts = {
      addressFact(QStringLiteral("Address"), type.methodTable),
      {.label = QStringLiteral("Canonical"),
       .value = isCanonical ? QStringLiteral("itself") : addressText(type.canonical.methodTable),
       .detail = fromEngine(type.canonical.name),
       .isFixed = !isCanonical,
       .address = isCanonical ? engine::Address{} : type.canonical.methodTable},
      {.label = QStringLiteral("Base size"),
       .value = bytesText(type.baseSize),
       .detail = exactBytesText(type.baseSize)},
      {.label = QStringLiteral("Component size"),
       .value = bytesText(type.componentSize),
       .detail = exactBytesText(type.componentSize)},
      {.label = QStringLiteral("Slots"),
       .value = QStringLiteral("%1 virtual, %2 in all").arg(countText(type.vtableSlots), countText(type.totalSlots))},
      countFact(QStringLiteral("Interfaces"), type.interfaces.size()),
      {.label = QStringLiteral("References"),
       .value = yesNo(type.containsPointers),
       .detail = QStringLiteral("Whether its objects hold references that the GC has to follow")},
      {.label = QStringLiteral("Flags"),
       .value = QStringLiteral("%1 %2").arg(hexText(type.flags), hexText(type.flags2)),
       .detail = listed(type.flagNames, QStringLiteral("\n")),
       .isFixed = true},
      addressFact(QStringLiteral("Auxiliary data"), type.auxiliaryData),
  };
  return group;
}

/// Facts that only some classes have, by the runtime's names.
void addClassParts(const TypeDetails& type, std::vector<Fact>& facts) {
  const auto add = [&](const QString& label, const QString& value, const QString& detail) {
    facts.push_back({.label = label, .value = value, .detail = detail});
  };
  if (const auto& optional = type.eeClassOptionalFields) {
    facts.push_back(addressFact(QStringLiteral("Dictionary layout"), optional->dictionaryLayout));
    if (!optional->variances.empty())
      add(QStringLiteral("Variance"), listed(optional->variances, QStringLiteral(", ")),
          QStringLiteral("VarianceInfo"));
    if (!optional->registers.empty()) {
      add(QStringLiteral("In registers"), fromEngine(engine::registersText(*optional)),
          QStringLiteral("How values are passed: EightByteRegistersInfo"));
    }
    if (optional->fieldAlignment)
      add(QStringLiteral("Field alignment"), countText(optional->fieldAlignment),
          QStringLiteral("RequiredFieldAlignment"));
    if (optional->staticsId)
      add(QStringLiteral("Statics id"), countText(*optional->staticsId), QStringLiteral("ModuleDynamicID"));
  }
  if (const auto& layout = type.eeClassLayout) {
    const QString detail = QStringLiteral("EEClassLayoutInfo at %1").arg(addressText(layout->address));
    if (!layout->kind.empty()) add(QStringLiteral("Layout"), fromEngine(layout->kind), detail);
    if (layout->managedSize) add(QStringLiteral("Size of fields"), bytesText(*layout->managedSize), detail);
    add(QStringLiteral("Largest alignment"), countText(layout->largestAlignment), detail);
    add(QStringLiteral("Packing"), countText(layout->packing), detail);
    add(QStringLiteral("Layout flags"),
        layout->flags.empty() ? QStringLiteral("none") : listed(layout->flags, QStringLiteral(", ")), detail);
  }
}

/// The other counts of the EEClass; the runtime's own name stands in the tooltip.
void addClassFigures(const TypeDetails& type, std::vector<Fact>& facts) {
  struct Label {
    const char* name;
    QString label;
  };
  const std::array labels{Label{"NumHandleStatics", QStringLiteral("Static references")},
                          Label{"NumBoxedStatics", QStringLiteral("Boxed statics")},
                          Label{"NonGCStaticFieldBytes", QStringLiteral("Static bytes")},
                          Label{"NumHandleThreadStatics", QStringLiteral("Thread references")},
                          Label{"NumBoxedThreadStatics", QStringLiteral("Boxed thread statics")},
                          Label{"NonGCThreadStaticFieldBytes", QStringLiteral("Thread static bytes")},
                          Label{"NumNonVirtualSlots", QStringLiteral("Slots not virtual")}};
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
      .heading = QStringLiteral("EEClass"),
      .facts = {addressFact(QStringLiteral("Address"), type.eeClass),
                addressFact(QStringLiteral("Optional fields"),
                            type.eeClassOptionalFields ? type.eeClassOptionalFields->address : engine::Address{},
                            QStringLiteral("EEClassOptionalFields: what few types need")),
                countFact(QStringLiteral("Methods"), type.methodCount),
                countFact(QStringLiteral("Instance fields"), type.instanceFieldCount),
                countFact(QStringLiteral("Static fields"), type.staticFieldCount),
                countFact(QStringLiteral("Thread statics"), type.threadStaticFieldCount),
                {.label = QStringLiteral("Dynamic statics"), .value = yesNo(type.isDynamicStatics)},
                {.label = QStringLiteral("Initialised"),
                 .value = yesNo(type.isClassInitialised),
                 .detail = QStringLiteral("Whether its static constructor has run, or it has none")},
                {.label = QStringLiteral("Finalizer"), .value = yesNo(type.hasFinalizer)}}};
  addClassFigures(type, group.facts);
  addClassParts(type, group.facts);
  return group;
}

FactGroup moduleGroup(const TypeDetails& type) {
  return {.heading = QStringLiteral("Module"),
          .facts = {wordFact(QStringLiteral("Name"), type.moduleName),
                    wordFact(QStringLiteral("Path"), type.modulePath),
                    wordFact(QStringLiteral("Load context"), type.loadContext),
                    addressFact(QStringLiteral("Module"), type.module),
                    addressFact(QStringLiteral("Loader module"), type.loaderModule),
                    addressFact(QStringLiteral("Loader allocator"), type.loaderAllocator),
                    {.label = QStringLiteral("Collectible"),
                     .value = yesNo(type.isCollectible),
                     .detail = QStringLiteral("Whether the type can be unloaded")}}};
}

}  // namespace

std::vector<FactGroup> factGroups(const TypeDetails& type) {
  return {typeGroup(type), methodTableGroup(type), classGroup(type), moduleGroup(type)};
}

}  // namespace heapscape::gui
