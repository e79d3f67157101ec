// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/snapshot/contents.h"
#include "session/types/type_details.h"

namespace heapscape::engine {

/// Owner of a part of a type's description.
enum class TypePartOwner {
  MethodTable,  // to this method table alone
  EEClass,      // to the EEClass, which all method tables with the same canonical one share
  Shared,       // to another method table that this one uses too
};

struct OwnedTypePart {
  TypeDetails::Part part;
  TypePartOwner owner = TypePartOwner::MethodTable;
};

/// Where everything lies that the runtime keeps about a type, in the order of the picture: what lies around the method
/// table, what it points at, the EEClass and what that points at. Parts whose place cannot be read are left out.
std::vector<OwnedTypePart> readTypeParts(const Contents& contents, const MethodTable& type);
/// The bytes of those that the method table has for itself alone.
std::uint64_t methodTableBytes(const Contents& contents, const MethodTable& type);

/// The instance fields of a type and its parents, base-most first, then the type's own statics. `chain`: the type, then
/// its parents. `object`: whose values are read too; 0 for none. What cannot be read is a finding.
std::vector<TypeField> readTypeFields(const Contents& contents, const std::vector<MethodTable>& chain, Address object,
                                      FindingList& findings);

/// Gives the statics of a type, but for those of threads, the values that were read for them.
void addStaticValues(TypeDetails& type, const StaticList& statics);

}  // namespace heapscape::engine
