// SPDX-License-Identifier: MIT
#include "models/names/memory_owner_text.h"

#include "session/process/process_memory.h"

namespace heapscape::gui {

using engine::MemoryOwner;

QString memoryOwnerText(MemoryOwner owner) {
  return QString::fromUtf8(engine::titleOf(owner));
}

QString memoryOwnerTip(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return QStringLiteral("Objects on the GC's heap, by generation");
    case MemoryOwner::GcFree:
      return QStringLiteral("Gaps between objects, which the GC may use again");
    case MemoryOwner::GcCommittedUnused:
      return QStringLiteral("Behind the last object of a segment, and regions that are kept for later");
    case MemoryOwner::GcBookkeeping:
      return QStringLiteral("Card tables, mark arrays, region maps and handle tables");
    case MemoryOwner::LoaderHeap:
      return QStringLiteral("Method tables and what else the loader makes");
    case MemoryOwner::JitCode:
      return QStringLiteral("Code that was compiled while the program ran");
    case MemoryOwner::ThreadStack:
      return QStringLiteral("Stacks of threads");
    case MemoryOwner::MappedFile:
      return QStringLiteral("Libraries, assemblies and other files");
    case MemoryOwner::NativeHeap:
      return QStringLiteral("malloc's heap, and anonymous memory that nothing else claims");
    case MemoryOwner::Other:
      break;
  }
  return QStringLiteral("What the kernel maps into every process, and the like");
}

}  // namespace heapscape::gui
