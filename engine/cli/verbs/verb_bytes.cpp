// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/address_argument.h"
#include "cli/context.h"
#include "cli/number_option.h"
#include "cli/verb.h"
#include "output/objects/raw_memory_output.h"
#include "session/details/address_query.h"

namespace heapscape::cli {

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
    app.add_option(
           "--as", m_form,
           "text: bytes with the characters they stand for, ASCII and UTF-16; words: of eight bytes each; owners: "
           "each word with what it leads to: object and field, type, method and line, stack and frame, handle, "
           "static, library")
        ->type_name("FORM")
        ->check(CLI::Validator(checkMemoryForm, ""))
        ->capture_default_str();
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
