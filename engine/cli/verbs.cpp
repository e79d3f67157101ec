// SPDX-License-Identifier: MIT
#include "cli/verb.h"

namespace heapscape::cli {

std::vector<std::unique_ptr<Verb>> makeVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(makeInfoVerb());
  verbs.push_back(makeSegmentsVerb());
  verbs.push_back(makeGenerationsVerb());
  verbs.push_back(makeTypesVerb());
  verbs.push_back(makeObjectsVerb());
  verbs.push_back(makeModulesVerb());
  verbs.push_back(makeLayoutVerb());
  return verbs;
}

}  // namespace heapscape::cli
