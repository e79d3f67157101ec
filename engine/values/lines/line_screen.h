// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "base/ids.h"
#include "values/lines/line_plan.h"

namespace heapscape::engine {

/// Tells of most objects that their line (ObjectLines) does not hold a word, without writing it: of millions few do.
/// For one thread: what it learns of types it keeps.
class LineScreen {
 public:
  /// `word`: letters and digits of ASCII, in lower case. The reader of the plans has a heap; they outlive this.
  LineScreen(LinePlans& plans, std::string word);

  /// False only for an object whose line can be read and does not hold the word, in letters of either case. `object`:
  /// all bytes of it; none if the dump does not hold them.
  bool mayHold(Bytes object, TypeId type);

 private:
  /// Anything: the line has to be written. Nothing: it holds no such word whatever the memory holds.
  enum class Verdict : std::uint8_t { Anything, Nothing, Look };
  struct Type {
    const LinePlan* plan = nullptr;  // once it is known
    Verdict line = Verdict::Anything;
    Verdict inField = Verdict::Anything, asItem = Verdict::Anything;  // where something refers to it
    bool isReadable = false;                                          // one of the fields can be told in any case
    std::vector<Verdict> parts = {};                                  // of the fields, or of all items
  };

  const Type& typeOf(TypeId type);
  Verdict verdictOfLine(Type& type) const;
  Verdict verdictOfReferred(const LinePlan& plan, LinePlan::Shown shown) const;
  Verdict verdictOf(const LinePlan::Part& part) const;
  /// Whether a text that is the same for all objects holds it, or something that is written otherwise than it reads.
  bool isIn(std::string_view text) const;

  bool itemsMayHold(const Type& type, Bytes object);
  bool fieldsMayHold(const Type& type, Bytes object);
  /// `at`: where its bytes lie.
  bool partMayHold(const LinePlan::Part& part, Verdict verdict, const std::byte* at, bool isItem);
  bool referenceMayHold(Address object, bool isItem);
  bool stringMayHold(Bytes string) const;
  bool numberMayHold(std::uint64_t magnitude) const;
  bool realMayHold(double value, double exactBelow) const;

  LinePlans& m_plans;
  const WalkedHeap& m_heap;
  const std::string m_word;
  bool m_isNumber = false;                  // nothing but digits
  std::uint64_t m_number = 0, m_power = 0;  // what these mean, and 10 to their count; 0 for too many
  bool m_isInNull = false;
  std::vector<Type> m_types;  // by TypeId
};

}  // namespace heapscape::engine
