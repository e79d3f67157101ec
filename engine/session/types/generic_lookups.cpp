// SPDX-License-Identifier: MIT
#include "session/types/generic_lookups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/address.h"
#include "metadata/names/type_name.h"
#include "metadata/signature.h"
#include "runtime/methods/method_descs.h"
#include "runtime/types/method_tables.h"
#include "session/types/type_details.h"

namespace heapscape::engine {
namespace {

/// Names for what is looked up, in the words of one generic type or method.
class LookupNames {
 public:
  LookupNames(const RuntimeReaders& readers, const MethodTable& type, const MethodDesc* method) : m_readers(readers) {
    m_module = readers.modules.definingModule(readers.methodTables, type);
    if (!m_module || !m_module->metadata) return;
    if (const auto row = readers.methodTables.typeDefRow(type))
      m_typeParameters = m_module->metadata->genericParamNames({TableId::TypeDef, *row});
    if (method) m_methodParameters = m_module->metadata->genericParamNames({TableId::MethodDef, method->row});
  }

  /// Empty if the signature cannot be read.
  std::string nameOf(const Lookup& lookup) const {
    if (lookup.type.empty() || !m_module || !m_module->metadata) return {};
    BoundedReader reader(lookup.type);
    const auto first = decodeRuntimeType(reader);
    if (!first) return {};
    const std::string name = nameOf(*first);
    switch (lookup.kind) {
      case LookupKind::Unknown:
        return {};
      case LookupKind::Type:
        return name;
      case LookupKind::Method:
      case LookupKind::MethodEntry:
      case LookupKind::DispatchStub:
        return "a method of " + name;
      case LookupKind::Field:
        return "a field of " + name;
      case LookupKind::ConstrainedMethodEntry:
      case LookupKind::DeclaringType: {
        const auto second = decodeRuntimeType(reader);
        if (!second) return {};
        const bool isCall = lookup.kind == LookupKind::ConstrainedMethodEntry;
        return isCall ? "a method of " + nameOf(*second) + " on " + name : name + " above " + nameOf(*second);
      }
    }
    return {};
  }

 private:
  std::string nameOf(const SignatureType& type) const {
    const auto in = [](const std::vector<std::string_view>& names, std::string_view mark) {
      return [&names, mark](std::uint32_t number) {
        return number < names.size() ? std::string(names[number]) : fmt::format("{}{}", mark, number);
      };
    };
    return signatureTypeName(
        *m_module->metadata, type,
        {.typeParameter = in(m_typeParameters, "!"),
         .methodParameter = in(m_methodParameters, "!!"),
         .typeHandle = [this](std::uint64_t handle) { return m_readers.names.nameOf(Address{handle}); },
         .definitionHandle = [this](std::uint64_t handle) { return definitionName(Address{handle}); }});
  }

  std::string definitionName(Address handle) const {
    const auto type = m_readers.methodTables.read(handle);
    const Module* module = type ? m_readers.modules.definingModule(m_readers.methodTables, *type) : nullptr;
    const auto row = type ? m_readers.methodTables.typeDefRow(*type) : failure(ErrorCode::NotFound, {});
    return module && module->metadata && row ? module->metadata->typeDefName(*row) : m_readers.names.nameOf(handle);
  }

  const RuntimeReaders& m_readers;
  const Module* m_module = nullptr;
  std::vector<std::string_view> m_typeParameters, m_methodParameters;
};

/// Meaning of a looked-up value; empty if it is not known.
std::string meaningOf(const RuntimeReaders& readers, Address value) {
  if (readers.methodTables.isTypeDesc(value) || readers.methodTables.isMethodTable(value)) {
    const std::string name = readers.names.nameOf(value);
    return name.starts_with('<') ? std::string() : name;
  }
  if (readers.methods.read(value)) return readers.methodNames.nameOf(value);
  const Address method = readers.code.methodAtEntry(value);
  return method && readers.methods.read(method) ? readers.methodNames.nameOf(method) : std::string();
}

class LookupReader {
 public:
  LookupReader(const RuntimeReaders& readers, const MethodTable& type, TypeDetails& details)
      : m_readers(readers), m_type(type), m_details(details) {}

