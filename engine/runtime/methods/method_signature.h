// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/methods/method_descs.h"
#include "runtime/modules/modules.h"
#include "runtime/types/type_resolver.h"

namespace heapscape::engine {

/// The bytes of a method's signature (ECMA-335 II.23.2.1), from metadata or as the runtime keeps it; empty if the dump
/// lacks it. `module`: whose metadata describes the method, may be null.
Bytes signatureBytesOf(const ClrRuntime& runtime, const MethodDesc& method, const Module* module);

/// What the type parameters in a method's signature stand for. `arguments`: of the declaring type, which a method that
/// is shared does not know itself.
SignatureContext signatureContextOf(const MethodDescs& methods, const MethodDesc& method, const Module* module,
                                    const std::vector<TypeHandle>& arguments);

}  // namespace heapscape::engine
