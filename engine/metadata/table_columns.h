// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// Columns by name, for the tables that are read (ECMA-335 II.22; PortablePdb-Metadata.md of dotnet/runtime). The order
/// is that of the schemas in table_layout.cpp.
namespace heapscape::engine::columns {

namespace module {
enum : std::uint8_t { Generation, Name, Mvid };
}
namespace typeRef {
enum : std::uint8_t { ResolutionScope, Name, NameSpace };
}
namespace typeDef {
enum : std::uint8_t { Flags, Name, NameSpace, Extends, FieldList, MethodList };
}
namespace pointer {  // FieldPtr, MethodPtr, ParamPtr
enum : std::uint8_t { Target };
}
namespace field {
enum : std::uint8_t { Flags, Name, Signature };
}
namespace methodDef {
enum : std::uint8_t { Rva, ImplFlags, Flags, Name, Signature, ParamList };
}
namespace param {
enum : std::uint8_t { Flags, Sequence, Name };
}
namespace memberRef {
enum : std::uint8_t { Parent, Name, Signature };
}
namespace constant {
enum : std::uint8_t { Type, Parent, Value };
}
namespace fieldMarshal {
enum : std::uint8_t { Parent, NativeType };
}
namespace customAttribute {
enum : std::uint8_t { Parent, Constructor, Value };
}
namespace classLayout {
enum : std::uint8_t { PackingSize, ClassSize, Parent };
}
namespace fieldLayout {
enum : std::uint8_t { Offset, Field };
}
namespace standAloneSig {
enum : std::uint8_t { Signature };
}
namespace typeSpec {
enum : std::uint8_t { Signature };
}
namespace assembly {
enum : std::uint8_t { HashAlgorithm, Major, Minor, Build, Revision, Flags, PublicKey, Name };
}
namespace assemblyRef {
enum : std::uint8_t { Major, Minor, Build, Revision, Flags, PublicKeyOrToken, Name };
}
namespace exportedType {
enum : std::uint8_t { Flags, TypeDefId, Name, NameSpace, Implementation };
}
namespace nestedClass {
enum : std::uint8_t { Nested, Enclosing };
}
namespace genericParam {
enum : std::uint8_t { Number, Flags, Owner, Name };
}
namespace document {
enum : std::uint8_t { Name, HashAlgorithm, Hash, Language };
}
namespace methodDebugInformation {
enum : std::uint8_t { Document, SequencePoints };
}
namespace localScope {
enum : std::uint8_t { Method, ImportScope, VariableList, ConstantList, StartOffset, Length };
}
namespace localVariable {
enum : std::uint8_t { Attributes, Index, Name };
}
namespace stateMachineMethod {
enum : std::uint8_t { MoveNextMethod, KickoffMethod };
}

}  // namespace heapscape::engine::columns
