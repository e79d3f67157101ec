// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/sos/sos_command.h"
#include "runtime/runtime_readers.h"
#include "runtime/threads/threads.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {

/// What the fields of a type are printed with.
enum class SosFieldsOf : std::uint8_t {
  Type,    // no instance: only statics have values
  Object,  // offsets and places count from the object's address
  Value,   // an unboxed value, from its start
};

/// Prints the fields of a type and of its parents, statics too, in the columns of dumpobj, dumpvc and dumpclass.
class SosFields {
 public:
  SosFields(SosRun& run, const engine::RuntimeReaders& readers, engine::DebuggerNames& names);

  /// `at`: of the object or value; 0 for none. `indentation` stands in front of each line.
  void print(const engine::MethodTable& type, SosFieldsOf what, engine::Address at, const std::string& indentation = {});

 private:
  void printOwn(const engine::MethodTable& type, SosFieldsOf what, engine::Address at);
  void printOne(const engine::FieldDesc& field, const engine::MethodTable& canonical, const engine::MethodTable& type,
                SosFieldsOf what, engine::Address at);
  std::string typeOf(const engine::FieldDesc& field, engine::TypeHandle resolved,
                     const engine::SignatureContext& context) const;
  std::string valueAt(const engine::FieldDesc& field, engine::Address at) const;
  void printThreadStatics(const engine::FieldDesc& field, const engine::MethodTable& type);

  SosRun& m_run;
  const engine::RuntimeReaders& m_readers;
  engine::DebuggerNames& m_names;
  std::vector<engine::RuntimeThread> m_threads;
  std::string m_indentation;
};

/// "System.Int32", "CLASS": an element type as SOS names it, and without the namespace "Int32".
std::string sosElementName(engine::ElementType element);

}  // namespace heapscape::cli
