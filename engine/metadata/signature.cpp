// SPDX-License-Identifier: MIT
#include "metadata/signature.h"

#include <utility>

#include "metadata/type_decoder.h"

namespace heapscape::engine {

namespace {

// A decoded tree is far bigger than its bytes, so the bytes are capped; a signature of 64 KiB does not occur.
constexpr std::size_t kMaxSignatureBytes = 64 * 1024;

tl::unexpected<Error> damagedSignature(std::string what) {
  return failure(ErrorCode::Damaged, std::move(what));
}

}  // namespace

Result<MethodSignature> decodeMethodSignature(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  return TypeDecoder(signature).decodeMethod();
}

Result<SignatureType> decodeFieldSignature(Bytes signature) {
  constexpr std::uint8_t kField = 0x06;
  constexpr std::uint8_t kKindMask = 0x0f;
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  TypeDecoder decoder(signature);
  if ((decoder.readByte() & kKindMask) != kField)
    return damagedSignature("A field's signature is not that of a field.");
  return decoder.decode(0);
}

Result<SignatureType> decodeTypeSpec(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  return TypeDecoder(signature).decode(0);
}

Result<std::vector<SignatureType>> decodeLocalSignature(Bytes signature) {
  if (signature.size() > kMaxSignatureBytes) return damagedSignature("A signature is longer than any real one.");
  return TypeDecoder(signature).decodeLocals();
}

std::uint32_t primitiveSize(ElementType element) {
  switch (element) {
    case ElementType::Boolean:
    case ElementType::I1:
    case ElementType::U1:
      return 1;
    case ElementType::Char:
    case ElementType::I2:
    case ElementType::U2:
      return 2;
    case ElementType::I4:
    case ElementType::U4:
    case ElementType::R4:
      return 4;
    case ElementType::I8:
    case ElementType::U8:
    case ElementType::R8:
    case ElementType::I:
    case ElementType::U:
    case ElementType::Ptr:
    case ElementType::ByRef:
    case ElementType::FnPtr:
      return 8;
    default:
      return 0;
  }
}

std::string_view primitiveName(ElementType element) {
  switch (element) {
    case ElementType::Void:
      return "System.Void";
    case ElementType::Boolean:
      return "System.Boolean";
    case ElementType::Char:
      return "System.Char";
    case ElementType::I1:
      return "System.SByte";
    case ElementType::U1:
      return "System.Byte";
    case ElementType::I2:
      return "System.Int16";
    case ElementType::U2:
      return "System.UInt16";
    case ElementType::I4:
      return "System.Int32";
    case ElementType::U4:
      return "System.UInt32";
    case ElementType::I8:
      return "System.Int64";
    case ElementType::U8:
      return "System.UInt64";
    case ElementType::R4:
      return "System.Single";
    case ElementType::R8:
      return "System.Double";
    case ElementType::String:
      return "System.String";
    case ElementType::TypedByRef:
      return "System.TypedReference";
    case ElementType::I:
      return "System.IntPtr";
    case ElementType::U:
      return "System.UIntPtr";
    case ElementType::Object:
      return "System.Object";
    default:
      return {};
  }
}

}  // namespace heapscape::engine
