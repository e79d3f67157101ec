// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <charconv>

#include "cli/address_argument.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/objects/object_details_output.h"
#include "session/details/object_details.h"

namespace heapscape::cli {

namespace {

/// A part of something long.
struct Window {
  std::uint64_t from = 0;
  std::size_t count = 0;
};

/// FROM:COUNT, both decimal; false if it is anything else.
bool parseWindow(const std::string& text, Window& window) {
  const char* end = text.data() + text.size();
  const auto from = std::from_chars(text.data(), end, window.from);
  if (from.ec != std::errc() || from.ptr == end || *from.ptr != ':') return false;
  const auto count = std::from_chars(from.ptr + 1, end, window.count);
  return count.ec == std::errc() && count.ptr == end;
}

void addWindow(CLI::App& app, const std::string& name, std::optional<Window>& window, const std::string& description) {
  const auto take = [&window](const std::string& text) {
    window.emplace();
    if (parseWindow(text, *window)) return;
    throw CLI::ValidationError("'" + text + "' is no part, it needs two numbers as in 100:50",
                               CLI::ExitCodes::ValidationError);
  };
  app.add_option_function<std::string>(name, take, description)->type_name("FROM:COUNT");
}

class ObjectVerb : public Verb {
 public:
  const char* name() const override { return "object"; }
  const char* summary() const override { return "Everything about one object: header, fields, elements, bytes"; }

  void addOptions(CLI::App& app) override {
    addAddressArgument(app, m_address, "Of the object, or inside it");
    addWindow(app, "--elements", m_elements, "These elements of an array or items of a collection (default 0:100)");
    addWindow(app, "--bytes", m_bytes, "These bytes from the header on, with what each belongs to");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.openRetained(HeapUse::Optional));
    HEAPSCAPE_TRY(engine::ObjectDetails details, engine::objectDetails(snapshot, m_address));
    HEAPSCAPE_CHECK(readElements(snapshot, details, context.stop()));
    const bool redact = context.options().redact;
    // What fields hold is in the bytes too.
    std::optional<engine::ObjectBytes> bytes;
    const bool wantsBytes = context.options().asJson || m_bytes;
    if (wantsBytes && !redact) {
      const Window window = m_bytes.value_or(Window{0, kDefaultBytes});
      HEAPSCAPE_TRY(bytes, engine::objectBytes(snapshot, details.row.address, window.from, window.count));
    }
    const engine::ObjectBytes* shown = bytes ? &*bytes : nullptr;
    engine::FindingList findings;
    for (const engine::Finding& finding : details.findings)
      findings.add(finding.kind, finding.address, finding.message);
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeObjectDetails(json, details, shown, redact); },
         .text = [&](engine::Output& output) { engine::writeObjectDetailsText(output, details, shown, redact); },
         .findings = findings});
  }

 private:
  static constexpr std::size_t kDefaultBytes = 65'536;

  engine::Outcome<void> readElements(const engine::Snapshot& snapshot, engine::ObjectDetails& details,
                                     const std::stop_token& stop) const {
    if (!m_elements) return {};
    if (details.array) {
      HEAPSCAPE_TRY(details.array->elements,
                    engine::arrayElements(snapshot, details.row.address, m_elements->from, m_elements->count));
    }
    if (details.collection) {
      HEAPSCAPE_TRY(details.collection->items,
                    engine::collectionItems(snapshot, details.row.address, m_elements->from, m_elements->count, stop));
    }
    return {};
  }

  engine::Address m_address;
  std::optional<Window> m_elements;
  std::optional<Window> m_bytes;
};

}  // namespace

std::unique_ptr<Verb> makeObjectVerb() {
  return std::make_unique<ObjectVerb>();
}

}  // namespace heapscape::cli
