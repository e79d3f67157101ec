// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <queue>

#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/heap/memory_output.h"
#include "output/objects/object_details_output.h"
#include "output/row_writers.h"
#include "output/text.h"
#include "session/details/address_query.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"

namespace heapscape::cli {
namespace {

using engine::ObjectRow;
using ObjectForm = engine::ObjectRowWriter::Form;

/// The larger one comes first, of equal ones that with the lower address.
bool isLarger(const ObjectRow& a, const ObjectRow& b) {
  return a.sizeBytes != b.sizeBytes ? a.sizeBytes > b.sizeBytes : a.address < b.address;
}

/// The `limit` largest matches, largest first.
std::vector<ObjectRow> largestObjects(const engine::Snapshot& snapshot, const engine::ObjectFilter& filter,
                                      std::size_t limit, const std::stop_token& stop) {
  if (limit == 0) return {};
  std::priority_queue<ObjectRow, std::vector<ObjectRow>, bool (*)(const ObjectRow&, const ObjectRow&)> kept(isLarger);
  engine::forEachObject(
      snapshot, filter,
      [&](const ObjectRow& row) {
        if (kept.size() < limit || isLarger(row, kept.top())) kept.push(row);
        if (kept.size() > limit) kept.pop();
        return true;
      },
      stop);
  std::vector<ObjectRow> rows;
  for (; !kept.empty(); kept.pop()) rows.push_back(kept.top());
  std::reverse(rows.begin(), rows.end());
  return rows;
}

/// FROM-TO, both hexadecimal; what is wrong with it, or nothing.
std::string parseRange(const std::string& text, engine::AddressRange& range) {
  const std::size_t dash = text.find('-');
  const bool isRange = dash != std::string::npos && engine::tryParseAddress(text.substr(0, dash), range.start) &&
                       engine::tryParseAddress(text.substr(dash + 1), range.end);
  if (!isRange) return "'" + text + "' is no range of addresses, it needs two as in 0x7f0000000000-0x7f0000400000";
  return range.end < range.start ? "The range " + text + " ends before it starts" : std::string();
}

class ObjectsVerb : public Verb {
 public:
  const char* name() const override { return "objects"; }
  const char* summary() const override { return "Every object, free ones too, in address order"; }
  bool hasTsv() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("--type", m_filter.typeText, "Only types whose name holds TEXT")->type_name("TEXT");
    addChoice(app, "--generation", m_filter.generation, engine::kGenerations, "Only objects of a generation");
    addNumber(app, "--min", m_filter.minimumBytes, "Only objects of at least N bytes");
    const auto takeRange = [this](const std::string& text) {
      engine::AddressRange range;
      const std::string wrong = parseRange(text, range);
      if (!wrong.empty()) throw CLI::ValidationError(wrong, CLI::ExitCodes::ValidationError);
      m_filter.addresses = range;
    };
    app.add_option_function<std::string>("--address", takeRange, "Only objects that start in [FROM, TO)")
        ->type_name("FROM-TO");
  }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Graph));
    const auto write = [&](engine::Output& output, ObjectForm form) { writeRows(context, snapshot, output, form); };
    return context.write(snapshot, {.json =
                                        [&](engine::JsonWriter& json) {
                                          json.key("objects");
                                          json.beginArray();
                                          write(json.output(), ObjectForm::Json);
                                          json.endArray();
                                        },
                                    .tsv = [&](engine::Output& output) { write(output, ObjectForm::Tsv); },
                                    .text = [&](engine::Output& output) { write(output, ObjectForm::Text); }});
  }

 private:
  void writeRows(Context& context, const engine::Snapshot& snapshot, engine::Output& output, ObjectForm form) const {
    engine::ObjectRowWriter writer(output, form, snapshot);
    writer.writeHeader();
    const auto writeRow = [&](const ObjectRow& row) {
      writer.write(row);
      return !output.hasFailed();
    };
    if (context.options().top) {
      const auto rows = largestObjects(snapshot, m_filter, *context.options().top, context.stop());
      for (const ObjectRow& row : rows)
        if (!writeRow(row)) break;
    } else {
      engine::forEachObject(snapshot, m_filter, writeRow, context.stop());
    }
    writer.finish();
  }

  engine::ObjectFilter m_filter;
};

}  // namespace