  void readOwn() {
    const auto dictionary = readGenericDictionary(m_readers.runtime, m_type);
    if (!dictionary) {
      noteDamage(m_type.address, dictionary.error());
      return;
    }
    m_dictionaries = dictionary->pointerCount;
    std::vector<std::string> arguments;
    for (const TypeArgument& argument : m_details.typeArguments)
      arguments.push_back(argument.parameter + " = " + argument.argument.name);
    readSlots(*dictionary, arguments, nullptr, m_details.dictionaryFigures, m_details.dictionary);
  }

  void readInherited() {
    const auto inherited = readInheritedDictionaries(m_readers.methodTables, m_type);
    if (!inherited) {
      noteDamage(m_type.address, inherited.error());
      return;
    }
    for (const InheritedDictionary& dictionary : *inherited) {
      const auto owner = m_readers.methodTables.read(dictionary.owner);
      if (owner) addInherited(*owner, dictionary);
    }
  }

  void readMethods() {
    for (const MethodDesc& method : instantiatedMethodsOf(m_readers.methods, m_readers.modules, m_type)) {
      const auto dictionary = readMethodDictionary(m_readers.runtime, method);
      if (!dictionary) {
        noteDamage(method.address, dictionary.error());
        continue;
      }
      MethodLookups lookups;
      lookups.name = m_readers.methodNames.nameOf(method.address);
      lookups.methodDesc = method.address;
      std::vector<std::string> arguments;
      for (const TypeHandle argument : m_readers.methods.typeArguments(method))
        arguments.push_back(m_readers.names.nameOf(argument));
      readSlots(*dictionary, arguments, &method, lookups.figures, lookups.slots);
      m_details.methodLookups.push_back(std::move(lookups));
    }
    std::ranges::stable_sort(m_details.methodLookups, {}, &MethodLookups::name);
  }

  /// Only the ways that the type's methods go.
  void readPaths() {
    const auto goes = [this](LookupSource source) {
      return std::ranges::find(m_details.methods, source, &TypeMethod::lookupSource) != m_details.methods.end();
    };
    const std::string dictionary = fmt::format("dictionary {} of {}", m_dictionaries, m_dictionaries);
    if (m_dictionaries > 0 && goes(LookupSource::This))
      m_details.lookupPaths.push_back(
          {LookupSource::This, {"this", "method table", "PerInstInfo", dictionary, "slot"}});
    if (m_dictionaries > 0 && goes(LookupSource::MethodTable))
      m_details.lookupPaths.push_back({LookupSource::MethodTable, {"method table", "PerInstInfo", dictionary, "slot"}});
    if (!m_details.methodLookups.empty())
      m_details.lookupPaths.push_back({LookupSource::Method, {"method", "dictionary", "slot"}});
  }

 private:
  void noteDamage(Address address, const Error& error) {
    m_details.findings.push_back({FindingKind::RuntimeDataDamaged, address, error.what});
  }

  void readSlots(const GenericDictionary& dictionary, const std::vector<std::string>& arguments,
                 const MethodDesc* method, DictionaryFigures& figures, std::vector<DictionarySlot>& slots) {
    figures.address = dictionary.address;
    figures.arguments = dictionary.arguments;
    figures.room = static_cast<std::uint32_t>(dictionary.slots.size());
    addArguments(dictionary, arguments, slots);
    if (!dictionary.layout) return;
    const auto layout = readDictionaryLayout(m_readers.runtime, dictionary.layout, method != nullptr);
    if (!layout) {
      noteDamage(dictionary.layout, layout.error());
      return;
    }
    figures.layout = layout->address;
    figures.layoutSlots = layout->slots;
    figures.initialSlots = layout->initialSlots;
    figures.used = static_cast<std::uint32_t>(layout->lookups.size());
    figures.isLayoutFull = layout->isFull(dictionary.arguments);
    addLookups(dictionary, *layout, LookupNames(m_readers, m_type, method), slots);
    const auto count = [&](SlotState state) {
      return static_cast<std::uint32_t>(std::ranges::count(slots, state, &DictionarySlot::state));
    };
    figures.filled = count(SlotState::Filled);
    figures.empty = count(SlotState::Empty);
    figures.beyond = count(SlotState::Beyond);
  }

