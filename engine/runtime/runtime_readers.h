// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/aot/aot_program.h"
#include "runtime/clr_runtime.h"
#include "runtime/methods/code_lookup.h"
#include "runtime/methods/method_code.h"
#include "runtime/methods/method_descs.h"
#include "runtime/methods/method_names.h"
#include "runtime/modules/load_contexts.h"
#include "runtime/modules/modules.h"
#include "runtime/statics/static_fields.h"
#include "runtime/types/field_descs.h"
#include "runtime/types/loaded_types.h"
#include "runtime/types/method_tables.h"
#include "runtime/types/type_names.h"
#include "runtime/types/type_resolver.h"

namespace heapscape::engine {

/// Everything that reads the runtime of one dump, wired together once; not movable, because each part refers to others.
struct RuntimeReaders {
  RuntimeReaders(ClrRuntime clr, const std::vector<MappedFile>& files, FindingList& findings)
      : runtime(std::move(clr)), modules(runtime, files, findings) {
    if (runtime.aot()) findings.append(runtime.aot()->findings);
  }
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
