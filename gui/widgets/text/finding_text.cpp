// SPDX-License-Identifier: MIT
#include "widgets/text/finding_text.h"

#include "bridge/literals.h"

namespace heapscape::gui {

QString findingTitle(engine::FindingKind kind) {
  using engine::FindingKind;
  switch (kind) {
    case FindingKind::DumpTruncated:
      return u"The dump is cut short"_s;
    case FindingKind::FileChanged:
      return u"The file was changed while it was open"_s;
    case FindingKind::NamesCut:
      return u"Names of types are cut short"_s;
    case FindingKind::MemoryMissing:
      return u"Memory is missing from the dump"_s;
    case FindingKind::HeapDamaged:
      return u"The heap is damaged here"_s;
    case FindingKind::GcInProgress:
      return u"Taken in the middle of a collection"_s;
    case FindingKind::ContractNotVerified:
      return u"This build of the runtime was not verified"_s;
    case FindingKind::MetadataMissing:
      return u"A module's names are unknown"_s;
    case FindingKind::RuntimeDataDamaged:
      return u"A structure of the runtime contradicts itself"_s;
    case FindingKind::ReferenceDamaged:
      return u"A reference leads to no object"_s;
    case FindingKind::SyncBlockMismatch:
      return u"An object and a sync block contradict each other"_s;
    case FindingKind::LayoutDiffers:
      return u"A type lies otherwise than the rules give it"_s;
    case FindingKind::LayoutMismatch:
      break;
  }
  return u"Fields do not fit their object"_s;
}

}  // namespace heapscape::gui
