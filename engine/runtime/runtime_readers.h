// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"
#include "runtime/field_descs.h"
#include "runtime/load_contexts.h"
#include "runtime/loaded_types.h"
#include "runtime/method_tables.h"
#include "runtime/modules.h"
#include "runtime/type_names.h"
#include "runtime/type_resolver.h"

namespace heapscape::engine {

/// Everything that reads the runtime of one dump, wired together once; not movable, because each part refers to others.
struct RuntimeReaders {
  RuntimeReaders(ClrRuntime clr, const std::vector<MappedFile>& files, FindingList& findings)
      : runtime(std::move(clr)), modules(runtime, files, findings) {}
  RuntimeReaders(const RuntimeReaders&) = delete;
  RuntimeReaders& operator=(const RuntimeReaders&) = delete;

  ClrRuntime runtime;
  MethodTables methodTables{runtime};
  Modules modules;
  TypeNames names{methodTables, modules};
  FieldDescs fields{methodTables, modules};
  LoadContexts loadContexts{methodTables, modules, fields, names};
  LoadedTypes loadedTypes{methodTables, modules};
  TypeResolver resolver{methodTables, modules, loadedTypes, names};
};

}  // namespace heapscape::engine
