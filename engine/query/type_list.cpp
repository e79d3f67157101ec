// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "query/snapshot_lists.h"

namespace heapscape::engine {
namespace {

using Column = ListColumn<std::uint32_t>;

struct TypeSource {
  Snapshot snapshot;
  TypeCounts counts;
  const TypeRow& row(std::uint32_t type) const { return snapshot.types()[type]; }
};

std::vector<Column> typeColumns(const std::shared_ptr<const TypeSource>& source) {
  using enum QueryKind;
  const auto number = [source](auto numberOf) {
    return [source, numberOf](std::uint32_t type) {
      return QueryValue::ofNumber(static_cast<std::uint64_t>(numberOf(*source, type)));
    };
  };
  const auto text = [source](auto textOf) {
    return [source, textOf](std::uint32_t type) { return QueryValue::ofText(std::string(textOf(source->row(type)))); };
  };
  std::vector<Column> columns{
      {{.name = "type", .kind = Text, .help = "Full name.", .aliases = {"name"}, .isPlain = true},
       text([](const TypeRow& row) { return std::string_view(row.name); })},
      {{.name = "count", .kind = Number, .help = "Objects of the type.", .aliases = {"objects"}},
       number([](const TypeSource& s, std::uint32_t t) { return s.counts.count[t]; })},
      {{.name = "bytes", .kind = Bytes, .help = "What they take up in the heap."},
       number([](const TypeSource& s, std::uint32_t t) { return s.counts.bytes[t]; })},
      {{.name = "retained", .kind = Bytes, .help = "What would be freed with all of them that can be reached."},
       [source](std::uint32_t t) {
         const auto& retained = source->snapshot.typeRetained();
         return retained.empty() ? QueryValue() : QueryValue::ofNumber(retained[t].retainedBytes);
       }},
      {{.name = "average", .kind = Bytes, .help = "Bytes of one object, on average."},
       number([](const TypeSource& s, std::uint32_t t) {
         return s.counts.count[t] ? s.counts.bytes[t] / s.counts.count[t] : 0;
       })},
      {{.name = "padding", .kind = Bytes, .help = "Padding in all of them."},
       number([](const TypeSource& s, std::uint32_t t) { return paddingBytesOf(s.snapshot, s.counts, {t}); })},
      {{.name = "instanceSize", .kind = Bytes, .help = "Size of one object without array elements."},
       number([](const TypeSource& s, std::uint32_t t) { return s.row(t).baseSize; })},
      {{.name = "elementSize", .kind = Bytes, .help = "Size of an array element; 0 for other types."},
       number([](const TypeSource& s, std::uint32_t t) { return s.row(t).componentSize; })},
      {{.name = "assembly", .kind = Text, .help = "File name of the assembly."},
       text([](const TypeRow& row) { return std::string_view(row.assembly); })},
      {{.name = "namespace", .kind = Text, .help = "Namespace of the type."},
       text([](const TypeRow& row) { return namespaceOf(row.name); })},
      {{.name = "methodTable", .kind = Address, .help = "Address of the type's method table."},
       [source](std::uint32_t t) { return QueryValue::ofAddress(source->row(t).methodTable.value); }},
  };
  for (const Generation generation : kGenerations) {
    const auto place = static_cast<std::size_t>(generation);
    columns.push_back({{.name = toString(generation), .kind = Bytes, .help = "Bytes of its objects there."},
                       number([place](const TypeSource& s, std::uint32_t t) {
                         return s.counts.generationBytes[t].empty() ? 0 : s.counts.generationBytes[t][place];
                       })});
  }
  return columns;
}

}  // namespace

QueryList typeList(const Snapshot& snapshot, const TypeCounts& counts) {
  std::vector<std::uint32_t> types(counts.count.size());
  std::iota(types.begin(), types.end(), 0u);
  return makeQueryList("types", std::move(types),
                       typeColumns(std::make_shared<const TypeSource>(TypeSource{snapshot, counts})));
}

const QuerySchema& typeSchema() {
  static const QuerySchema schema = [] {
    QuerySchema made{.noun = "types", .fields = {}};
    for (const Column& column : typeColumns(nullptr)) made.fields.push_back(column.field);
    return made;
  }();
  return schema;
}

Outcome<TypeSelection> queryTypes(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query,
                                  std::stop_token stop) {
  if (query.isRegularExpression) return selectTypes(snapshot, counts, query, std::move(stop));
  const auto asked = makeQuery(query.text, typeSchema());
  if (!asked) return tl::unexpected(Unfinished(toError(asked.error())));
  if (asked->isPlainText) return selectTypes(snapshot, counts, query, std::move(stop));
  TypeQuery all = query;
  all.text.clear();
  HEAPSCAPE_TRY(TypeSelection selection, selectTypes(snapshot, counts, all, stop));
  const QueryList list = typeList(snapshot, counts);
  TypeSelection kept;
  for (const TypeId type : selection.types) {
    const auto valueOf = [&](const QueryFieldReference& field) { return list.value(type.value, field.field); };
    if (!matches(asked->root, valueOf)) continue;
    kept.types.push_back(type);
    kept.objects += counts.count[type.value];
    kept.bytes += counts.bytes[type.value];
    kept.paddingBytes += paddingBytesOf(snapshot, counts, type);
  }
  return kept;
}

}  // namespace heapscape::engine
