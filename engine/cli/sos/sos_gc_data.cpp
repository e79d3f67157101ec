// SPDX-License-Identifier: MIT
#include <array>
#include <span>

#include "cli/sos/sos_command.h"
#include "runtime/gc/gc_state.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::Outcome;
using engine::Snapshot;

// Words and order of SOS, for interesting_data_point, gc_heap_compact_reason, gc_heap_expand_mechanism,
// gc_mechanism_bit_per_heap and gc_global_mechanism_p (src/coreclr/gc/gcrecord.h, gcinterface.dac.h).
constexpr std::array kDataPoints{"pre short", "post short",       "merged pins",      "converted pins",   "pre pin",
                                 "post pin",  "pre and post pin", "pre short padded", "post short padded"};
constexpr std::array kCompactionWords{std::pair("low on ephemeral space", true),
                                      std::pair("high fragmentation", false),
                                      std::pair("couldn't allocate gaps", true),
                                      std::pair("user specfied compact LOH", true),
                                      std::pair("last GC before OOM", true),
                                      std::pair("induced compacting GC", true),
                                      std::pair("fragmented gen0 (ephemeral GC)", false),
                                      std::pair("high memory load (ephemeral GC)", false),
                                      std::pair("high memory load and frag", true),
                                      std::pair("very high memory load and frag", true),
                                      std::pair("no gc mode", true)};
constexpr std::array kExpansionWords{"reused seg with normal fit", "reused seg with best fit",
                                     "expand promoting eph",       "expand with a new seg",
                                     "no memory for a new seg",    "expand in next full GC"};
constexpr std::array kBitWords{"using mark list", "demotion"};
constexpr std::array kProcessWords{"concurrent GCs",        "compacting GCs", "promoting GCs",
                                   "GCs that did demotion", "card bundles",   "elevation logic"};

/// Prints what the GC counts of itself. What the dump lacks is not told, rather than 0.
class GcDataPrinter {
 public:
  GcDataPrinter(SosRun& run, const Snapshot& snapshot, const engine::GcVariables& variables)
      : m_run(run), m_memory(*snapshot.contents().memory), m_gc(*snapshot.contents().gc), m_variables(variables) {}

  void print() {
    if (!m_gc.isServer) {
      const Address counts = m_variables.variable("GlobalMechanisms").value_or(Address{});
      for (std::size_t i = 0; i < kProcessWords.size(); ++i)
        m_run.print("{:<30}: {}\n", kProcessWords[i], numberAt(counts, i));
    }
    m_run.print("\n[info per heap]\n");
    for (std::uint32_t heap = 0; heap < m_gc.heaps.size() && m_run.goesOn(); ++heap) {
      if (m_gc.isServer) m_run.print("--------info for heap {}--------\n", heap);
      printHeap(heap);
      if (m_gc.isServer) m_run.print("\n");
    }
  }

 private:
  std::string numberAt(Address array, std::size_t index) const {
    std::uint64_t number = 0;
    if (!array || !m_memory.tryRead(array + index * engine::kPointerBytes, number)) return "not in the dump";
    return std::to_string(number);
  }

  void printHeap(std::uint32_t heap) {
    const auto placeOf = [&](const char* name) {
      return m_variables.placeOf(m_gc.isServer, heap, name).value_or(Address{});
    };
    const auto printAll = [&](const char* title, const char* name, const auto& words, int width) {
      m_run.print("{}\n", title);
      const Address array = placeOf(name);
      for (std::size_t i = 0; i < words.size(); ++i) m_run.print("{:>{}}: {}\n", words[i], width, numberAt(array, i));
    };
    printAll("Interesting data points", "InterestingData", kDataPoints, 20);
    m_run.print("\nCompacting reasons\n");
    const Address reasons = placeOf("CompactReasons");
    for (std::size_t i = 0; i < kCompactionWords.size(); ++i)
      m_run.print("[{}]{:>35}: {}\n", kCompactionWords[i].second ? 'M' : 'W', kCompactionWords[i].first,
                  numberAt(reasons, i));
    printAll("\nExpansion mechanisms", "ExpandMechanisms", kExpansionWords, 30);
    printAll("\nOther mechanisms enabled", "MechanismBits", kBitWords, 20);
  }

  SosRun& m_run;
  const engine::AddressSpace& m_memory;
  const engine::GcState& m_gc;
  const engine::GcVariables& m_variables;
};

Outcome<void> dumpGcData(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  if (!snapshot.contents().gc)
    return tl::unexpected(
        engine::Unfinished(engine::Error{engine::ErrorCode::NotInDump, "The dump does not tell the state of the GC."}));
  HEAPSCAPE_TRY(const engine::GcVariables variables, engine::GcVariables::of(snapshot.contents().readers->runtime));
  GcDataPrinter(run, snapshot, variables).print();
  return {};
}

}  // namespace

void addSosGcDataCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "dumpgcdata",
                      .arguments = "",
                      .summary = "What the GC counts of its own work",
                      .needsMetadata = true,
                      .run = dumpGcData,
                      .more = "gc"});
}

}  // namespace heapscape::cli
