// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "values/lines/line_plan.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

class SlotReader;

/// No more of a text than fits on a line, and no half of a character; "…" behind it tells that more is left out.
std::string cutLine(std::string text);

/// Writes what objects hold, each on one line as people read it: a string's characters, the count and first items of an
/// array or a collection, an exception's message, what a delegate calls, a boxed value (a member of an enum by its
/// name), what is read as one thing, and of anything else its first fields. For one thread: what it learns of types it
/// keeps.
class ObjectLines {
 public:
  static constexpr std::size_t kLongest = 200;  // bytes; what is left out is told by "…"

  /// The reader outlives this.
  explicit ObjectLines(const ValueReader& values) : m_values(values), m_sources(values.instances()), m_plans(values) {}

  ObjectLines(const ObjectLines&) = delete;
  ObjectLines& operator=(const ObjectLines&) = delete;

  /// Whether objects of a type hold anything that can be told.
  bool isPossible(Address methodTable) { return m_plans.of(methodTable).form != Form::Nothing; }
  /// Valid UTF-8 without line breaks. Nothing if it cannot be read; empty for an object without fields. The work is
  /// bounded, whatever the object holds. Good until the next one is read.
  std::optional<std::string_view> read(Address object, Address methodTable);
  /// The plans of the types, for whoever wants to know of a line without reading it.
  LinePlans& plans() { return m_plans; }

 private:
  using Form = LinePlan::Form;

  // Each adds to m_line. False if what there is cannot be read.
  bool write(const LinePlan& type, Address object);
  bool vector(const LinePlan& type, Address object);
  bool array(const LinePlan& type, Address object);
  bool boxed(const LinePlan& type, Address object);
  /// False as well for one that only Collection tells of.
  bool list(const LinePlan& type, Address object);
  bool collection(const LinePlan& type, Address object);
  bool exception(Address object);
  bool delegate(const LinePlan& type, Address object);
  bool fields(const LinePlan& type, Address object);
  /// "3 items: ", then what `add` puts behind for each of the first.
  template <class Add>
  void counted(std::uint64_t count, std::size_t shown, const Add& add);
  /// Adds the content of a field or an element: of what it refers to only strings, lengths of arrays and types.
  void addField(const LinePlan::Part& part, Address at, SlotReader& reader);
  /// Adds an item of a collection, with what it refers to.
  void addItem(const LinePlan::Part& part, Address at);
  /// Each is false, and adds nothing, where only a Value tells all there is to tell.
  bool addPlain(const LinePlan::Part& part, Address at, bool isItem);
  bool addReference(const Slot& slot, Address at, bool isItem);
  bool addPrimitive(const LinePlan::Part& part, Address at);
  /// The characters of a String between quotation marks. False, and nothing added, if they cannot be read.
  bool addString(Address string);

  const ValueReader& m_values;
  const InstanceSources m_sources;
  LinePlans m_plans;
  std::string m_line;
};

}  // namespace heapscape::engine