std::unique_ptr<Verb> makeObjectsVerb() {
  return std::make_unique<ObjectsVerb>();
}

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
    if (details.collection && !details.collection->isHolder) {
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

namespace {

void writeMeaning(engine::JsonWriter& json, const engine::AddressMeaning& meaning) {
  json.beginObject();
  json.member("kind", toString(meaning.kind));
  json.member("text", meaning.text);
  if (meaning.object) json.member("object", meaning.object);
  if (meaning.methodTable) json.member("methodTable", meaning.methodTable);
  json.member("offset", meaning.offset);
  json.endObject();
}

class AddressVerb : public Verb {
 public:
  const char* name() const override { return "address"; }
  const char* summary() const override { return "What an address belongs to: object, field, handle, stack, module"; }
  void addOptions(CLI::App& app) override { addAddressArgument(app, m_address, "Any address of the process"); }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects, {}, HeapUse::Optional));
    HEAPSCAPE_TRY(const std::vector<engine::AddressMeaning> meanings,
                  engine::explainAddress(snapshot, m_address, context.stop()));
    const auto writeJson = [&](engine::JsonWriter& json) {
      json.member("address", m_address);
      json.key("meanings");
      json.beginRows();
      for (const engine::AddressMeaning& meaning : meanings) writeMeaning(json, meaning);
      json.endArray();
    };
    const auto writeText = [&](engine::Output& output) {
      engine::TextTable table({{"Kind"}, {"What"}});
      for (const engine::AddressMeaning& meaning : meanings) table.addRow({toString(meaning.kind), meaning.text});
      table.write(output);
    };
    return context.write(snapshot, {.json = writeJson, .text = writeText});
  }

 private:
  engine::Address m_address;
};

}  // namespace

std::unique_ptr<Verb> makeAddressVerb() {
  return std::make_unique<AddressVerb>();
}

namespace {

constexpr std::uint64_t kUsualBytes = 256;
constexpr std::array<const char*, 3> kForms{"text", "words", "owners"};

std::string checkMemoryForm(const std::string& text) {
  const bool isKnown = std::ranges::find(kForms, text) != kForms.end();
  return isKnown ? std::string() : "'" + text + "' is none of text, words and owners";
}

class BytesVerb : public Verb {
 public:
  const char* name() const override { return "bytes"; }
  const char* summary() const override {
    return "Raw memory at any address: bytes, text, words and what these lead to";
  }
  void addOptions(CLI::App& app) override {
    addAddressArgument(app, m_address, "Any address of the process");
    addNumber(app, "--bytes", m_bytes, "How many; 256 otherwise", NumberRange<std::uint64_t>{.least = 1});
    CLI::Option* form =
        app.add_option(
               "--as", m_form,
               "text: bytes with the characters they stand for, ASCII and UTF-16; words: of eight bytes each; owners: "
               "each word with what it leads to: object and field, type, method and line, stack and frame, handle, "
               "static, library")
            ->type_name("FORM")
            ->check(CLI::Validator(checkMemoryForm, ""))
            ->capture_default_str();
    nameChoices(*form, {kForms.begin(), kForms.end()});
  }

  engine::Outcome<void> run(Context& context) override {
    const bool tellsOwners = m_form == "owners";
    HEAPSCAPE_TRY(const engine::Snapshot snapshot,
                  context.open(tellsOwners ? engine::Stage::Objects : engine::Stage::Summary, {}, HeapUse::Optional));
    std::optional<engine::AddressMeanings> meanings;
    if (tellsOwners) {
      HEAPSCAPE_TRY(meanings, engine::AddressMeanings::make(snapshot, context.stop()));
    }
    const engine::MemoryRequest request{.range = engine::memoryFrom(m_address, m_bytes),
                                        .asWords = m_form != "text",
                                        .meanings = meanings ? &*meanings : nullptr,
                                        .redact = context.options().redact};
    return context.write(
        snapshot,
        {.json = [&](engine::JsonWriter& json) { engine::writeRawMemory(json, snapshot, request, context.stop()); },
         .text = [&](engine::Output& output) { engine::writeRawMemory(output, snapshot, request, context.stop()); }});
  }

 private:
  engine::Address m_address;
  std::uint64_t m_bytes = kUsualBytes;
  std::string m_form = "text";
};

}  // namespace

std::unique_ptr<Verb> makeBytesVerb() {
  return std::make_unique<BytesVerb>();
}

}  // namespace heapscape::cli
