// SPDX-License-Identifier: MIT
#include "output/arrow_file.h"

#include <flatbuffers/flatbuffers.h>

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "redact/copy_file.h"

namespace heapscape::engine {
namespace {

namespace fb = flatbuffers;
using Type = TypedColumn::Type;

// Numbers of fields and of members of unions, as format/Schema.fbs, Message.fbs and File.fbs of Apache Arrow have them.
constexpr std::int16_t kVersion5 = 4;
enum MessageHeader : std::uint8_t { kSchema = 1, kDictionaryBatch = 2, kRecordBatch = 3 };
enum FieldType : std::uint8_t { kInt = 2, kFloatingPoint = 3, kBool = 6, kLargeUtf8 = 20 };
constexpr std::int16_t kDouble = 2;
constexpr std::string_view kMagic = "ARROW1";
constexpr std::size_t kAlignment = 8;

constexpr fb::voffset_t field(unsigned number) {
  return static_cast<fb::voffset_t>(4 + 2 * number);
}
constexpr std::size_t paddedBytes(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

struct FieldNode {
  std::int64_t length, nulls;
};
struct Buffer {
  std::int64_t offset, bytes;
};
struct Block {
  std::int64_t offset;
  std::int32_t metadataBytes;
  std::int32_t unused;
  std::int64_t bodyBytes;
};

template <class Item>
Bytes bytesOf(const std::vector<Item>& items) {
  return std::as_bytes(std::span(items));
}
Bytes bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// Parts of a batch's body, each padded, and where they lie.
struct Body {
  std::vector<Bytes> parts = {};
  std::vector<Buffer> buffers = {};
  std::size_t bytes = 0;

  void add(Bytes part) {
    buffers.push_back({static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(part.size())});
    parts.push_back(part);
    bytes += paddedBytes(part.size());
  }
};

fb::uoffset_t intType(fb::FlatBufferBuilder& builder, std::int32_t bits, bool isSigned) {
  const fb::uoffset_t table = builder.StartTable();
  builder.AddElement<std::int32_t>(field(0), bits, 0);
  builder.AddElement<std::uint8_t>(field(1), isSigned, 0);
  return builder.EndTable(table);
}

std::pair<FieldType, fb::uoffset_t> typeOf(fb::FlatBufferBuilder& builder, Type type) {
  if (type == Type::Unsigned || type == Type::Signed) return {kInt, intType(builder, 64, type == Type::Signed)};
  const fb::uoffset_t table = builder.StartTable();
  if (type == Type::Fraction) builder.AddElement<std::int16_t>(field(0), kDouble, 0);
  return {type == Type::Fraction ? kFloatingPoint : type == Type::Flag ? kBool : kLargeUtf8, builder.EndTable(table)};
}

fb::uoffset_t dictionaryOf(fb::FlatBufferBuilder& builder, std::int64_t id) {
  const fb::uoffset_t index = intType(builder, 32, true);
  const fb::uoffset_t table = builder.StartTable();
  builder.AddElement<std::int64_t>(field(0), id, 0);
  builder.AddOffset(field(1), fb::Offset<void>(index));
  return builder.EndTable(table);
}

fb::uoffset_t fieldOf(fb::FlatBufferBuilder& builder, const TypedColumn& column, std::int64_t id) {
  const auto name = builder.CreateString(column.column.name);
  const auto [kind, type] = typeOf(builder, column.type);
  const fb::uoffset_t dictionary = column.type == Type::Text ? dictionaryOf(builder, id) : 0;
  const auto children = builder.CreateVector(std::vector<fb::Offset<void>>());
  const fb::uoffset_t table = builder.StartTable();
  builder.AddOffset(field(0), name);
  builder.AddElement<std::uint8_t>(field(1), 1, 0);  // a value may be missing
  builder.AddElement<std::uint8_t>(field(2), kind, 0);
  builder.AddOffset(field(3), fb::Offset<void>(type));
  if (dictionary) builder.AddOffset(field(4), fb::Offset<void>(dictionary));
  builder.AddOffset(field(5), children);
  return builder.EndTable(table);
}

fb::uoffset_t schemaTable(fb::FlatBufferBuilder& builder, const TypedColumns& columns) {
  std::vector<fb::Offset<void>> fields;
  for (const TypedColumn& column : columns.columns())
    fields.emplace_back(fieldOf(builder, column, static_cast<std::int64_t>(fields.size())));
  const auto all = builder.CreateVector(fields);
  const fb::uoffset_t table = builder.StartTable();
  builder.AddOffset(field(1), all);
  return builder.EndTable(table);
}

fb::uoffset_t recordBatch(fb::FlatBufferBuilder& builder, std::size_t rows, const std::vector<FieldNode>& nodes,
                          const Body& body) {
  const auto allNodes = builder.CreateVectorOfStructs(nodes.data(), nodes.size());
  const auto buffers = builder.CreateVectorOfStructs(body.buffers.data(), body.buffers.size());
  const fb::uoffset_t table = builder.StartTable();
  builder.AddElement<std::int64_t>(field(0), static_cast<std::int64_t>(rows), 0);
  builder.AddOffset(field(1), allNodes);
  builder.AddOffset(field(2), buffers);
  return builder.EndTable(table);
}

class ArrowWriter {
 public:
  explicit ArrowWriter(CopyFile file) : m_file(std::move(file)) {}

  Result<void> write(const TypedColumns& columns) {
    HEAPSCAPE_CHECK(append(bytesOf(kMagic)));
    HEAPSCAPE_CHECK(pad());
    fb::FlatBufferBuilder schema;
    HEAPSCAPE_CHECK(message(schema, kSchema, schemaTable(schema, columns), {}));
    HEAPSCAPE_CHECK(dictionaries(columns));
    HEAPSCAPE_CHECK(rows(columns));
    HEAPSCAPE_CHECK(end(columns));
    return m_file.finish();
  }

 private:
  Result<void> dictionaries(const TypedColumns& columns) {
    for (std::size_t i = 0; i < columns.columns().size(); ++i) {
      const TypedColumn& column = columns.columns()[i];
      if (column.type != Type::Text) continue;
      Body body;
      body.add({});
      body.add(bytesOf(column.textEnds));
      body.add(bytesOf(std::string_view(column.texts)));
      fb::FlatBufferBuilder builder;
      const fb::uoffset_t data =
          recordBatch(builder, column.textCount(), {{static_cast<std::int64_t>(column.textCount()), 0}}, body);
      const fb::uoffset_t table = builder.StartTable();
      builder.AddElement<std::int64_t>(field(0), static_cast<std::int64_t>(i), 0);
      builder.AddOffset(field(1), fb::Offset<void>(data));
      HEAPSCAPE_TRY(const Block block, message(builder, kDictionaryBatch, builder.EndTable(table), body));
      m_dictionaries.push_back(block);
    }
    return {};
  }

  Result<void> rows(const TypedColumns& columns) {
    Body body;
    std::vector<FieldNode> nodes;
    for (const TypedColumn& column : columns.columns()) {
      nodes.push_back({static_cast<std::int64_t>(columns.rows()), static_cast<std::int64_t>(column.missing)});
      body.add(column.missing ? bytesOf(column.present) : Bytes());
      body.add(column.type == Type::Text   ? bytesOf(column.places)
               : column.type == Type::Flag ? bytesOf(column.flags)
                                           : bytesOf(column.numbers));
    }
    fb::FlatBufferBuilder builder;
    const fb::uoffset_t batch = recordBatch(builder, columns.rows(), nodes, body);
    HEAPSCAPE_TRY(const Block block, message(builder, kRecordBatch, batch, body));
    m_batches.push_back(block);
    return {};
  }

  // A message's metadata behind its length, then its body.
  Result<Block> message(fb::FlatBufferBuilder& builder, MessageHeader kind, fb::uoffset_t header, const Body& body) {
    const fb::uoffset_t table = builder.StartTable();
    builder.AddElement<std::int64_t>(field(3), static_cast<std::int64_t>(body.bytes), 0);
    builder.AddOffset(field(2), fb::Offset<void>(header));
    builder.AddElement<std::int16_t>(field(0), kVersion5, 0);
    builder.AddElement<std::uint8_t>(field(1), kind, 0);
    builder.Finish(fb::Offset<void>(builder.EndTable(table)));
    const std::size_t metadata = paddedBytes(builder.GetSize());
    const std::array<std::uint32_t, 2> prefix{0xffffffff, static_cast<std::uint32_t>(metadata)};
    const Block block{static_cast<std::int64_t>(m_written), static_cast<std::int32_t>(metadata + sizeof prefix), 0,
                      static_cast<std::int64_t>(body.bytes)};
    HEAPSCAPE_CHECK(append(std::as_bytes(std::span(prefix))));
    HEAPSCAPE_CHECK(append(std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()))));
    HEAPSCAPE_CHECK(pad());
    for (const Bytes part : body.parts) {
      HEAPSCAPE_CHECK(append(part));
      HEAPSCAPE_CHECK(pad());
    }
    return block;
  }

