// SPDX-License-Identifier: MIT
#include "metadata/runtime_signature.h"

#include "metadata/type_decoder.h"

namespace heapscape::engine {

Result<SignatureType> decodeRuntimeType(BoundedReader& reader) {
  TypeDecoder decoder(reader, TypeDecoder::Origin::Runtime);
  HEAPSCAPE_TRY(SignatureType type, decoder.decode(0));
  if (decoder.reader().failed()) return failure(ErrorCode::Damaged, "A signature ends too early.");
  reader = decoder.reader();
  return type;
}

}  // namespace heapscape::engine