  void addArguments(const GenericDictionary& dictionary, const std::vector<std::string>& arguments,
                    std::vector<DictionarySlot>& slots) const {
    for (std::uint32_t i = 0; i < dictionary.arguments; ++i) {
      const Address slot = dictionary.address + kPointerBytes * i;
      const Address value = m_readers.runtime.memory().readPointer(slot).value_or(Address{});
      slots.push_back({i, slot, value, i < arguments.size() ? arguments[i] : std::string(), SlotState::Argument});
    }
    if (!dictionary.layout) return;
    slots.push_back({dictionary.arguments, dictionary.address + kPointerBytes * dictionary.arguments,
                     Address{dictionary.sizeBytes}, fmt::format("{} bytes in all", dictionary.sizeBytes),
                     SlotState::Size});
  }

  void addLookups(const GenericDictionary& dictionary, const DictionaryLayout& layout, const LookupNames& names,
                  std::vector<DictionarySlot>& slots) const {
    for (std::size_t i = 0; i < std::max<std::size_t>(layout.slots, dictionary.slots.size()); ++i) {
      DictionarySlot slot;
      slot.index = static_cast<std::uint32_t>(dictionary.arguments + 1 + i);
      if (i < dictionary.slots.size()) {
        slot.address = dictionary.slots[i].address;
        slot.value = dictionary.slots[i].value;
      }
      if (i < layout.lookups.size()) {
        slot.kind = toString(layout.lookups[i].kind);
        slot.wanted = names.nameOf(layout.lookups[i]);
        slot.checksSize = i >= layout.initialSlots;
        slot.isOfReadyToRun = layout.lookups[i].isOfReadyToRun;
        slot.state = !slot.address ? SlotState::Beyond : slot.value ? SlotState::Filled : SlotState::Empty;
      } else if (!slot.address) {
        break;
      }
      if (slot.value) slot.meaning = meaningOf(m_readers, slot.value);
      if (slot.state == SlotState::Empty || slot.state == SlotState::Beyond) slot.meaning = "not needed yet";
      slots.push_back(std::move(slot));
    }
  }

  void addInherited(const MethodTable& owner, const InheritedDictionary& dictionary) {
    InheritedLookups row;
    row.owner = m_readers.names.nameOf(owner.address);
    row.ownerMethodTable = owner.address;
    row.dictionary = dictionary.address;
    row.current = dictionary.current;
    row.room = dictionary.slots;
    row.isOutdated = dictionary.isOutdated();
    const auto current = readGenericDictionary(m_readers.runtime, owner);
    if (current && current->layout) {
      const auto layout = readDictionaryLayout(m_readers.runtime, current->layout, false);
      if (!layout) {
        noteDamage(current->layout, layout.error());
        return;
      }
      row.used = static_cast<std::uint32_t>(layout->lookups.size());
      const Address first = dictionary.address + kPointerBytes * (current->arguments + 1u);
      for (std::uint32_t i = 0; i < row.used; ++i) {
        Address value;
        const bool isHeld = i < row.room && m_readers.runtime.memory().tryRead(first + kPointerBytes * i, value);
        if (!isHeld || !value) ++row.missed;
      }
    }
    m_details.inheritedLookups.push_back(std::move(row));
  }

  const RuntimeReaders& m_readers;
  const MethodTable& m_type;
  TypeDetails& m_details;
  std::uint32_t m_dictionaries = 0;
};

}  // namespace

LookupSource lookupSourceOf(const ClrRuntime& runtime, const MethodDesc& method, const MethodTable& owner) {
  if (method.classification == MethodClassification::Instantiated) return LookupSource::Method;
  if (genericFormOf(runtime, owner) != GenericForm::Shared || method.isUnboxingStub) return LookupSource::None;
  const bool hasThis = !method.isStatic && !owner.isValueType && !owner.isInterface;
  return hasThis ? LookupSource::This : LookupSource::MethodTable;
}

void readTypeLookups(const Contents& contents, const MethodTable& type, TypeDetails& details) {
  LookupReader reader(*contents.readers, type, details);
  if (type.isGenericInstance) reader.readOwn();
  if (!type.isArray) reader.readInherited();
  reader.readMethods();
  reader.readPaths();
}

}  // namespace heapscape::engine
