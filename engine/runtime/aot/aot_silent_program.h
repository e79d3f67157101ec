// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "memory/address_space.h"
#include "runtime/contract/contract.h"

namespace heapscape::engine {

/// Where a program that was compiled ahead of time has the list of its module's sections, the ReadyToRun header, among
/// its variables. Every such program has one; of one that says nothing of its runtime to debuggers, as .NET 11 links it
/// with DebuggerSupport=false, it is what tells that it is one. 0 if there is none.
Address findAotModuleHeader(const AddressSpace& space, AddressRange program, std::span<const AddressRange> data);

/// The release by the version of such a header; 0 if it is not known.
std::uint32_t releaseOfAotModule(const AddressSpace& space, Address header);

/// What variables of a silent program hold, by the names that contracts have for them: RuntimeInstance, ThreadStore
/// and FreeObjectMethodTable, and where GcDacVars lies, found by what they lead to. What is not found, or found more
/// than once, is left out.
std::map<std::string, Address, std::less<>> findAotVariables(const AddressSpace& space, Address header,
                                                             AddressRange program, std::span<const AddressRange> data,
                                                             const Contract& contract);

}  // namespace heapscape::engine
