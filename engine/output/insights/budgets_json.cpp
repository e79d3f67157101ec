// SPDX-License-Identifier: MIT
#include "output/insights/budgets_json.h"

#include <algorithm>
#include <cmath>

#include "output/insights/budget_unit.h"

namespace heapscape::engine {
namespace {

/// Bytes and counts are whole numbers; percentages are not.
void writeQuantity(JsonWriter& json, const char* name, const Budget& budget, double value) {
  json.key(name);
  if (isPercentage(budget)) {
    json.value(value);
  } else {
    json.number(std::to_string(std::llround(value)));
  }
}

}  // namespace

void writeBudgets(JsonWriter& json, const std::vector<BudgetResult>& results) {
  json.key("budgets");
  json.beginRows();
  for (const BudgetResult& result : results) {
    json.beginObject();
    json.member("budget", result.budget.text);
    json.member("kept", result.isKept);
    writeQuantity(json, "limit", result.budget, result.budget.limit);
    writeQuantity(json, "actual", result.budget, result.actual);
    json.member("unit", isPercentage(result.budget)                     ? "percent"
                        : result.budget.measure == BudgetMeasure::Count ? "objects"
                                                                        : "bytes");
    if (result.budget.subject == BudgetSubject::AnyType) {
      json.member("exceededBy", result.offenderCount);
      json.key("types");
      json.beginArray();
      for (const BudgetOffender& offender : result.offenders) {
        json.beginObject();
        json.member("type", offender.name);
        writeQuantity(json, "actual", result.budget, offender.actual);
        json.endObject();
      }
      json.endArray();
    }
    json.endObject();
  }
  json.endArray();
  json.member("kept",
              std::all_of(results.begin(), results.end(), [](const BudgetResult& result) { return result.isKept; }));
}

}  // namespace heapscape::engine
