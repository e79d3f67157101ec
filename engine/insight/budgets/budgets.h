// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heapscape::engine {

/// What a budget limits.
enum class BudgetSubject : std::uint8_t {
  Heap,     // the whole of it, free space among it
  Type,     // of this name; all together whose name fits a pattern with *
  AnyType,  // each type by itself
  Insight,  // all insights of one kind together, or of all kinds
  Memory,   // of the process: one owner, or all mapped bytes
};

enum class BudgetMeasure : std::uint8_t { Bytes, Count, Retained, Padding, PaddingPercent };

/// One limit, and what it is for. resources/manual/budgets.md describes how they are written.
struct Budget {
  std::string text;  // as it was written, or what it says in short
  BudgetSubject subject = BudgetSubject::Heap;
  std::string name;  // of a Type, the kind of an Insight ("any" for all), the category of Memory ("mapped" for all)
  BudgetMeasure measure = BudgetMeasure::Bytes;
  bool isGrowth = false;            // the limit is for what has come to it since another dump
  bool isPercent = false;           // of growth: the limit is a share of what was there before
  double limit = 0;                 // bytes, objects or percent
  std::string against;              // the dump before; empty for the one that the command line names
  std::uint64_t leastBytes = 0;     // AnyType: types with less are passed over
  bool isOwn = false;               // AnyType: types of .NET are passed over
  std::vector<std::string> except;  // AnyType: these are passed over
  bool isOptional = false;          // Type: need not be known
};

/// Reads a file of budgets. Fails with BadQuery, naming the budget that cannot be understood.
Result<std::vector<Budget>> parseBudgets(std::string_view json);

/// One sentence: "System.String <= 200 MB", "no type over 10% padding". Fails with BadQuery.
Result<Budget> parseBudgetSentence(std::string_view sentence);

/// "200 MB", "1.5 GB", "4096": bytes in steps of 1024. "10%" is a percentage, "1000 objects" a count.
struct BudgetQuantity {
  enum class Unit : std::uint8_t { Number, Bytes, Percent, Objects };
  double value = 0;
  Unit unit = Unit::Number;
};
/// Fails with BadQuery.
Result<BudgetQuantity> parseQuantity(std::string_view text);

}  // namespace heapscape::engine
