// SPDX-License-Identifier: MIT
#include "session/open/missing_files.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/figures.h"
#include "memory/elf/elf_image.h"
#include "memory/file_backed_memory.h"
#include "runtime/methods/code_range.h"
#include "runtime/modules/metadata_identity.h"
#include "runtime/modules/noted_images.h"
#include "session/snapshot/contents.h"
#include "session/stacks/frame_names.h"
#include "session/stacks/source_lines.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {
namespace {

const MappedFile* mappingAt(const ElfCore& core, Address address) {
  const auto next =
      std::ranges::upper_bound(core.files, address, {}, [](const MappedFile& f) { return f.range.start; });
  return next != core.files.begin() && (next - 1)->range.contains(address) ? &*(next - 1) : nullptr;
}

/// The program that the process runs; empty if the dump does not tell.
std::string programOf(const ElfCore& core) {
  const auto entry = std::ranges::find(core.auxiliaryVector, std::uint64_t{AT_ENTRY}, &AuxiliaryEntry::type);
  const MappedFile* file = entry == core.auxiliaryVector.end() ? nullptr : mappingAt(core, {entry->value});
  return file ? file->path : std::string();
}

LoadedImage imageIn(const std::string& program, std::string path, AddressRange range, const ElfCore& core) {
  LoadedImage image{range, std::move(path), program, {}};
  for (const MappedFile* mapping = mappingAt(core, range.start);
       mapping && mapping < core.files.data() + core.files.size() && mapping->range.start < range.end; ++mapping) {
    if (mapping->path == program) image.mappings.push_back(*mapping);
  }
  return image;
}

}  // namespace

std::vector<LoadedImage> imagesBesideFiles(const ElfCore& core, const ClrRuntime& runtime) {
  const std::string program = programOf(core);
  std::vector<LoadedImage> images;
  std::unordered_set<Address> ofModules;
  for (const NotedImage& noted : notedImages(runtime)) {
    ofModules.insert(noted.base);
    const MappedFile* mapping = mappingAt(core, noted.base);
    if (noted.path.empty() || (mapping ? mapping->path != program : noted.isMapped)) continue;
    images.push_back(imageIn(program, noted.path, {noted.base, noted.base + noted.sizeBytes}, core));
  }
  // A composite image has the code of many assemblies, and no module of its own that would name its file.
  for (const CodeRange& code : allCodeRanges(runtime)) {
    const MappedFile* mapping =
        code.module && !ofModules.contains(code.range.start) ? mappingAt(core, code.range.start) : nullptr;
    if (mapping && mapping->path == program) images.push_back(imageIn(program, {}, code.range, core));
  }
  return images;
}

namespace {

constexpr std::string_view kSubject = "Names of types, fields and methods of ";

MissingMetadata missingOf(const Contents& contents, const ModuleRow& module) {
  const ClrRuntime& runtime = contents.readers->runtime;
  MissingMetadata missing;
  missing.module = module.address;
  missing.name = module.name;
  missing.path = module.path;
  const auto image = notedImage(runtime, module.address);
  if (!image) return missing;
  missing.fileBytes = image->fileBytes;
  missing.version = notedVersion(runtime, *image);
  missing.canBeProven = hasNotedMetadata(runtime, *image);
  if (const FileBackedMemory* files = contents.memory->files()) {
    for (const FileBackedMemory::RefusedFile& file : files->refusedAt(image->base)) {
      (file.isOther ? missing.otherBuilds : missing.unproven).push_back(file.path);
    }
  }
  return missing;
}

}  // namespace

std::vector<MissingMetadata> missingMetadata(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  std::vector<MissingMetadata> all;
  for (const ModuleRow& module : snapshot.modules()) {
    if (module.metadata == MetadataSource::Missing) all.push_back(missingOf(contents, module));
  }
  return all;
}

Missing describe(const MissingMetadata& missing) {
  std::string traits;
  if (!missing.version.empty()) traits = "version " + missing.version;
  if (missing.fileBytes > 0) {
    traits += fmt::format("{}a file of {} bytes", traits.empty() ? "" : ", ", missing.fileBytes);
  }
  Missing text;
  text.what = fmt::format("{}{}{}.", kSubject, missing.name.empty() ? "a module" : missing.name,
                          traits.empty() ? "" : " (" + traits + ")");
  if (!missing.otherBuilds.empty()) {
    text.help = fmt::format("{} is another build of it, and not used. ", missing.otherBuilds.front().string());
  } else if (!missing.unproven.empty()) {
    text.help = fmt::format("It is not known whether {} is the same file, so it is not used. ",
                            missing.unproven.front().string());
  }
  text.help += missing.canBeProven
                   ? "Give the folder that has the very file that the process had loaded: with --search, or in the "
                     "window by dropping it."
                   : "There is no identity of it in the dump: take one with createdump or dotnet-dump, or set "
                     "/proc/PID/coredump_filter to 0x3f before the kernel or gcore writes it.";
  return text;
}

