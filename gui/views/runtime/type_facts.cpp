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
          .value = address ? addressText(address) : QObject::tr("none"),
          .detail = detail,
          .isFixed = static_cast<bool>(address)};
}

Fact wordFact(const QString& label, const std::string& text) {
  return {.label = label, .value = text.empty() ? QStringLiteral("–") : fromEngine(text)};
}

Fact countFact(const QString& label, std::uint64_t count) {
  return {.label = label, .value = countText(count)};
}

QString yesNo(bool isSo) {
  return isSo ? QObject::tr("yes") : QObject::tr("no");
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
  FactGroup group{.heading = QObject::tr("Type"), .facts = {}};
  group.facts = {
      wordFact(QObject::tr("Kind"), type.kind),
      wordFact(QObject::tr("In C#"), type.csharpName),
      wordFact(QObject::tr("In metadata"), type.clrName),
      {.label = QObject::tr("Token"), .value = hexText(type.token), .isFixed = true},
      {.label = QObject::tr("Attributes"),
       .value = listed(type.attributeNames, QStringLiteral(", ")),
       .detail = QObject::tr("%1 %2").arg(hexText(type.attributes), listed(type.attributeNames, QStringLiteral(", ")))},
      wordFact(QObject::tr("Element type"), type.elementType)};
  if (type.rank > 0) group.facts.push_back(countFact(QObject::tr("Rank"), type.rank));
  if (type.elementTypeLink) group.facts.push_back(wordFact(QObject::tr("Elements"), type.elementTypeLink->name));
  return group;
}

FactGroup methodTableGroup(const TypeDetails& type) {
  FactGroup group{.heading = QObject::tr("Method table"), .facts = {}};
  const bool isCanonical = type.canonical.methodTable == type.methodTable;
  group.facts = {
      addressFact(QObject::tr("Address"), type.methodTable),
      {.label = QObject::tr("Canonical"),
       .value = isCanonical ? QObject::tr("itself") : addressText(type.canonical.methodTable),
       .detail = fromEngine(type.canonical.name),
       .isFixed = !isCanonical},
      {.label = QObject::tr("Base size"), .value = bytesText(type.baseSize), .detail = exactBytesText(type.baseSize)},
      {.label = QObject::tr("Component size"),
       .value = bytesText(type.componentSize),
       .detail = exactBytesText(type.componentSize)},
      {.label = QObject::tr("Slots"),
       .value = QObject::tr("%1 virtual, %2 in all").arg(countText(type.vtableSlots), countText(type.totalSlots))},
      countFact(QObject::tr("Interfaces"), type.interfaces.size()),
      {.label = QObject::tr("References"),
       .value = yesNo(type.containsPointers),
       .detail = QObject::tr("Whether its objects hold references that the GC has to follow")},
      {.label = QObject::tr("Flags"),
       .value = QObject::tr("%1 %2").arg(hexText(type.flags), hexText(type.flags2)),
       .detail = listed(type.flagNames, QStringLiteral("\n")),
       .isFixed = true},
      addressFact(QObject::tr("Auxiliary data"), type.auxiliaryData),
  };
  return group;
}

