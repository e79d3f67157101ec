// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/address_argument.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "report/text.h"
#include "session/object_query.h"
#include "session/reference_query.h"

namespace heapscape::cli {

namespace {

class SizeVerb : public Verb {
 public:
  const char* name() const override { return "size"; }
  const char* summary() const override { return "Everything that can be reached from an object, each once"; }
  void addOptions(CLI::App& app) override { addAddressArgument(app, m_address, "Address of an object, or inside it"); }

  engine::Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Objects));
    const auto row = engine::objectAt(snapshot, m_address);
    if (!row) return tl::unexpected(engine::Unfinished(noObjectAt(m_address)));
    HEAPSCAPE_TRY(const engine::TransitiveSize size, engine::transitiveSize(snapshot, {row->address}, context.stop()));
    const std::string& type = snapshot.types()[row->type.value].name;
    return context.write(snapshot, {.json =
                                        [&](engine::JsonWriter& json) {
                                          json.key("size");
                                          json.beginObject();
                                          json.member("address", row->address);
                                          json.member("type", type);
                                          json.member("objects", size.objects);
                                          json.member("bytes", size.bytes);
                                          json.endObject();
                                        },
                                    .text =
                                        [&](engine::Output& output) {
                                          output.write(engine::printable(type) + " at ");
                                          output.writeAddress(row->address);
                                          output.write(" reaches " + engine::countOf(size.objects, "object") + ", " +
                                                       engine::readableCount(size.bytes) +
                                                       " bytes, itself included.\n");
                                        }});
  }

 private:
  engine::Address m_address;
};

}  // namespace

std::unique_ptr<Verb> makeSizeVerb() {
  return std::make_unique<SizeVerb>();
}

}  // namespace heapscape::cli