bool isMissingMetadata(const Missing& missing) {
  return missing.what.starts_with(kSubject);
}

std::optional<MissingDebugFile> missingDebugFile(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  const AotProgram* aot = contents.readers ? contents.readers->runtime.aot() : nullptr;
  if (!aot || contents.readers->fields.areTold()) return std::nullopt;
  const AotDebugFile& file = aot->debugFile;
  return MissingDebugFile{.name = file.fileName(),
                          .program = file.program().path,
                          .buildId = file.program().buildId,
                          .problem = file.problem(),
                          .otherBuilds = file.others()};
}

Missing describe(const MissingDebugFile& missing) {
  Missing text;
  text.what = fmt::format(
      "Fields and their values, names of static fields, layouts and lines of the source: {}{}, the debugging "
      "information "
      "that was made with the program.",
      missing.name, missing.buildId.empty() ? "" : fmt::format(" (build-id {})", missing.buildId));
  if (!missing.problem.empty())
    text.help = fmt::format("One was found, but {}. ", missing.problem);
  else if (!missing.otherBuilds.empty())
    text.help = fmt::format("{} is of another build, and not used. ", missing.otherBuilds.front().string());
  text.help += "Put it beside the dump, or give its folder: with --search, or in the window by dropping it.";
  return text;
}

std::optional<MetadataFile> metadataFileOf(const Snapshot& snapshot, const ModuleRow& module) {
  const FileBackedMemory* files = snapshot.contents().memory->files();
  if (module.metadata != MetadataSource::File || !files) return std::nullopt;
  const auto path = files->fileAt(module.imageBase);
  const auto identity = files->identityAt(module.imageBase);
  if (!path || !identity) return std::nullopt;
  return MetadataFile{*path, toString(*identity)};
}

namespace {

/// Frames of one module that no PDB tells the line of.
struct FramesWithoutLine {
  std::size_t count = 0;
  bool isFramework = false;
};

using FramesByModule = std::unordered_map<const Module*, FramesWithoutLine>;

FramesByModule framesWithoutLine(const Contents& contents, const StackList& stacks) {
  FrameNames names(*contents.readers, *contents.owners);
  FramesByModule frames;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (const FrameRow& frame : thread.frames) {
      if (frame.kind != FrameKind::Managed || !frame.ilOffset || frame.line != 0) continue;
      const Module* module = names.of(frame.methodDesc).module;
      if (!module) continue;
      FramesWithoutLine& known = frames[module];
      ++known.count;
      known.isFramework = frame.owner == CodeOwner::Framework;
    }
  }
  return frames;
}

bool hasUnwindTable(const AddressSpace& memory, const RuntimeLibrary& library) {
  const auto image = ElfImage::at(memory, library.base);
  return image && memory.readable(image->unwindTable()) == std::vector{image->unwindTable()};
}

std::optional<MissingLibrary> missingLibrary(const Contents& contents, const StackList& stacks) {
  const RuntimeLibrary& library = contents.readers->runtime.library();
  const auto cut = std::ranges::count(stacks.threads, false, &ThreadStackRow::isComplete);
  if (cut == 0 || hasUnwindTable(*contents.memory, library)) return std::nullopt;
  MissingLibrary missing{
      .path = library.path, .buildId = library.buildId, .cutStacks = static_cast<std::size_t>(cut), .otherBuilds = {}};
  if (const FileBackedMemory* files = contents.memory->files()) {
    for (const FileBackedMemory::RefusedFile& file : files->refusedAt(library.base)) {
      if (file.isOther) missing.otherBuilds.push_back(file.path);
    }
  }
  return missing;
}

}  // namespace

Outcome<MissingSymbols> missingSymbols(const Snapshot& snapshot, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  HEAPSCAPE_TRY(const auto stacks, keptStacks(snapshot, stop));
  MissingSymbols missing{.sources = {}, .runtimeLibrary = missingLibrary(contents, *stacks)};
  const SourceLines lines(contents.readers->runtime, contents.file->path());
  for (const auto& [module, frames] : framesWithoutLine(contents, *stacks)) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    auto pdb = lines.missingPdbOf(*module);
    if (!pdb) continue;
    missing.sources.push_back({.pdb = std::move(pdb->name),
                               .assembly = module->name,
                               .isFramework = frames.isFramework,
                               .frames = frames.count,
                               .otherBuilds = std::move(pdb->otherBuilds)});
  }
  std::ranges::sort(missing.sources, {}, [](const MissingSource& source) {
    return std::tuple(source.isFramework, ~source.frames, source.assembly);
  });
  return missing;
}

}  // namespace heapscape::engine
