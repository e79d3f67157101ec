// SPDX-License-Identifier: MIT
#include "models/names/memory_owner_text.h"

#include <QObject>

namespace heapscape::gui {

using engine::MemoryOwner;

QString memoryOwnerText(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return QObject::tr("Objects");
    case MemoryOwner::GcFree:
      return QObject::tr("Free between objects");
    case MemoryOwner::GcCommittedUnused:
      return QObject::tr("Committed, unused");
    case MemoryOwner::GcBookkeeping:
      return QObject::tr("GC bookkeeping");
    case MemoryOwner::LoaderHeap:
      return QObject::tr("Loader heaps");
    case MemoryOwner::JitCode:
      return QObject::tr("JIT code");
    case MemoryOwner::ThreadStack:
      return QObject::tr("Thread stacks");
    case MemoryOwner::MappedFile:
      return QObject::tr("Mapped files");
    case MemoryOwner::NativeHeap:
      return QObject::tr("Native heap");
    case MemoryOwner::Other:
      break;
  }
  return QObject::tr("Other");
}

QString memoryOwnerTip(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return QObject::tr("Objects on the GC's heap, by generation");
    case MemoryOwner::GcFree:
      return QObject::tr("Gaps between objects, which the GC may use again");
    case MemoryOwner::GcCommittedUnused:
      return QObject::tr("Behind the last object of a segment, and regions that are kept for later");
    case MemoryOwner::GcBookkeeping:
      return QObject::tr("Card tables, mark arrays, region maps and handle tables");
    case MemoryOwner::LoaderHeap:
      return QObject::tr("Method tables and what else the loader makes");
    case MemoryOwner::JitCode:
      return QObject::tr("Code that was compiled while the program ran");
    case MemoryOwner::ThreadStack:
      return QObject::tr("Stacks of threads");
    case MemoryOwner::MappedFile:
      return QObject::tr("Libraries, assemblies and other files");
    case MemoryOwner::NativeHeap:
      return QObject::tr("malloc's heap, and anonymous memory that nothing else claims");
    case MemoryOwner::Other:
      break;
  }
  return QObject::tr("What the kernel maps into every process, and the like");
}

}  // namespace heapscape::gui
