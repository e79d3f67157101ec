// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/enum_names.h"
#include "session/types/type_details.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Where a field lies: in objects, or beside them.
enum class FieldHome : std::uint8_t { Instance, Static, ThreadStatic, Rva };
template <>
inline constexpr auto kEnumNames<FieldHome> = std::to_array<EnumName<FieldHome>>({{FieldHome::Instance, "instance"},
                                                                                  {FieldHome::Static, "static"},
                                                                                  {FieldHome::ThreadStatic,
                                                                                   "threadStatic"},
                                                                                  {FieldHome::Rva, "rva"}});
FieldHome homeOf(const TypeField& field);

/// Fields of a type, its parents' first; what they hold, if an object was asked for, only for people.
const TableOf<TypeField>& fieldsTable();
/// Members of an enum by value.
const TableOf<TypeEnumMember>& enumMembersTable();
/// Instantiations of one generic method; each has its versions, if there are several.
const TableOf<TypeMethod>& methodInstantiationsTable();
/// The second forms of methods that return tasks (.NET 11).
const TableOf<TypeMethod>& asyncFormsTable();
/// Methods of a type by slot; each has its versions, if there are several, and a generic one its instantiations.
const TableOf<TypeMethod>& methodsTable();
/// Parents, interfaces, or the instantiations that share code.
const TableOf<TypeLink>& typeLinksTable();
const TableOf<TypeArgument>& typeArgumentsTable();
/// Where the parts of a method table lie.
const TableOf<TypeDetails::Part>& typePartsTable();

}  // namespace heapscape::engine
