// SPDX-License-Identifier: MIT
#include "session/types/type_methods.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "runtime/methods/instantiated_methods.h"
#include "runtime/types/method_table_flags.h"
#include "session/types/lookup_reader.h"

namespace heapscape::engine {
namespace {

/// A method together with the exact type that declares it.
struct Declared {
  MethodDesc method;
  std::size_t level = 0;  // 0: the type itself, 1: its parent …
};

class MethodRows {
 public:
  MethodRows(const RuntimeReaders& readers, const std::vector<MethodTable>& chain, FindingList& findings)
      : m_readers(readers), m_chain(chain), m_findings(findings) {
    for (const MethodTable& type : chain) {
      m_arguments.push_back(readers.methodTables.typeArguments(type).value_or(std::vector<TypeHandle>{}));
      m_names.push_back(readers.names.nameOf(type.address));
    }
  }

  std::vector<TypeMethod> read() {
    if (m_chain.empty()) return {};
    const auto counts = m_readers.methodSlots.countsOf(m_chain.front());
    if (!counts) {
      m_findings.add(FindingKind::RuntimeDataDamaged, m_chain.front().address,
                     "The slots of a type cannot be counted. " + counts.error().what);
      return {};
    }
    m_virtuals = counts->virtuals;
    collect();
    std::vector<TypeMethod> rows;
    const auto add = [&](const Declared& declared, std::uint32_t slot) {
      TypeMethod& row = rows.emplace_back(rowOf(declared, slot));
      if (declared.method.classification == MethodClassification::Instantiated) addInstantiations(declared, row);
    };
    for (const auto& [slot, declared] : m_bySlot) add(declared, slot);
    for (const MethodDesc& method : m_others) add({method, 0}, method.slot);
    joinAsyncForms(rows);
    return rows;
  }

 private:
  /// Puts the second form of a method below the one that returns the task.
  static void joinAsyncForms(std::vector<TypeMethod>& rows) {
    const auto keyOf = [](const TypeMethod& row) { return std::tuple(row.token, row.declaringType, row.isVirtual); };
    std::map<std::tuple<std::uint32_t, std::string, bool>, TypeMethod*> returning;
    for (TypeMethod& row : rows) {
      if (!row.isAsyncVariant) returning.try_emplace(keyOf(row), &row);
    }
    for (TypeMethod& form : rows) {
      const auto method = form.isAsyncVariant ? returning.find(keyOf(form)) : returning.end();
      if (method != returning.end()) method->second->asyncForms.push_back(std::exchange(form, {}));
    }
    std::erase_if(rows, [](const TypeMethod& row) { return !row.methodDesc; });
  }

  /// The most derived method of each slot wins; one method may fill several.
  void collect() {
    for (std::size_t level = 0; level < m_chain.size(); ++level) {
      for (const MethodDescChunk& chunk : m_readers.methods.chunksOf(m_chain[level], m_findings)) {
        for (const MethodDesc& method : chunk.methods) {
          const bool isInSlot = method.slot < m_virtuals;
          if (isInSlot) m_bySlot.try_emplace(method.slot, Declared{method, level});
          for (const std::uint32_t slot : m_readers.methods.furtherSlots(method)) {
            if (slot < m_virtuals) m_bySlot.try_emplace(slot, Declared{method, level});
          }
          if (!isInSlot && level == 0) m_others.push_back(method);
        }
      }
    }
    std::ranges::stable_sort(m_others, {}, &MethodDesc::slot);
  }

  TypeMethod rowOf(const Declared& declared, std::uint32_t slot) const {
    const MethodDesc& method = declared.method;
    TypeMethod row;
    row.name = m_readers.methodNames.signatureOf(method, m_arguments[declared.level]);
    row.declaringType = m_names[declared.level];
    row.methodDesc = method.address;
    row.token = method.row ? Token{TableId::MethodDef, method.row}.value() : 0;
    row.slot = slot;
    row.isVirtual = slot < m_virtuals;
    row.isInherited = declared.level > 0;
    row.isStatic = method.isStatic;
    row.isAsyncVariant = method.isAsyncVariant;
    row.classification = toString(method.classification);
    const auto entry = row.isVirtual ? m_readers.methodSlots.entryInSlot(m_chain.front().address, slot)
                                     : m_readers.methodSlots.entryPoint(method);
    row.entry = entry.value_or(Address{});
    addCode(method, row);
    const auto owner = m_readers.methodTables.read(method.methodTable);
    row.isShared = owner && genericFormOf(m_readers.runtime, *owner) == GenericForm::Shared;
    if (owner) row.lookupSource = lookupSourceOf(m_readers.runtime, method, *owner);
    return row;
  }

  void addCode(const MethodDesc& method, TypeMethod& row) const {
    row.versions = m_readers.methodCodes.of(method);
    if (const MethodCode* active = activeOf(row.versions)) {
      row.code = active->start;
      row.state = active->state;
      row.tier = active->tier;
      row.codeBytes = active->sizeBytes;
    }
  }

  /// Those of a generic method, of which its own MethodDesc has no code.
  void addInstantiations(const Declared& declared, TypeMethod& row) {
    auto known = m_instantiations.find(declared.level);
    if (known == m_instantiations.end()) {
      auto all = instantiatedMethodsOf(m_readers.methods, m_readers.modules, m_chain[declared.level]);
      known = m_instantiations.emplace(declared.level, std::move(all)).first;
    }
    for (const MethodDesc& method : known->second) {
      if (method.row != declared.method.row || method.isUnboxingStub != declared.method.isUnboxingStub) continue;
      TypeMethod& made = row.instantiations.emplace_back(rowOf({method, declared.level}, row.slot));
      made.entry = m_readers.methodSlots.entryPoint(method).value_or(Address{});
      for (const TypeHandle argument : m_readers.methods.typeArguments(method))
        made.methodArguments.push_back(m_readers.names.nameOf(argument));
      const auto form = m_readers.methods.formOf(method);
      made.isShared |= form.isShared;
      made.sharedMethodDesc = form.wrapped;
      const auto wrapped = form.wrapped ? m_readers.methods.read(form.wrapped) : failure(ErrorCode::NotFound, {});
      if (wrapped) addCode(*wrapped, made);
    }
    std::ranges::stable_sort(row.instantiations, {}, &TypeMethod::name);
  }

  const RuntimeReaders& m_readers;
  const std::vector<MethodTable>& m_chain;
  FindingList& m_findings;
  std::vector<std::vector<TypeHandle>> m_arguments;  // by level
  std::vector<std::string> m_names;                  // by level
  std::uint32_t m_virtuals = 0;
  std::map<std::uint32_t, Declared> m_bySlot;
  std::vector<MethodDesc> m_others;
  std::map<std::size_t, std::vector<MethodDesc>> m_instantiations;  // by level, once they were asked for
};

}  // namespace

std::vector<TypeMethod> readTypeMethods(const Contents& contents, const std::vector<MethodTable>& chain,
                                        FindingList& findings) {
  return MethodRows(*contents.readers, chain, findings).read();
}

}  // namespace heapscape::engine
