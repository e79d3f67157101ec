// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "fuzz_target.h"
#include "query/completion.h"
#include "query/query.h"

using namespace heapscape;
using engine::QueryKind;

namespace {

const engine::QuerySchema& schema() {
  static const engine::QuerySchema kSchema{
      .noun = "objects",
      .fields = {{.name = "type", .kind = QueryKind::Text, .aliases = {"class"}, .isPlain = true},
                 {.name = "count", .kind = QueryKind::Number},
                 {.name = "size", .kind = QueryKind::Bytes},
                 {.name = "address", .kind = QueryKind::Address},
                 {.name = "alive", .kind = QueryKind::Flag},
                 {.name = "gen", .kind = QueryKind::Choice, .choices = {"gen0", "gen1", "large"}}},
      .hasObjectFields = true};
  return kSchema;
}

engine::QueryValue valueOf(const engine::QueryFieldReference& field) {
  if (field.field == engine::QueryFieldReference::kObjectField) return engine::QueryValue::ofText("Ada");
  switch (schema().fields[field.field].kind) {
    case QueryKind::Text:
    case QueryKind::Choice:
      return engine::QueryValue::ofText("gen1");
    case QueryKind::Address:
      return engine::QueryValue::ofAddress(0x7f4c59812340);
    case QueryKind::Flag:
      return engine::QueryValue::ofFlag(true);
    default:
      return engine::QueryValue::ofNumber(65536);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto query = engine::makeQuery(text, schema());
  if (query)
    (void)engine::matches(query->root, valueOf);
  else if (query.error().position > size || query.error().length > size - query.error().position)
    std::abort();
  for (const std::size_t cursor : {std::size_t{0}, size / 2, size}) {
    const auto completions = engine::completeQuery(text, cursor, schema(), nullptr);
    if (completions.from > completions.to || completions.to > size) std::abort();
  }
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  std::vector<test::FileBytes> made;
  for (const char* text : {"order", "type ~ \"Order\" and size > 1KB", "not (gen in (gen0, large) or count != -1.5e3)",
                           "field(\"Customer.Name\") = null", "type ~ /^Shop\\.(Order|Line)s?$/", "address >= 0x7f00",
                           "alive and size <= 1.5 MB", "type = 'it\\'s'", "field("})
    made.push_back(test::bytesOfText(text));
  made.push_back(test::bytesOfText(std::string(4000, '(')));
  std::string nots;
  for (int i = 0; i < 1000; ++i) nots += "not ";
  made.push_back(test::bytesOfText(nots));
  return made;
}

}  // namespace heapscape::fuzz
