// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/result.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// What a program that was compiled ahead of time says of its runtime to debuggers: in .NET 8 to 10 the
/// DotNetRuntimeDebugHeader (src/coreclr/nativeaot/Runtime/DebugHeader.cpp), since .NET 11 a contract descriptor as
/// CoreCLR has it, of the flavour NativeAot. Both lie among the program's variables; their names lie among its
/// constants, which a core of the kernel or of gdb leaves to the program's file.
struct AotDescription {
  std::uint32_t release = 0;     // 8 for .NET 8; 0 if it cannot be told
  bool isSilent = false;         // the program says nothing to debuggers
  std::string version = {};      // "11.0.0"; empty where it does not tell, as until .NET 10
  std::string members = {};      // of structures, as a descriptor writes them: {"types": {TYPE: {FIELD: OFFSET}}}
  std::string membersOfGc = {};  // the same of the GC, where that is told apart
  std::map<std::string, Address, std::less<>> globals = {};  // what global pointers hold, by the names given there
  /// Where the GC's variables lie, by the names given there, and where what a variable leads to is told in its place.
  std::map<std::string, Address, std::less<>> gcVariables = {};
};

/// Whether such a description begins at an address.
bool isAotDescription(const AddressSpace& space, Address address);

/// Finds one among the variables of a program whose symbols were stripped; 0 if there is none. Where the program says
/// nothing, it is the header of its module, see aot_silent_program.h. `program`: where its file is mapped; `data`: its
/// variables.
Address findAotDescription(const AddressSpace& space, AddressRange program, std::span<const AddressRange> data);

/// Of a program that says nothing it has the release alone. Fails with NotInDump where the names are neither in the
/// dump nor in a file that is proven to be the program's, or with Damaged.
Result<AotDescription> readAotDescription(const AddressSpace& space, Address address);

/// The version of the runtime in a program, "8.0.31", which is among its constants; empty if that is not there, or if
/// there are several. `program`: where its file is mapped.
std::string versionAmongConstants(const AddressSpace& space, AddressRange program, std::uint32_t release);

}  // namespace heapscape::engine
