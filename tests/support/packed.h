// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/builders/core_builder.h"

namespace heapscape::test {

/// One gzip member.
FileBytes gzipped(engine::Bytes bytes);
/// One xz stream with a CRC64.
FileBytes xzCompressed(engine::Bytes bytes);
/// One LZ4 frame with a checksum of its contents.
FileBytes lz4Compressed(engine::Bytes bytes);

/// A file to put into a tar archive. Pages that are zero are left out of a sparse one.
struct PackedFile {
  std::string name;
  FileBytes bytes;
  bool isSparse = false;
};

/// A tar archive: sparse files as POSIX.1-2001 extensions of GNU tar, all others as ustar.
FileBytes tarred(const std::vector<PackedFile>& files);

}  // namespace heapscape::test
