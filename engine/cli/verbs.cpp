// SPDX-License-Identifier: MIT
#include "cli/verb.h"
#include "cli/verbs/list_verb.h"

namespace heapscape::cli {

std::vector<std::unique_ptr<Verb>> makeVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  const auto list = [](std::string_view name) { return makeListVerb(*engine::findList(name)); };
  verbs.push_back(makeInfoVerb());
  verbs.push_back(makeCrashVerb());
  verbs.push_back(list("segments"));
  verbs.push_back(list("generations"));
  verbs.push_back(makeGcVerb());
  verbs.push_back(list("types"));
  verbs.push_back(makeObjectsVerb());
  verbs.push_back(makeTypeVerb());
  verbs.push_back(list("generics"));
  verbs.push_back(makeObjectVerb());
  verbs.push_back(list("modules"));
  verbs.push_back(makeLayoutVerb());
  verbs.push_back(makeWasteVerb());
  verbs.push_back(makeEdgesVerb());
  verbs.push_back(makeSizeVerb());
  verbs.push_back(makeRootsVerb());
  verbs.push_back(makeRetainedVerb());
  verbs.push_back(makePathVerb());
  verbs.push_back(makeDominatorsVerb());
  verbs.push_back(makeVerifyVerb());
  verbs.push_back(makeAddressVerb());
  verbs.push_back(makeBytesVerb());
  verbs.push_back(list("handles"));
  verbs.push_back(list("threads"));
  verbs.push_back(makeStacksVerb());
  verbs.push_back(makeAsyncVerb());
  verbs.push_back(makeLocksVerb());
  verbs.push_back(list("exceptions"));
  verbs.push_back(list("locals"));
  verbs.push_back(list("http"));
  verbs.push_back(list("finalizers"));
  verbs.push_back(list("statics"));
  verbs.push_back(list("strings"));
  verbs.push_back(makeInsightsVerb());
  verbs.push_back(makeQueryVerb());
  verbs.push_back(makeMemoryVerb());
  verbs.push_back(makeCompareVerb());
  verbs.push_back(makeTrendVerb());
  verbs.push_back(makeCheckVerb());
  verbs.push_back(makeReportVerb());
  verbs.push_back(makeRedactVerb());
  verbs.push_back(makePsVerb());
  verbs.push_back(makeCaptureVerb());
  verbs.push_back(makeCacheVerb());
  verbs.push_back(makeShellVerb());
  verbs.push_back(makeSosVerb());
  verbs.push_back(makeMcpVerb());
  return verbs;
}

}  // namespace heapscape::cli
