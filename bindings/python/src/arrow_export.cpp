// SPDX-License-Identifier: MIT
#include "arrow_export.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heapscape::python {
namespace {

using engine::TypedColumn;
using Type = TypedColumn::Type;

constexpr std::int64_t kMayBeMissing = 2;  // ARROW_FLAG_NULLABLE
constexpr const char* kText = "U";         // UTF-8 with 64-bit offsets
constexpr const char* kStruct = "+s";

const char* formatOf(Type type) {
  switch (type) {
    case Type::Unsigned:
      return "L";
    case Type::Signed:
      return "l";
    case Type::Fraction:
      return "g";
    case Type::Flag:
      return "b";
    case Type::Text:
      return "i";  // places in a dictionary
  }
  return "n";
}

/// What a schema or an array keeps until it is released. Whoever gets it may move its members away, which then have no
/// `release` any more.
template <class Arrow>
struct Kept {
  Columns columns;
  std::string name;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<Arrow>> children;
  std::vector<Arrow*> places;
  std::unique_ptr<Arrow> dictionary;
};

template <class Arrow>
void release(Arrow* released) {
  auto* kept = static_cast<Kept<Arrow>*>(released->private_data);
  for (const auto& child : kept->children)
    if (child->release) child->release(child.get());
  if (kept->dictionary && kept->dictionary->release) kept->dictionary->release(kept->dictionary.get());
  delete kept;
  released->release = nullptr;
}

template <class Arrow>
void keep(Arrow& to, std::unique_ptr<Kept<Arrow>> kept) {
  for (const auto& child : kept->children) kept->places.push_back(child.get());
  to.n_children = static_cast<std::int64_t>(kept->places.size());
  to.children = kept->places.empty() ? nullptr : kept->places.data();
  to.dictionary = kept->dictionary.get();
  to.release = &release<Arrow>;
  to.private_data = kept.release();
}

void fillSchema(ArrowSchema& to, const char* format, const std::string& name, std::unique_ptr<Kept<ArrowSchema>> kept) {
  kept->name = name;
  to = {.format = format,
        .name = kept->name.c_str(),
        .metadata = nullptr,
        .flags = kMayBeMissing,
        .n_children = 0,
        .children = nullptr,
        .dictionary = nullptr,
        .release = nullptr,
        .private_data = nullptr};
  keep(to, std::move(kept));
}

void fillArray(ArrowArray& to, std::size_t length, std::uint64_t missing, std::vector<const void*> buffers,
               std::unique_ptr<Kept<ArrowArray>> kept) {
  kept->buffers = std::move(buffers);
  to = {.length = static_cast<std::int64_t>(length),
        .null_count = static_cast<std::int64_t>(missing),
        .offset = 0,
        .n_buffers = static_cast<std::int64_t>(kept->buffers.size()),
        .n_children = 0,
        .buffers = kept->buffers.data(),
        .children = nullptr,
        .dictionary = nullptr,
        .release = nullptr,
        .private_data = nullptr};
  keep(to, std::move(kept));
}

// Readers may look for a buffer where there is nothing to be read.
const void* bufferOf(const void* data) {
  static constexpr std::uint64_t kNothing = 0;
  return data ? data : &kNothing;
}

void exportColumn(const Columns& columns, const TypedColumn& column, ArrowArray& to) {
  auto kept = std::make_unique<Kept<ArrowArray>>();
  kept->columns = columns;
  const void* values = column.type == Type::Flag   ? static_cast<const void*>(column.flags.data())
                       : column.type == Type::Text ? static_cast<const void*>(column.places.data())
                                                   : static_cast<const void*>(column.numbers.data());
  if (column.type == Type::Text) {
    auto texts = std::make_unique<Kept<ArrowArray>>();
    texts->columns = columns;
    kept->dictionary = std::make_unique<ArrowArray>();
    fillArray(*kept->dictionary, column.textCount(), 0,
              {nullptr, column.textEnds.data(), bufferOf(column.texts.data())}, std::move(texts));
  }
  const void* present = column.missing ? static_cast<const void*>(column.present.data()) : nullptr;
  fillArray(to, columns->rows(), column.missing, {present, bufferOf(values)}, std::move(kept));
}

struct Stream {
  Columns columns;
  bool isOver = false;
};

}  // namespace

void exportSchema(const Columns& columns, ArrowSchema& to) {
  auto whole = std::make_unique<Kept<ArrowSchema>>();
  for (const TypedColumn& column : columns->columns()) {
    auto kept = std::make_unique<Kept<ArrowSchema>>();
    if (column.type == Type::Text) {
      kept->dictionary = std::make_unique<ArrowSchema>();
      fillSchema(*kept->dictionary, kText, {}, std::make_unique<Kept<ArrowSchema>>());
    }
    whole->children.push_back(std::make_unique<ArrowSchema>());
    fillSchema(*whole->children.back(), formatOf(column.type), column.column.name, std::move(kept));
  }
  fillSchema(to, kStruct, {}, std::move(whole));
  to.flags = 0;
}

void exportArray(const Columns& columns, ArrowArray& to) {
  auto whole = std::make_unique<Kept<ArrowArray>>();
  whole->columns = columns;
  for (const TypedColumn& column : columns->columns()) {
    whole->children.push_back(std::make_unique<ArrowArray>());
    exportColumn(columns, column, *whole->children.back());
  }
  fillArray(to, columns->rows(), 0, {nullptr}, std::move(whole));
}

void exportStream(const Columns& columns, ArrowArrayStream& to) {
  to.get_schema = [](ArrowArrayStream* stream, ArrowSchema* out) {
    exportSchema(static_cast<Stream*>(stream->private_data)->columns, *out);
    return 0;
  };
  to.get_next = [](ArrowArrayStream* stream, ArrowArray* out) {
    auto& of = *static_cast<Stream*>(stream->private_data);
    *out = {};
    if (!of.isOver) exportArray(of.columns, *out);
    of.isOver = true;
    return 0;
  };
  to.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  to.release = [](ArrowArrayStream* stream) {
    delete static_cast<Stream*>(stream->private_data);
    stream->release = nullptr;
  };
  to.private_data = new Stream{columns, false};
}

}  // namespace heapscape::python
