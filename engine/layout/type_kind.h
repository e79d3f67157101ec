// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "layout/type_layout.h"
#include "metadata/metadata.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// Kind of type that a method table describes, by its flags and its parent.
TypeKind kindOf(const ClrRuntime& runtime, const MethodTable& type);

/// Whether a type declares to lie like a union of C, all its fields at 0: ExtendedLayoutAttribute, since .NET 11.
bool isUnionOfC(const Metadata& metadata, std::uint32_t typeDefRow, std::uint32_t typeAttributes);

/// The layout that a type declares, by its TypeAttributes alone, which tell of an extended one no more than that it is
/// a struct of C.
LayoutKind declaredLayoutKind(std::uint32_t typeAttributes);

/// The layout that a type declares, by its TypeAttributes (ECMA-335 II.23.1.15). An extended one is that of a struct of
/// C, which is sequential, or of a union, which is explicit.
LayoutKind declaredLayoutKind(const Metadata& metadata, std::uint32_t typeDefRow, std::uint32_t typeAttributes);

}  // namespace heapscape::engine
