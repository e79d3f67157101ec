// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "memory/elf/elf_image.h"
#include "runtime/sources.h"

namespace heapscape::engine {

/// libcoreclr.so as it lies in the dump (or a program that contains the runtime: single-file, or compiled ahead of
/// time).
struct RuntimeLibrary {
  RuntimeFlavor flavor = RuntimeFlavor::CoreClr;
  Architecture architecture = Architecture::X64;  // of the process
  Address base;                                   // where the file's first byte is mapped
  std::string path;                               // on the machine of the dump
  std::string buildId;                            // empty if not in the dump
  std::string pathVersion;          // "10.0.12" where the path carries it (framework-dependent programs), else empty
  std::string productVersion = {};  // as the library itself says; empty if that is not in the dump
  std::string buildVersion = {};    // all that it says of its build: "10.0.1226.42308 @Commit: 95017c71…"
  DynamicSymbol globalTable = {};   // g_dacTable: an array of absolute addresses of the runtime's globals
  GlobalsSource globals = GlobalsSource::Dump;  // what told of that array, or of the description
  /// Of a program compiled ahead of time, which has no such array: what it says of its runtime, see
  /// runtime/aot/aot_description.h.
  Address description = {};
  AddressRange range = {};              // of such a program: where it is mapped, its variables included
  std::vector<AddressRange> data = {};  // and these variables

  /// The release; empty if nothing tells it.
  const std::string& version() const { return productVersion.empty() ? pathVersion : productVersion; }
};

/// Finds the runtime through the file mappings and its exported symbols; where neither the dump nor a file has those,
/// by the look of its table of globals, or of a program that was compiled ahead of time by what it says of its runtime.
/// Fails with NoRuntime, which says what kind of process it was instead or what is missing; UnsupportedRuntime; or
/// Truncated if the runtime was there but its data lies behind the end of a cut file.
Result<RuntimeLibrary> findRuntimeLibrary(const AddressSpace& space, const ElfCore& core);

/// Descriptor of a runtime's own structures (.NET 9 on).
struct RuntimeDescriptor {
  std::string json;
  std::vector<Address> addresses = {};  // what the JSON refers to by their place here; of a file none
};

/// The runtime's own contract descriptor, if the dump's memory holds it; else nothing.
std::optional<RuntimeDescriptor> descriptorInDump(const AddressSpace& space, const RuntimeLibrary& library);
/// Where the texts of a descriptor may come from: they are constants, which may be read from a proven file as well.
enum class ConstantsFrom : std::uint8_t { Dump, DumpOrFile };
/// One at an address: that of a part of the runtime, as the GC.
std::optional<RuntimeDescriptor> descriptorAt(const AddressSpace& space, Address address,
                                              ConstantsFrom constants = ConstantsFrom::Dump);
/// The first word of each descriptor: "DNCCDAC\0".
inline constexpr std::uint64_t kDescriptorMagic = 0x0043414443434e44;
/// Descriptor of a libcoreclr.so on disk with the dump's build-id: at the dump's own path, or in one of the folders.
std::optional<RuntimeDescriptor> descriptorOnDisk(const RuntimeLibrary& library,
                                                  std::span<const std::filesystem::path> folders);

}  // namespace heapscape::engine
