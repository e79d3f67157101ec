// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "cli/context.h"

namespace CLI {
class App;
}

namespace heapscape::cli {

class Context;

/// One word of the command line and what it does.
class Verb {
 public:
  virtual ~Verb() = default;
  virtual const char* name() const = 0;
  virtual const char* summary() const = 0;
  virtual bool hasTsv() const { return false; }
  /// Whether it is about a dump or another file; if not, it understands none of what is about these.
  virtual bool takesInput() const { return true; }
  /// Whether it has to do with answers that are kept.
  virtual bool usesCache() const { return true; }
  /// Whether it runs other verbs.
  virtual bool isShell() const { return false; }
  /// Adds what only this verb understands; the verb holds the values.
  virtual void addOptions(CLI::App&) {}
  virtual engine::Outcome<void> run(Context& context) = 0;
  /// Returns what the program ends with if run() has answered.
  virtual ExitStatus successStatus() const { return kDone; }
  /// Returns what the program ends with if run() has failed.
  virtual ExitStatus failureStatus() const { return kInputUnusable; }
};

std::unique_ptr<Verb> makeInfoVerb();
std::unique_ptr<Verb> makeCrashVerb();
std::unique_ptr<Verb> makeGcVerb();
std::unique_ptr<Verb> makeObjectsVerb();
std::unique_ptr<Verb> makeTypeVerb();
std::unique_ptr<Verb> makeObjectVerb();
std::unique_ptr<Verb> makeLayoutVerb();
std::unique_ptr<Verb> makeWasteVerb();
std::unique_ptr<Verb> makeEdgesVerb();
std::unique_ptr<Verb> makeSizeVerb();
std::unique_ptr<Verb> makeRootsVerb();
std::unique_ptr<Verb> makeRetainedVerb();
std::unique_ptr<Verb> makePathVerb();
std::unique_ptr<Verb> makeDominatorsVerb();
std::unique_ptr<Verb> makeVerifyVerb();
std::unique_ptr<Verb> makeAddressVerb();
std::unique_ptr<Verb> makeBytesVerb();
std::unique_ptr<Verb> makeStacksVerb();
std::unique_ptr<Verb> makeAsyncVerb();
std::unique_ptr<Verb> makeLocksVerb();
std::unique_ptr<Verb> makeInsightsVerb();
std::unique_ptr<Verb> makeQueryVerb();
std::unique_ptr<Verb> makeMemoryVerb();
std::unique_ptr<Verb> makeCompareVerb();
std::unique_ptr<Verb> makeTrendVerb();
std::unique_ptr<Verb> makeCheckVerb();
std::unique_ptr<Verb> makeReportVerb();
std::unique_ptr<Verb> makeRedactVerb();
std::unique_ptr<Verb> makePsVerb();
std::unique_ptr<Verb> makeCaptureVerb();
std::unique_ptr<Verb> makeCacheVerb();
std::unique_ptr<Verb> makeShellVerb();
std::unique_ptr<Verb> makeSosVerb();
std::unique_ptr<Verb> makeMcpVerb();

/// All verbs in the order that help shows them.
std::vector<std::unique_ptr<Verb>> makeVerbs();

}  // namespace heapscape::cli
