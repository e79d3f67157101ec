// SPDX-License-Identifier: MIT
#include "cli/layout_input.h"

#include <fmt/format.h>

#include "session/open/open_assembly.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {

using engine::DeclaredLayouts;
using engine::Outcome;

Outcome<LayoutInput> LayoutInput::open(Context& context, const std::string& path, engine::Stage stage,
                                       std::optional<std::uint32_t> runtimeMajor) {
  LayoutInput input;
  const engine::AssemblyOptions options{.search = context.options().searchFolders, .runtimeMajor = runtimeMajor};
  if (!engine::looksLikeAssembly(path)) {
    HEAPSCAPE_TRY(input.m_dump, context.open(path, stage));
    return input;
  }
  const auto read = [&] {
    const engine::StageClock clock(input.m_timings, "read");
    return engine::openAssemblyFile(path, options, context.stop());
  };
  HEAPSCAPE_TRY(input.m_layouts, read());
  return input;
}

engine::Result<DeclaredLayouts> LayoutInput::layouts() {
  if (!m_layouts) {
    HEAPSCAPE_TRY(m_layouts, DeclaredLayouts::ofDump(*m_dump));
  }
  return *m_layouts;
}

engine::InputFacts LayoutInput::facts() const {
  if (m_dump) return engine::factsOf(*m_dump);
  engine::InputFacts facts;
  facts.timings = m_timings;
  std::string names;
  engine::FindingList findings;
  for (const engine::MissingAssembly& missing : m_layouts->missing()) {
    names += (names.empty() ? "" : ", ") + missing.assembly;
    const std::string reason = missing.neededBy.empty() ? std::string() : ", which " + missing.neededBy + " needs";
    findings.add(engine::FindingKind::MetadataMissing, {},
                 fmt::format("The assembly {}{}, was not read: {}", missing.assembly, reason, missing.why));
  }
  if (const auto read = framework(); read && read->isAnother) {
    facts.isComplete = false;
    findings.add(
        engine::FindingKind::MetadataMissing, {},
        fmt::format("No framework of .NET {0} was found: the rules of .NET {0} are applied to types as .NET {1}, "
                    "in {2}, declares them.",
                    rulesOf(), read->version, read->path));
  }
  facts.findings = findings.items();
  facts.findingsLeftOut = findings.leftOut();
  facts.isComplete = facts.isComplete && names.empty();
  if (!names.empty())
    facts.note = fmt::format("these assemblies are missing: {}. --search tells where they are.", names);
  if (const auto read = framework(); read && read->isAnother) {
    facts.note += fmt::format("{}the framework is {}, no other was found. --search tells where one of .NET {} is.",
                              facts.note.empty() ? "" : " ", read->version, rulesOf());
  }
  return facts;
}

}  // namespace heapscape::cli