/// What only some classes have, by the runtime's names.
void addClassParts(const TypeDetails& type, std::vector<Fact>& facts) {
  const auto add = [&](const QString& label, const QString& value, const QString& detail) {
    facts.push_back({.label = label, .value = value, .detail = detail});
  };
  if (const auto& optional = type.eeClassOptionalFields) {
    facts.push_back(addressFact(QObject::tr("Dictionary layout"), optional->dictionaryLayout));
    if (!optional->variances.empty())
      add(QObject::tr("Variance"), listed(optional->variances, QStringLiteral(", ")), QObject::tr("VarianceInfo"));
    if (!optional->registers.empty()) {
      add(QObject::tr("In registers"), fromEngine(engine::registersText(*optional)),
          QObject::tr("How values are passed: EightByteRegistersInfo"));
    }
    if (optional->fieldAlignment)
      add(QObject::tr("Field alignment"), countText(optional->fieldAlignment), QObject::tr("RequiredFieldAlignment"));
    if (optional->staticsId)
      add(QObject::tr("Statics id"), countText(*optional->staticsId), QObject::tr("ModuleDynamicID"));
  }
  if (const auto& layout = type.eeClassLayout) {
    const QString detail = QObject::tr("EEClassLayoutInfo at %1").arg(addressText(layout->address));
    if (!layout->kind.empty()) add(QObject::tr("Layout"), fromEngine(layout->kind), detail);
    if (layout->managedSize) add(QObject::tr("Size of fields"), bytesText(*layout->managedSize), detail);
    add(QObject::tr("Largest alignment"), countText(layout->largestAlignment), detail);
    add(QObject::tr("Packing"), countText(layout->packing), detail);
    add(QObject::tr("Layout flags"),
        layout->flags.empty() ? QObject::tr("none") : listed(layout->flags, QStringLiteral(", ")), detail);
  }
}

/// What else the EEClass counts; the runtime's own name stands in the tooltip.
void addClassFigures(const TypeDetails& type, std::vector<Fact>& facts) {
  struct Label {
    const char* name;
    QString label;
  };
  const std::array labels{Label{"NumHandleStatics", QObject::tr("Static references")},
                          Label{"NumBoxedStatics", QObject::tr("Boxed statics")},
                          Label{"NonGCStaticFieldBytes", QObject::tr("Static bytes")},
                          Label{"NumHandleThreadStatics", QObject::tr("Thread references")},
                          Label{"NumBoxedThreadStatics", QObject::tr("Boxed thread statics")},
                          Label{"NonGCThreadStaticFieldBytes", QObject::tr("Thread static bytes")},
                          Label{"NumNonVirtualSlots", QObject::tr("Slots not virtual")}};
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
      .heading = QObject::tr("EEClass"),
      .facts = {addressFact(QObject::tr("Address"), type.eeClass),
                addressFact(QObject::tr("Optional fields"),
                            type.eeClassOptionalFields ? type.eeClassOptionalFields->address : engine::Address{},
                            QObject::tr("EEClassOptionalFields: what few types need")),
                countFact(QObject::tr("Methods"), type.methodCount),
                countFact(QObject::tr("Instance fields"), type.instanceFieldCount),
                countFact(QObject::tr("Static fields"), type.staticFieldCount),
                countFact(QObject::tr("Thread statics"), type.threadStaticFieldCount),
                {.label = QObject::tr("Dynamic statics"), .value = yesNo(type.isDynamicStatics)},
                {.label = QObject::tr("Initialised"),
                 .value = yesNo(type.isClassInitialised),
                 .detail = QObject::tr("Whether its static constructor has run, or it has none")},
                {.label = QObject::tr("Finalizer"), .value = yesNo(type.hasFinalizer)}}};
  addClassFigures(type, group.facts);
  addClassParts(type, group.facts);
  return group;
}

FactGroup moduleGroup(const TypeDetails& type) {
  return {.heading = QObject::tr("Module"),
          .facts = {wordFact(QObject::tr("Name"), type.moduleName),
                    wordFact(QObject::tr("Path"), type.modulePath),
                    wordFact(QObject::tr("Load context"), type.loadContext),
                    addressFact(QObject::tr("Module"), type.module),
                    addressFact(QObject::tr("Loader module"), type.loaderModule),
                    addressFact(QObject::tr("Loader allocator"), type.loaderAllocator),
                    {.label = QObject::tr("Collectible"),
                     .value = yesNo(type.isCollectible),
                     .detail = QObject::tr("Whether the type can be unloaded")}}};
}

}  // namespace

std::vector<FactGroup> factGroups(const TypeDetails& type) {
  return {typeGroup(type), methodTableGroup(type), classGroup(type), moduleGroup(type)};
}

}  // namespace heapscape::gui
