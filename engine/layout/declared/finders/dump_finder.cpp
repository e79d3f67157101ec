// SPDX-License-Identifier: MIT
#include "layout/declared/finders/dump_finder.h"

#include "layout/declared/dump_types.h"
#include "layout/declared/finders/folder_finder.h"

namespace heapscape::engine {

Result<AssemblySource> DumpFinder::find(std::string_view simpleName) {
  const Module* module = m_readers->modules.findAssembly(simpleName);
  if (!module) return notFoundIn(simpleName, places());
  AssemblySource source = assemblySourceOf(*m_readers, *module);
  source.path = m_dump;
  source.loadContext = 0;  // of the dump's process, which has nothing to do with the assemblies of files
  return source;
}

}  // namespace heapscape::engine
