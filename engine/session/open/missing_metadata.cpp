// SPDX-License-Identifier: MIT
#include "session/open/missing_metadata.h"

#include <fmt/format.h>

#include "base/figures.h"
#include "memory/file_backed_memory.h"
#include "runtime/modules/metadata_identity.h"
#include "runtime/modules/noted_images.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
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
    text.help = fmt::format("Nothing tells whether {} is the same file, so it is not used. ",
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

std::optional<MetadataFile> metadataFileOf(const Snapshot& snapshot, const ModuleRow& module) {
  const FileBackedMemory* files = snapshot.contents().memory->files();
  if (module.metadata != MetadataSource::File || !files) return std::nullopt;
  const auto path = files->fileAt(module.imageBase);
  const auto identity = files->identityAt(module.imageBase);
  if (!path || !identity) return std::nullopt;
  return MetadataFile{*path, toString(*identity)};
}

}  // namespace heapscape::engine
