// SPDX-License-Identifier: MIT
#include "models/names/memory_owner_text.h"

#include "bridge/literals.h"

namespace heapscape::gui {

using engine::MemoryOwner;

QString memoryOwnerText(MemoryOwner owner) {
  return QString::fromUtf8(engine::titleOf(owner));
}

QString memoryOwnerTip(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return u"Objects on the GC's heap, by generation"_s;
    case MemoryOwner::GcFree:
      return u"Free objects, whose memory the GC may use again"_s;
    case MemoryOwner::GcCommittedUnused:
      return u"Behind the last object of a segment, and regions that are kept for later"_s;
    case MemoryOwner::GcBookkeeping:
      return u"Card tables, mark arrays, region maps and handle tables"_s;
    case MemoryOwner::LoaderHeap:
      return u"Method tables and what else the loader makes"_s;
    case MemoryOwner::JitCode:
      return u"Code that was compiled while the program ran"_s;
    case MemoryOwner::ThreadStack:
      return u"Stacks of threads"_s;
    case MemoryOwner::MappedFile:
      return u"Libraries, assemblies and other files"_s;
    case MemoryOwner::NativeHeap:
      return u"malloc's heap, and anonymous memory that nothing else claims"_s;
    case MemoryOwner::Other:
      break;
  }
  return u"What the kernel maps into every process, and the like"_s;
}

}  // namespace heapscape::gui
