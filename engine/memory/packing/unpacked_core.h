// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "memory/files/regular_file.h"
#include "memory/packing/byte_source.h"

namespace heapscape::engine {

/// Where the bytes of a core lie that may have come compressed, in an archive, or both.
struct UnpackedCore {
  RegularFile file;              // the given one, or an unlinked temporary file
  std::uint64_t fileOffset = 0;  // where the core begins in it
  std::uint64_t sizeBytes = 0;   // of the core, as far as the file has it
  bool isDecompressed = false;   // it was written out to the temporary file
  std::string nameInArchive;     // its name in the archive; empty if it was in none
  std::size_t coresInArchive = 0;
  std::string damage;  // why these bytes may not be all or not be right; empty if they are
};

/// Undoes all packing of a file: Zstandard, gzip, xz and LZ4, also several times over, and tar inside or alone. Of
/// several cores in an archive the largest is taken. A core that lies in a tar as it is stays there; all else is
/// written to $TMPDIR or /var/tmp. Polls the token every 128 KB of the file and every megabyte of what comes out of it.
/// Fails with FileUnreadable where there is no room, with NotACoreDump where no core comes out.
Outcome<UnpackedCore> unpackCore(RegularFile file, const std::filesystem::path& path, StageProgress& progress,
                                 std::stop_token stop);

/// Writes out all that a stream gives: plain cores, too. One that ends early is a core that
/// is cut. Fails with FileUnreadable if nothing comes.
Outcome<UnpackedCore> unpackStream(const InputStream& stream, StageProgress& progress, std::stop_token stop);

/// Whether opening the file will mean to write all of it out: it is packed, or a stream. False if it cannot be read.
bool isPackedFile(const std::filesystem::path& path);

}  // namespace heapscape::engine
