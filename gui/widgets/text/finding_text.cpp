// SPDX-License-Identifier: MIT
#include "widgets/text/finding_text.h"

#include <QObject>

namespace heapscape::gui {

QString findingTitle(engine::FindingKind kind) {
  using engine::FindingKind;
  switch (kind) {
    case FindingKind::DumpTruncated:
      return QStringLiteral("The dump is cut short");
    case FindingKind::FileChanged:
      return QStringLiteral("The file was changed while it was open");
    case FindingKind::NamesCut:
      return QStringLiteral("Names of types are cut short");
    case FindingKind::MemoryMissing:
      return QStringLiteral("Memory is missing from the dump");
    case FindingKind::HeapDamaged:
      return QStringLiteral("The heap is damaged here");
    case FindingKind::GcInProgress:
      return QStringLiteral("Taken in the middle of a collection");
    case FindingKind::ContractNotVerified:
      return QStringLiteral("This build of the runtime was not verified");
    case FindingKind::MetadataMissing:
      return QStringLiteral("A module's names are unknown");
    case FindingKind::RuntimeDataDamaged:
      return QStringLiteral("A structure of the runtime contradicts itself");
    case FindingKind::ReferenceDamaged:
      return QStringLiteral("A reference leads to no object");
    case FindingKind::SyncBlockMismatch:
      return QStringLiteral("An object and a sync block contradict each other");
    case FindingKind::LayoutDiffers:
      return QStringLiteral("A type lies otherwise than the rules give it");
    case FindingKind::LayoutMismatch:
      break;
  }
  return QStringLiteral("Fields do not fit their object");
}

}  // namespace heapscape::gui
