// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/address_argument.h"
#include "cli/address_file.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/text.h"
#include "session/objects/object_query.h"
#include "session/references/reference_query.h"

namespace heapscape::cli {

namespace {

using engine::Address;
using engine::Outcome;
using engine::Snapshot;

class SizeVerb : public Verb {
 public:
  const char* name() const override { return "size"; }
  const char* summary() const override { return "Everything that can be reached from an object, each once"; }

  void addOptions(CLI::App& app) override {
    auto* question = app.add_option_group("question");
    addOptionalAddressArgument(*question, m_address, "Address of an object, or inside it");
    question->add_option("--addresses", m_addressFile, "Each object in FILE, an address a line")->type_name("FILE");
    question->require_option(1);
  }

  Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const Snapshot snapshot, context.open(engine::Stage::Objects));
    std::vector<Address> addresses;
    if (m_address) {
      addresses.push_back(*m_address);
    } else {
      HEAPSCAPE_TRY(addresses, readAddressFile(m_addressFile, "file of addresses"));
    }
    std::vector<Row> rows;
    for (const Address address : addresses) {
      const auto object = engine::objectAt(snapshot, address);
      if (!object) return tl::unexpected(engine::Unfinished(noObjectAt(address)));
      HEAPSCAPE_TRY(const engine::TransitiveSize size,
                    engine::transitiveSize(snapshot, {object->address}, context.stop()));
      rows.push_back({object->address, snapshot.types()[object->type.value].name, size});
    }
    return context.write(snapshot, {.json = [&](engine::JsonWriter& json) { writeJson(json, rows); },
                                    .text = [&](engine::Output& output) { writeText(output, rows); }});
  }

 private:
  struct Row {
    Address object;
    std::string type;
    engine::TransitiveSize size;
  };

  void writeJson(engine::JsonWriter& json, const std::vector<Row>& rows) const {
    json.key(m_address ? "size" : "sizes");
    if (!m_address) json.beginRows();
    for (const Row& row : rows) {
      json.beginObject();
      json.member("address", row.object);
      json.member("type", row.type);
      json.member("objects", row.size.objects);
      json.member("bytes", row.size.bytes);
      json.endObject();
    }
    if (!m_address) json.endArray();
  }

  static void writeText(engine::Output& output, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      output.write(engine::printable(row.type) + " at ");
      output.writeAddress(row.object);
      output.write(" reaches " + engine::countOf(row.size.objects, "object") + ", " +
                   engine::readableCount(row.size.bytes) + " bytes, itself included.\n");
    }
  }

  std::optional<Address> m_address;
  std::string m_addressFile;
};

}  // namespace

std::unique_ptr<Verb> makeSizeVerb() {
  return std::make_unique<SizeVerb>();
}

}  // namespace heapscape::cli
