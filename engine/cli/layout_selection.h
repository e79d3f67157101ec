// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "session/layouts/layout_query.h"

namespace heapscape::cli {

/// The loaded types that these names mean.
struct NamedTypes {
  std::vector<engine::Address> methodTables;  // in the order of the names; a name that several types bear gives all
  std::vector<std::string> notFound;
};

/// Looks up full names, in the dump's form or in metadata's, and addresses of method tables.
NamedTypes findTypes(const std::vector<engine::LoadedType>& loaded, const std::vector<std::string>& names);

/// One name a line; empty lines and lines that begin with '#' are left out. Fails with FileUnreadable.
engine::Result<std::vector<std::string>> readNames(const std::string& path);

/// Why a name was not found where it should be ("is loaded in this dump"), with those names that are like it.
engine::Error notFoundError(const std::vector<std::string>& names, const std::string& name, const std::string& where);

}  // namespace heapscape::cli
