// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "memory/elf/elf_core.h"
#include "metadata/image/pe_image.h"
#include "metadata/image/ready_to_run_header.h"
#include "metadata/metadata.h"
#include "runtime/clr_runtime.h"
#include "runtime/sources.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// Addresses of the modules that the application domain lists, in its order; CoreLib first.
std::vector<Address> listModules(const ClrRuntime& runtime, FindingList& findings);

/// One loaded module: its place in memory and its metadata.
struct Module {
  Address address;   // of the runtime's Module
  std::string name;  // file name; for one made at run time the name it was given
  std::string path;  // on the machine of the dump; empty if it was loaded from memory
  std::string mvid;
  Address imageBase;      // 0 if made at run time
  bool isMapped = false;  // sections lie at their virtual addresses; otherwise the image is the file as it is
  std::uint64_t sizeBytes = 0;
  bool isDynamic = false;      // made at run time (Reflection.Emit)
  bool isCollectible = false;  // its loader allocator is not that of the framework
  bool isReadyToRun = false;
  MetadataSource metadataSource = MetadataSource::Missing;
  std::shared_ptr<const Metadata> metadata;  // null if missing
  Address loaderAllocator;
};

/// The modules of the process. Those that the application domain lists are read at once, others when first asked for.
class Modules {
 public:
  Modules(const ClrRuntime& runtime, const std::vector<MappedFile>& files, FindingList& findings);

  /// False of a program compiled ahead of time, whose assemblies became one program.
  bool areAssemblies() const { return !m_runtime.aot(); }
  /// In the application domain's order; CoreLib first.
  const std::vector<const Module*>& all() const { return m_all; }
  /// Null if there is no module at this address. Safe from any thread; the pointer lives as long as this object.
  const Module* find(Address module) const;
  const Module* coreLibrary() const { return m_all.empty() ? nullptr : m_all.front(); }
  /// The module that defines a type (for arrays: its elements); null if it cannot be told.
  const Module* definingModule(const MethodTables& methodTables, const MethodTable& type) const;
  /// The address of data in a module's image. Fails with NotFound for a module made at run time, NotInDump or Damaged.
  Result<Address> addressOfRva(const Module& module, std::uint32_t rva) const;
  /// Facts of the module's image on ReadyToRun code; empty where the dump does not hold it.
  ReadyToRunFacts readyToRunFacts(const Module& module) const;
  /// The file that is mapped at an address, an image or any other; null if there is none. Lives as long as this object.
  const MappedFile* mappedFileAt(Address address) const;
  /// The module of an assembly by its simple name; null if it is not loaded.
  const Module* findAssembly(std::string_view simpleName) const;

 private:
  std::unique_ptr<const Module> load(Address module) const;
  void loadImage(Module& module, Address layout) const;
  void loadDynamic(Module& module) const;
  void parseMetadata(Module& module, AddressRange range) const;
  std::string pathOf(Address imageBase) const;
  PeReader imageReader(Address imageBase) const;

  const ClrRuntime& m_runtime;
  std::vector<MappedFile> m_files;  // sorted by address
  std::vector<const Module*> m_all;
  std::unordered_map<std::string_view, const Module*> m_byAssembly;  // by simple name, the first of several
  mutable std::shared_mutex m_mutex;
  mutable std::unordered_map<Address, std::unique_ptr<const Module>>
      m_loaded;  // a null for an address that is no module
};

}  // namespace heapscape::engine