  // What ends the stream of messages, and where each lies.
  Result<void> end(const TypedColumns& columns) {
    constexpr std::array<std::uint32_t, 2> kEndOfStream{0xffffffff, 0};
    HEAPSCAPE_CHECK(append(std::as_bytes(std::span(kEndOfStream))));
    fb::FlatBufferBuilder builder;
    const fb::uoffset_t schema = schemaTable(builder, columns);
    const auto dictionaries = builder.CreateVectorOfStructs(m_dictionaries.data(), m_dictionaries.size());
    const auto batches = builder.CreateVectorOfStructs(m_batches.data(), m_batches.size());
    const fb::uoffset_t table = builder.StartTable();
    builder.AddOffset(field(1), fb::Offset<void>(schema));
    builder.AddOffset(field(2), dictionaries);
    builder.AddOffset(field(3), batches);
    builder.AddElement<std::int16_t>(field(0), kVersion5, 0);
    builder.Finish(fb::Offset<void>(builder.EndTable(table)));
    HEAPSCAPE_CHECK(append(std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()))));
    const std::array<std::uint32_t, 1> bytes{builder.GetSize()};
    HEAPSCAPE_CHECK(append(std::as_bytes(std::span(bytes))));
    return append(bytesOf(kMagic));
  }

  Result<void> append(Bytes bytes) {
    m_written += bytes.size();
    return bytes.empty() ? Result<void>() : m_file.append(bytes);
  }
  Result<void> pad() {
    static constexpr std::array<std::byte, kAlignment> kZeros{};
    return append(std::span(kZeros).first(paddedBytes(m_written) - m_written));
  }

  CopyFile m_file;
  std::size_t m_written = 0;
  std::vector<Block> m_dictionaries, m_batches;
};

}  // namespace

Result<void> writeArrowFile(const std::filesystem::path& path, const TypedColumns& columns) {
  HEAPSCAPE_TRY(CopyFile file, CopyFile::create(path));
  return ArrowWriter(std::move(file)).write(columns);
}

}  // namespace heapscape::engine
