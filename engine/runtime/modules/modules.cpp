// SPDX-License-Identifier: MIT
#include "runtime/modules/modules.h"

#include <fmt/format.h>
#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "base/limits.h"
#include "memory/files/recorded_path.h"
#include "runtime/modules/noted_images.h"

namespace heapscape::engine {

std::vector<Address> listModules(const ClrRuntime& runtime, FindingList& findings) {
  const AddressSpace& memory = runtime.memory();
  const Contract& contract = runtime.contract();
  std::vector<Address> modules;
  if (runtime.aot()) return modules;  // assemblies became one program
  const auto appDomain = runtime.globalPointer("AppDomain");
  // Since .NET 11 nothing stands between the domain and its assemblies.
  const bool areDomainAssemblies = contract.has("AppDomain", "DomainAssemblyList");
  const Address list = !appDomain            ? Address{}
                       : areDomainAssemblies ? runtime.member(*appDomain, "AppDomain", "DomainAssemblyList")
                                             : runtime.member(*appDomain, "AppDomain", "AssemblyList");
  std::uint32_t count = 0;
  if (!appDomain || !memory.tryRead(list + contract.offset("ArrayListBase", "Count"), count) ||
      count > kLimits.modules) {
    findings.add(FindingKind::RuntimeDataDamaged, list, "The list of loaded assemblies cannot be read.");
    return modules;
  }
  Address block = list + contract.offset("ArrayListBase", "FirstBlock");
  std::uint32_t seen = 0;
  while (block && seen < count) {
    std::uint32_t capacity = 0;
    if (!memory.tryRead(block + contract.offset("ArrayListBlock", "Size"), capacity) || capacity == 0) break;
    for (std::uint32_t i = 0; i < capacity && seen < count; ++i, ++seen) {
      Address entry;
      memory.tryRead(block + contract.offset("ArrayListBlock", "ArrayStart") + 8ull * i, entry);
      if (!entry) continue;  // a slot of an unloaded assembly
      const auto assembly =
          areDomainAssemblies ? runtime.pointerAt(entry, "DomainAssembly", "Assembly") : Result<Address>(entry);
      const auto module = assembly ? runtime.pointerAt(*assembly, "Assembly", "Module") : assembly;
      if (!module) {
        findings.add(FindingKind::RuntimeDataDamaged, entry,
                     "An entry in the list of loaded assemblies cannot be read.");
      } else if (*module) {
        modules.push_back(*module);
      }
    }
    if (!memory.tryRead(block + contract.offset("ArrayListBlock", "Next"), block)) break;
  }
  if (seen < count)
    findings.add(FindingKind::RuntimeDataDamaged, list, "The list of loaded assemblies is not complete.");
  return modules;
}

Modules::Modules(const ClrRuntime& runtime, const std::vector<MappedFile>& files, FindingList& findings)
    : m_runtime(runtime), m_files(files) {
  std::unordered_set<Address> seen;
  for (const Address address : listModules(runtime, findings)) {
    if (!seen.insert(address).second) continue;
    const Module* module = find(address);
    if (!module) {
      findings.add(FindingKind::RuntimeDataDamaged, address,
                   "A module in the application domain's list cannot be read.");
      continue;
    }
    m_all.push_back(module);
    const auto assembly = module->metadata ? module->metadata->assembly() : std::nullopt;
    if (assembly) m_byAssembly.emplace(assembly->name, module);
    if (!module->metadata) {
      findings.add(FindingKind::MetadataMissing, address,
                   fmt::format("The metadata of {} is not in the dump: names of its types and fields are unknown.",
                               module->name.empty() ? "a module" : module->name));
    }
  }
}

const Module* Modules::find(Address address) const {
  if (!address) return nullptr;
  {
    const std::shared_lock lock(m_mutex);
    const auto found = m_loaded.find(address);
    if (found != m_loaded.end()) return found->second.get();
  }
  const std::unique_lock lock(m_mutex);
  if (const auto found = m_loaded.find(address); found != m_loaded.end()) return found->second.get();
  return m_loaded.emplace(address, load(address)).first->second.get();
}

std::unique_ptr<const Module> Modules::load(Address address) const {
  const auto peAssembly = m_runtime.pointerAt(address, "Module", "PEAssembly");
  const auto allocator = m_runtime.pointerAt(address, "Module", "LoaderAllocator");
  if (!peAssembly || !*peAssembly || !allocator) return nullptr;
  auto module = std::make_unique<Module>();
  module->address = address;
  module->loaderAllocator = *allocator;
  module->isCollectible = !m_all.empty() && m_all.front()->loaderAllocator != *allocator;

  const auto image = m_runtime.pointerAt(*peAssembly, "PEAssembly", "PEImage");
  if (!image) return nullptr;
  const auto layout = *image ? m_runtime.pointerAt(*image, "PEImage", "LoadedImageLayout") : Result<Address>(Address{});
  if (layout && *layout) {
    loadImage(*module, *layout);
  } else {
    loadDynamic(*module);
  }
  return module;
}

void Modules::loadImage(Module& module, Address layout) const {
  const auto base = m_runtime.pointerAt(layout, "PEImageLayout", "Base");
  const auto size = m_runtime.valueAt<std::uint32_t>(layout, "PEImageLayout", "Size");
  const auto flags = m_runtime.valueAt<std::uint32_t>(layout, "PEImageLayout", "Flags");
  if (!base || !size || !flags) return;
  module.imageBase = *base;
  module.sizeBytes = *size;
  module.path = pathOf(*base);
  // What lies inside another file, or was unpacked from one, has its own name all the same.
  const auto noted = notedImage(m_runtime, module.address);
  if (noted && !noted->path.empty() && fileNameOf(noted->path) != fileNameOf(module.path)) module.path = noted->path;
  module.name = fileNameOf(module.path);

  module.isMapped = (*flags & m_runtime.contract().constant("PEImageLayout.MappedFlag")) != 0;
  const auto location = locateMetadata(imageReader(*base), module.isMapped);
  if (!location) return;
  module.isReadyToRun = location->readyToRun;
  const Address start = *base + location->offset;
  parseMetadata(module, {start, start + location->sizeBytes});
  if (module.name.empty() && module.metadata) module.name = module.metadata->moduleName();
}

void Modules::loadDynamic(Module& module) const {
  module.isDynamic = true;
  const auto range = dynamicMetadataOf(m_runtime, module.address);
  if (!range) return;
  module.sizeBytes = range->sizeBytes();
  parseMetadata(module, *range);
  if (!module.metadata) return;
  const auto assembly = module.metadata->assembly();
  module.name = assembly ? std::string(assembly->name) : std::string(module.metadata->moduleName());
}

void Modules::parseMetadata(Module& module, AddressRange range) const {
  if (range.isEmpty() || range.sizeBytes() > kLimits.metadataBytes) return;
  auto view = m_runtime.memory().view(range);
  if (!view) return;
  auto metadata = Metadata::parse(view->bytes, view->owner);
  if (!metadata) return;
  module.metadata = std::move(*metadata);
  module.metadataSource = m_runtime.memory().isFromFile(range.start) ? MetadataSource::File : MetadataSource::Dump;
  module.mvid = module.metadata->mvid();
}

const MappedFile* Modules::mappedFileAt(Address address) const {
  auto file = std::upper_bound(m_files.begin(), m_files.end(), address,
                               [](Address wanted, const MappedFile& mapped) { return wanted < mapped.range.start; });
  if (file == m_files.begin()) return nullptr;
  --file;
  return file->range.contains(address) ? &*file : nullptr;
}

std::string Modules::pathOf(Address imageBase) const {
  const MappedFile* file = mappedFileAt(imageBase);
  return file ? file->path : std::string();
}

PeReader Modules::imageReader(Address imageBase) const {
  return [this, imageBase](std::uint64_t offset, std::span<std::byte> target) {
    return m_runtime.memory().tryRead(imageBase + offset, target);
  };
}

Result<Address> Modules::addressOfRva(const Module& module, std::uint32_t rva) const {
  if (!module.imageBase) return failure(ErrorCode::NotFound, "The module was made at run time and has no image.");
  HEAPSCAPE_TRY(const std::uint64_t offset, locateRva(imageReader(module.imageBase), module.isMapped, rva));
  return module.imageBase + offset;
}

ReadyToRunFacts Modules::readyToRunFacts(const Module& module) const {
  if (!module.imageBase || !module.isReadyToRun) return {};
  const PeReader read = imageReader(module.imageBase);
  const auto location = locateMetadata(read, module.isMapped);
  return location ? readReadyToRunHeader(read, module.isMapped, *location) : ReadyToRunFacts{};
}

const Module* Modules::definingModule(const MethodTables& methodTables, const MethodTable& type) const {
  const auto address = methodTables.module(type);
  return address ? find(*address) : nullptr;
}

const Module* Modules::findAssembly(std::string_view simpleName) const {
  const auto found = m_byAssembly.find(simpleName);
  return found == m_byAssembly.end() ? nullptr : found->second;
}

}  // namespace heapscape::engine
