// SPDX-License-Identifier: MIT
#include "models/address_target.h"

namespace heapscape::gui {

using engine::AddressKind;

QString symbolOf(AddressKind kind) {
  switch (kind) {
    case AddressKind::ObjectStart:
    case AddressKind::ObjectHeader:
    case AddressKind::ObjectInterior:
      return QStringLiteral("object");
    case AddressKind::FreeSpace:
      return QStringLiteral("segments");
    case AddressKind::MethodTable:
    case AddressKind::EEClass:
    case AddressKind::MethodDesc:
    case AddressKind::MethodCode:
      return QStringLiteral("runtime");
    case AddressKind::HandleSlot:
    case AddressKind::StaticSlot:
      return QStringLiteral("roots");
    case AddressKind::SyncBlock:
    case AddressKind::RuntimeThread:
    case AddressKind::ThreadStack:
      return QStringLiteral("threads");
    case AddressKind::Module:
    case AddressKind::MappedFile:
      return QStringLiteral("dump");
    case AddressKind::Native:
    case AddressKind::Unmapped:
      break;
  }
  return QStringLiteral("info");
}

bool canShow(const engine::AddressMeaning& meaning) {
  switch (meaning.kind) {
    case AddressKind::ObjectStart:
    case AddressKind::ObjectHeader:
    case AddressKind::ObjectInterior:
    case AddressKind::FreeSpace:
    case AddressKind::HandleSlot:
    case AddressKind::StaticSlot:
    case AddressKind::SyncBlock:
    case AddressKind::RuntimeThread:
    case AddressKind::ThreadStack:
      return true;
    default:
      return static_cast<bool>(meaning.methodTable);
  }
}

void showMeaning(Navigator& navigator, const engine::AddressMeaning& meaning, engine::Address address) {
  const Selection selection{.object = meaning.object, .methodTable = meaning.methodTable, .segment = meaning.segment};
  switch (meaning.kind) {
    case AddressKind::ObjectStart:
    case AddressKind::ObjectHeader:
    case AddressKind::ObjectInterior:
      return navigator.go({.place = PlaceId::Object, .selection = selection, .scope = navigator.location().scope});
    case AddressKind::FreeSpace:
      return navigator.showInSegments(selection);
    case AddressKind::HandleSlot:
    case AddressKind::StaticSlot:
      return navigator.showListed(PlaceId::Roots, address - meaning.offset, selection);
    case AddressKind::SyncBlock:
    case AddressKind::RuntimeThread:
    case AddressKind::ThreadStack:
      return navigator.showListed(PlaceId::Threads, address - meaning.offset, selection);
    default:
      if (meaning.methodTable) navigator.showType(meaning.methodTable);
  }
}

}  // namespace heapscape::gui
