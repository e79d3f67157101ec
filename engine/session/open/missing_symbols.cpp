// SPDX-License-Identifier: MIT
#include "session/open/missing_symbols.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "memory/elf/elf_image.h"
#include "memory/file_backed_memory.h"
#include "session/snapshot/contents.h"
#include "session/stacks/frame_names.h"
#include "session/stacks/source_lines.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {
namespace {

/// Frames of one module that no PDB tells the line of.
struct FramesWithoutLine {
  std::size_t count = 0;
  bool isFramework = false;
};

using FramesByModule = std::unordered_map<const Module*, FramesWithoutLine>;

FramesByModule framesWithoutLine(const RuntimeReaders& readers, const StackList& stacks) {
  FrameNames names(readers);
  FramesByModule frames;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (const FrameRow& frame : thread.frames) {
      if (frame.kind != FrameKind::Managed || !frame.ilOffset || frame.line != 0) continue;
      const Module* module = names.of(frame.methodDesc).module;
      if (!module) continue;
      FramesWithoutLine& known = frames[module];
      ++known.count;
      known.isFramework = frame.isFramework;
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
  for (const auto& [module, frames] : framesWithoutLine(*contents.readers, *stacks)) {
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
