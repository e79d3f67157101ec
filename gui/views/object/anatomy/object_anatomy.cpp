// SPDX-License-Identifier: MIT
#include "views/object/anatomy/object_anatomy.h"

#include <QObject>

#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {
namespace {

using engine::TypeDetails;

ObjectAnatomyBox objectBox(const ObjectPage& page) {
  const engine::ObjectDetails& object = page.object;
  ObjectAnatomyBox box{QStringLiteral("object"), addressText(page.address()), {}, 0, {}};
  box.lines << QStringLiteral("%1 · %2").arg(exactBytesText(object.row.sizeBytes),
                                             generationText(object.row.generation));
  if (object.header) box.lines << QStringLiteral("header 0x%1").arg(object.header->value, 8, 16, QLatin1Char('0'));
  return box;
}

ObjectAnatomyBox methodTableBox(const ObjectPage& page, const std::optional<TypeDetails>& type) {
  const engine::Address methodTable = page.object.methodTable;
  ObjectAnatomyBox box{QStringLiteral("method table"), addressText(methodTable), {}, 1, methodTable};
  box.lines << shortTypeName(page.object.typeName);
  if (!type) return box;
  box.lines << QStringLiteral("base size %1").arg(exactBytesText(type->baseSize));
  if (type->componentSize > 0) box.lines << QStringLiteral("element size %1").arg(exactBytesText(type->componentSize));
  box.lines << countedText(type->vtableSlots, QStringLiteral("virtual slot")) + QStringLiteral(", ") +
                   countedText(type->interfaces.size(), QStringLiteral("interface"));
  return box;
}

ObjectAnatomyBox classBox(const TypeDetails& type, int column) {
  ObjectAnatomyBox box{QStringLiteral("EEClass"), addressText(type.eeClass), {}, column, type.methodTable};
  box.lines << QStringLiteral("%1 instance fields, %2 static")
                   .arg(countText(type.instanceFieldCount), countText(type.staticFieldCount));
  box.lines << countedText(type.methodCount, QStringLiteral("method"));
  if (!type.attributeNames.empty()) {
    QStringList names;
    for (const std::string& name : type.attributeNames) names << fromEngine(name);
    box.lines << names.join(QStringLiteral(", "));
  }
  return box;
}

}  // namespace

ObjectAnatomy objectAnatomy(const ObjectPage& page, const std::optional<TypeDetails>& type) {
  ObjectAnatomy anatomy;
  const auto add = [&anatomy](ObjectAnatomyBox box, std::size_t from) {
    anatomy.boxes.push_back(std::move(box));
    anatomy.arrows.push_back({from, anatomy.boxes.size() - 1});
    return anatomy.boxes.size() - 1;
  };
  anatomy.boxes.push_back(objectBox(page));
  const std::size_t methodTable = add(methodTableBox(page, type), 0);
  if (!type) return anatomy;
  const bool isShared = type->canonical.methodTable && type->canonical.methodTable != type->methodTable;
  std::size_t owner = methodTable;
  if (isShared) {
    ObjectAnatomyBox box{QStringLiteral("canonical method table"),
                         addressText(type->canonical.methodTable),
                         {},
                         2,
                         type->canonical.methodTable};
    box.lines << shortTypeName(type->canonical.name) << QStringLiteral("shares its EEClass and its code");
    owner = add(std::move(box), methodTable);
  }
  if (type->eeClass) add(classBox(*type, isShared ? 3 : 2), owner);
  if (type->parent.methodTable) {
    add({QStringLiteral("parent"),
         addressText(type->parent.methodTable),
         {shortTypeName(type->parent.name)},
         2,
         type->parent.methodTable},
        methodTable);
  }
  if (type->module) {
    QStringList lines{fromEngine(type->moduleName)};
    if (!type->loadContext.empty()) lines << QStringLiteral("load context: %1").arg(fromEngine(type->loadContext));
    add({QStringLiteral("module"), addressText(type->module), lines, 2, {}}, methodTable);
  }
  return anatomy;
}

}  // namespace heapscape::gui
