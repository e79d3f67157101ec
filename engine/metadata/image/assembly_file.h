// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "metadata/image/pe_image.h"
#include "metadata/image/ready_to_run_header.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// A managed .dll or .exe, read from its file.
struct AssemblyFile {
  std::filesystem::path path;
  std::shared_ptr<const Metadata> metadata;
  ReadyToRunFacts readyToRun;
};

/// Reads an assembly's metadata into memory of our own: the file may be built anew at any time. Nothing in it is run.
/// Fails with FileUnreadable, NotFound if it is no managed image (a native library, an executable of Linux, something
/// else), or Damaged if it is cut or contradicts itself.
Result<AssemblyFile> readAssemblyFile(const std::filesystem::path& path);

/// Reads the bytes of an assembly's file, which it keeps open; nullopt unless it is the module of that id.
std::optional<PeReader> openAssembly(const std::filesystem::path& path, const std::string& mvid);

/// The token of the signature of a method's local variables (ECMA-335 II.25.4), nil for a method without any. `rva`: of
/// its IL. Fails as locateRva does, and with NotInDump where the reader lacks the IL's head.
Result<Token> localSignatureOf(const PeReader& read, bool mapped, std::uint32_t rva);

}  // namespace heapscape::engine
