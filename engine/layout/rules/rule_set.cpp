// SPDX-License-Identifier: MIT
#include "layout/rules/rule_set.h"

namespace heapscape::engine {

const char* toString(RuleSet rules) {
  switch (rules) {
    case RuleSet::Actual:
      return "actual";
    case RuleSet::Declared:
      return "declared";
    case RuleSet::Auto:
      return "auto";
    case RuleSet::Sequential:
      return "sequential";
    case RuleSet::Best:
      return "best";
    case RuleSet::Classic:
      return "classic";
  }
  return "unknown";
}

}  // namespace heapscape::engine
