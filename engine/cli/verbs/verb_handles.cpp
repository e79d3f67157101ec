// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <array>

#include "cli/choice_option.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/roots_json.h"
#include "output/roots_text.h"

namespace heapscape::cli {

namespace {

using engine::HandleKind;

constexpr std::array kKinds{HandleKind::WeakShort,
                            HandleKind::WeakLong,
                            HandleKind::Strong,
                            HandleKind::Pinned,
                            HandleKind::Variable,
                            HandleKind::RefCounted,
                            HandleKind::Dependent,
                            HandleKind::AsyncPinned,
                            HandleKind::SizedRef,
                            HandleKind::WeakNativeCom,
                            HandleKind::WeakInteriorPointer,
                            HandleKind::CrossReference};

class HandlesVerb : public Verb {
 public:
  const char* name() const override { return "handles"; }
  const char* summary() const override { return "GC handles of every kind, by kind"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_flag("--all", m_includeNull, "Also those that refer to nothing");
    addChoice(app, "--kind", m_kind, kKinds, "Only handles of a kind");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained());
    HEAPSCAPE_TRY(engine::HandleList list, engine::listHandles(snapshot, m_includeNull, context.stop()));
    if (m_kind) std::erase_if(list.handles, [&](const engine::HandleRow& row) { return row.kind != *m_kind; });
    const engine::RowSelection rows = context.rowSelection();
    return context.write(snapshot,
                         {.json = [&](engine::JsonWriter& json) { engine::writeHandles(json, list, rows); },
                          .tsv = [&](engine::Output& output) { engine::writeHandlesTsv(output, list, rows); },
                          .text = [&](engine::Output& output) { engine::writeHandlesText(output, list, rows); },
                          .findings = list.findings});
  }

 private:
  bool m_includeNull = false;
  std::optional<HandleKind> m_kind;
};

}  // namespace

std::unique_ptr<Verb> makeHandlesVerb() {
  return std::make_unique<HandlesVerb>();
}

}  // namespace heapscape::cli
