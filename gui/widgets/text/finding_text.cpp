// SPDX-License-Identifier: MIT
#include "widgets/text/finding_text.h"

#include <QObject>

namespace heapscape::gui {

QString findingTitle(engine::FindingKind kind) {
  using engine::FindingKind;
  switch (kind) {
    case FindingKind::DumpTruncated:
      return QObject::tr("The dump is cut short");
    case FindingKind::FileChanged:
      return QObject::tr("The file was changed while it was open");
    case FindingKind::NamesCut:
      return QObject::tr("Names of types are cut short");
    case FindingKind::MemoryMissing:
      return QObject::tr("Memory is missing from the dump");
    case FindingKind::HeapDamaged:
      return QObject::tr("The heap is damaged here");
    case FindingKind::GcInProgress:
      return QObject::tr("Taken in the middle of a collection");
    case FindingKind::ContractNotVerified:
      return QObject::tr("This build of the runtime was not verified");
    case FindingKind::MetadataMissing:
      return QObject::tr("A module's names are unknown");
    case FindingKind::RuntimeDataDamaged:
      return QObject::tr("A structure of the runtime contradicts itself");
    case FindingKind::ReferenceDamaged:
      return QObject::tr("A reference leads to no object");
    case FindingKind::SyncBlockMismatch:
      return QObject::tr("An object and a sync block contradict each other");
    case FindingKind::LayoutDiffers:
      return QObject::tr("A type lies otherwise than the rules give it");
    case FindingKind::LayoutMismatch:
      break;
  }
  return QObject::tr("Fields do not fit their object");
}

}  // namespace heapscape::gui
