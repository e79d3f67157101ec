// SPDX-License-Identifier: MIT
#include "memory/packing/decoder.h"

namespace heapscape::engine {

std::unique_ptr<Decoder> makeDecoder(Packing packing) {
  switch (packing) {
    case Packing::Zstandard:
      return makeZstandardDecoder();
    case Packing::Gzip:
      return makeGzipDecoder();
    case Packing::Xz:
      return makeXzDecoder();
    case Packing::Lz4:
      return makeLz4Decoder();
    case Packing::None:
    case Packing::Tar:
      return nullptr;
  }
  return nullptr;
}

}  // namespace heapscape::engine
