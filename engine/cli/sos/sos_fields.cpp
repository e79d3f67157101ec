// SPDX-License-Identifier: MIT
#include "cli/sos/sos_fields.h"

#include <bit>

#include "cli/sos/sos_text.h"
#include "metadata/signature.h"

namespace heapscape::cli {

using engine::Address;
using engine::ElementType;
using engine::FieldDesc;
using engine::MethodTable;

namespace {

constexpr std::uint32_t kFieldToken = 0x04000000;
constexpr std::string_view kNoToken = "       -";
constexpr std::size_t kTypeWidth = 20;
constexpr std::size_t kMostParents = 1000;  // more than any real type has

bool isValueOfItsOwn(ElementType element) {
  return element != ElementType::Class && element != ElementType::Object && element != ElementType::String &&
         element != ElementType::SzArray && element != ElementType::Array && element != ElementType::Ptr &&
         element != ElementType::FnPtr;
}

}  // namespace

std::string sosElementName(ElementType element) {
  switch (element) {
    case ElementType::Ptr:
      return "PTR";
    case ElementType::ByRef:
      return "BYREF";
    case ElementType::ValueType:
      return "VALUETYPE";
    case ElementType::Class:
      return "CLASS";
    case ElementType::Var:
      return "VAR";
    case ElementType::MVar:
      return "MVAR";
    case ElementType::Array:
      return "ARRAY";
    case ElementType::SzArray:
      return "SZARRAY";
    case ElementType::FnPtr:
      return "FNPTR";
    default:
      return std::string(engine::primitiveName(element));
  }
}

SosFields::SosFields(SosRun& run, const engine::RuntimeReaders& readers, engine::DebuggerNames& names)
    : m_run(run), m_readers(readers), m_names(names) {
  engine::FindingList known;  // opening has told of them
  m_threads = engine::readThreads(readers.runtime, known);
}

void SosFields::print(const MethodTable& type, SosFieldsOf what, Address at, const std::string& indentation) {
  m_indentation = indentation;
  m_run.print("{}{:>16} {:>8} {:>8} {:>20} {:>4} {:>8} {:>16} {}\n", indentation, "MT", "Field", "Offset", "Type", "VT",
              "Attr", "Value", "Name");
  std::vector<MethodTable> chain{type};
  while (chain.back().parent && chain.size() < kMostParents) {
    const auto parent = m_readers.methodTables.read(chain.back().parent);
    if (!parent) break;
    chain.push_back(*parent);
  }
  for (auto each = chain.rbegin(); each != chain.rend(); ++each) printOwn(*each, what, at);
}

void SosFields::printOwn(const MethodTable& type, SosFieldsOf what, Address at) {
  const auto canonical = m_readers.methodTables.read(type.canonical);
  const auto fields = m_readers.fields.declaredBy(canonical ? *canonical : type);
  if (!fields) return;
  for (const FieldDesc& field : *fields) printOne(field, canonical ? *canonical : type, type, what, at);
}

void SosFields::printOne(const FieldDesc& field, const MethodTable& canonical, const MethodTable& type,
                         SosFieldsOf what, Address at) {
  const auto arguments = m_readers.methodTables.typeArguments(canonical);
  const engine::SignatureContext context{m_readers.modules.definingModule(m_readers.methodTables, canonical),
                                         arguments ? *arguments : std::vector<engine::TypeHandle>()};
  const auto signature = engine::decodeFieldSignature(field.signature);
  const bool isTold = !field.typeName.empty();  // by no metadata
  const engine::TypeHandle resolved = isTold                        ? field.type
                                      : signature && context.module ? resolve(*signature, context)
                                                                    : engine::TypeHandle{};
  const bool countsFromObject = what != SosFieldsOf::Value && !field.isThreadStatic;
  const std::uint64_t offset = field.offset + (countsFromObject ? engine::kFieldsStart : 0);
  m_run.print("{}{} {} {:>8x} {:>20} {:>4} ", m_indentation, lowerAddress(resolved),
              isTold ? std::string(kNoToken) : fmt::format("{:08x}", kFieldToken | field.row), offset,
              cutInFront(isTold ? field.typeName : typeOf(field, resolved, context), kTypeWidth),
              isValueOfItsOwn(field.elementType) ? "Yes" : "No");
  if (field.isThreadStatic) {
    m_run.print("TLstatic  {}\n", field.name);
    printThreadStatics(field, type);
    return;
  }
  std::string value;
  if (field.isStatic) {
    if (field.isRva) {
      const auto place = m_readers.staticFields.addressOfRva(field, type);
      if (place) value = valueAt(field, *place);
    } else if (const auto area = m_readers.staticFields.areaOf(type); area && area->slotOf(field)) {
      value = valueAt(field, area->slotOf(field));
    }
  } else if (at && what != SosFieldsOf::Type) {
    value = valueAt(field, at + field.offset + (what == SosFieldsOf::Object ? engine::kFieldsStart : 0));
  }
  m_run.print("{:>8} {:>16} {}\n", field.isStatic ? "static" : "instance", value, field.name);
}

/// Arrays have no definition to be found by, but are among the loaded types.
engine::TypeHandle SosFields::resolve(const engine::SignatureType& type, const engine::SignatureContext& context) {
  if (type.element != ElementType::SzArray || type.parts.empty()) return m_readers.resolver.find(type, context);
  const engine::TypeHandle element = resolve(type.parts.front(), context);
  if (!element) return {};
  if (!m_hasArrays) {
    for (const Address each : m_readers.loadedTypes.all()) {
      const auto array = m_readers.methodTables.isTypeDesc(each) ? engine::failure(engine::ErrorCode::NotFound, {})
                                                                 : m_readers.methodTables.read(each);
      if (!array || !array->isSzArray) continue;
      if (const auto of = m_readers.methodTables.arrayElementType(*array)) m_arraysOf.try_emplace(*of, each);
    }
    m_hasArrays = true;
  }
  const auto found = m_arraysOf.find(element);
  return found == m_arraysOf.end() ? engine::TypeHandle{} : found->second;
}

/// By the type itself where it is loaded, else as it is declared; of numbers and enums by what they are made of.
std::string SosFields::typeOf(const FieldDesc& field, engine::TypeHandle resolved,
                              const engine::SignatureContext& context) const {
  if (field.elementType != ElementType::ValueType && field.elementType != ElementType::Class)
    return sosElementName(field.elementType);
  if (resolved) return m_names.ofType(resolved);
  const auto signature = engine::decodeFieldSignature(field.signature);
  return signature && context.module ? m_readers.resolver.nameOf(*signature, context)
                                     : sosElementName(field.elementType);
}

/// Bits of a field in the form of its element type. Of a value type the place where it lies; of a static one, which the
/// runtime keeps in a box, the place of the reference to that.
std::string SosFields::valueAt(const FieldDesc& field, Address at) const {
  const engine::AddressSpace& memory = m_readers.runtime.memory();
  if (field.elementType == ElementType::ValueType && (!field.isStatic || field.isUnboxed)) return lowerAddress(at);
  const std::uint32_t size = std::max(engine::primitiveSize(field.elementType), 0u);
  std::uint64_t bits = 0;
  const std::size_t bytes = size == 0 || size > sizeof bits ? sizeof bits : size;
  if (!memory.tryRead(at, std::as_writable_bytes(std::span(&bits, 1)).first(bytes))) return "???";
  switch (field.elementType) {
    case ElementType::I1:
      return std::to_string(static_cast<std::int8_t>(bits));
    case ElementType::I2:
      return std::to_string(static_cast<std::int16_t>(bits));
    case ElementType::I4:
      return std::to_string(static_cast<std::int32_t>(bits));
    case ElementType::I8:
      return std::to_string(static_cast<std::int64_t>(bits));
    case ElementType::Boolean:
    case ElementType::U1:
    case ElementType::U2:
    case ElementType::U4:
    case ElementType::U8:
      return std::to_string(bits);
    case ElementType::Char:
      return fmt::format("{:x}", bits);
    case ElementType::R4:
      return fmt::format("{:f}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ElementType::R8:
      return fmt::format("{:f}", std::bit_cast<double>(bits));
    case ElementType::I:
    case ElementType::U:
      return upperAddress({bits});
    case ElementType::ValueType:
      return lowerAddress(bits != 0 ? at : Address{});
    default:
      return lowerAddress({bits});
  }
}

void SosFields::printThreadStatics(const FieldDesc& field, const MethodTable& type) {
  m_run.print("    Thread static values (Thread:Value)\n");
  for (const engine::RuntimeThread& thread : m_threads) {
    if (thread.osId == 0) continue;
    const auto area = m_readers.threadStatics.areaOf(type, thread.address);
    if (!area || !area->isInitialised || !area->slotOf(field)) continue;
    m_run.print("        {:x}:{}\n", thread.osId, valueAt(field, area->slotOf(field)));
  }
  m_run.print("\n");
}

}  // namespace heapscape::cli
