// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/clr_runtime.h"
#include "runtime/code_lookup.h"
#include "runtime/field_descs.h"
#include "runtime/load_contexts.h"
#include "runtime/loaded_types.h"
#include "runtime/method_code.h"
#include "runtime/method_descs.h"
#include "runtime/method_names.h"
#include "runtime/method_slots.h"
#include "runtime/method_tables.h"
#include "runtime/modules.h"
#include "runtime/static_fields.h"
#include "runtime/thread_statics.h"
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
  CodeLookup code{runtime};
  MethodDescs methods{methodTables};
  MethodNames methodNames{methods, modules, names, resolver};
  MethodSlots methodSlots{methodTables};
  MethodCodes methodCodes{runtime, methodNames, methodSlots, code};
  StaticFields staticFields{methodTables, modules, fields};
  ThreadStatics threadStatics{methodTables, fields};
};

}  // namespace heapscape::engine
