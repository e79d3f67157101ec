// SPDX-License-Identifier: MIT
#include "cli/address_argument.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "output/text_table.h"
#include "session/details/address_query.h"

namespace heapscape::cli {

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

}  // namespace heapscape::cli
