// SPDX-License-Identifier: MIT
#include "runtime/managed_string.h"

#include <algorithm>

#include "base/utf16.h"

namespace heapscape::engine {

Result<std::string> readManagedString(const ClrRuntime& runtime, Address object, std::size_t limit) {
  HEAPSCAPE_TRY(Address methodTable, runtime.pointerAt(object, "Object", "m_pMethTab"));
  methodTable.value &= ~runtime.contract().constant("ObjectToMethodTableUnmask");
  HEAPSCAPE_TRY(const Address stringType, runtime.globalPointer("StringMethodTable"));
  if (methodTable != stringType) return failure(ErrorCode::Damaged, "There is no string at " + toString(object) + ".");
  HEAPSCAPE_TRY(const std::uint32_t length, runtime.valueAt<std::uint32_t>(object, "String", "m_StringLength"));
  std::u16string text(std::min<std::size_t>(length, limit), u'\0');
  const Address characters = runtime.member(object, "String", "m_FirstChar");
  if (!runtime.memory().tryRead(characters, std::as_writable_bytes(std::span(text)))) {
    return failure(ErrorCode::NotInDump,
                   "The characters of the string at " + toString(object) + " are not in the dump.");
  }
  return toUtf8(text);
}

}  // namespace heapscape::engine
