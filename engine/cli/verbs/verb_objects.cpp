// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <queue>

#include "cli/choice_option.h"
#include "cli/context.h"
#include "cli/number_option.h"
#include "cli/verb.h"
#include "output/objects/object_rows.h"
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
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
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
      std::all_of(rows.begin(), rows.end(), writeRow);
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

}  // namespace heapscape::cli
