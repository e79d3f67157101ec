// SPDX-License-Identifier: MIT
// Writers that make rows of their own, for speed: every form has to say the same.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "output/row_writers.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using nlohmann::json;
using test::written;

template <class Writer, class Row>
void writeAll(Writer& writer, const std::vector<Row>& rows) {
  writer.writeHeader();
  for (const Row& row : rows) writer.write(row);
  writer.finish();
}

std::string objectsAs(ObjectRowWriter::Form form, const Snapshot& snapshot, const std::vector<ObjectRow>& rows) {
  return written([&](Output& output) {
    ObjectRowWriter writer(output, form, snapshot);
    writeAll(writer, rows);
  });
}

std::string edgesAs(EdgeRowWriter::Form form, const std::vector<Edge>& edges) {
  return written([&](Output& output) {
    EdgeRowWriter writer(output, form);
    writeAll(writer, edges);
  });
}

std::vector<std::vector<std::string>> linesOf(const std::string& tsv) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream text(tsv);
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, '\t');) cells.push_back(cell);
    lines.push_back(std::move(cells));
  }
  return lines;
}

TEST(ObjectRowWriter, AllFormsHaveTheSameFigures) {
  const Snapshot& snapshot = test::openedDump("shop-10");
  const std::vector<ObjectRow> rows = listObjects(snapshot, {}, 100, 500);
  const json objects = json::parse("[" + objectsAs(ObjectRowWriter::Form::Json, snapshot, rows) + "]");
  const auto tsv = linesOf(objectsAs(ObjectRowWriter::Form::Tsv, snapshot, rows));
  const std::string text = objectsAs(ObjectRowWriter::Form::Text, snapshot, rows);
  ASSERT_EQ(objects.size(), rows.size());
  ASSERT_EQ(tsv.size(), rows.size() + 1);
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TypeRow& type = snapshot.types()[rows[i].type.value];
    const json& object = objects[i];
    const std::vector<std::string> expected{toString(rows[i].address),
                                            std::to_string(rows[i].sizeBytes),
                                            std::to_string(rows[i].alignedBytes),
                                            toString(type.methodTable),
                                            type.name,
                                            toString(rows[i].generation.value())};
    EXPECT_EQ(tsv[i + 1], expected);
    EXPECT_EQ((std::vector<std::string>{object["address"], object["size"].dump(), object["bytes"].dump(),
                                        object["methodTable"], object["type"], object["generation"]}),
              expected);
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream cells(line);
    std::string address, size, bytes, generation, methodTable, name;
    cells >> address >> size >> bytes >> generation >> methodTable >> std::ws;
    std::getline(cells, name);
    EXPECT_EQ((std::vector<std::string>{address, size, bytes, methodTable, name, generation}), expected);
  }
}

TEST(ObjectRowWriter, NoRowsAreAnEmptyArray) {
  EXPECT_EQ(objectsAs(ObjectRowWriter::Form::Json, test::openedDump("shop-10"), {}), "");
}

TEST(EdgeRowWriter, AllFormsHaveTheSameFigures) {
  const std::vector<Edge> edges{{Address{0x10}, Address{0x7fffffffffff}, EdgeKind::Element, 4096},
                                {Address{0x18}, Address{0x20}, EdgeKind::Dependent, 0}};
  const json found = json::parse("[" + edgesAs(EdgeRowWriter::Form::Json, edges) + "]");
  const auto tsv = linesOf(edgesAs(EdgeRowWriter::Form::Tsv, edges));
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(tsv.size(), 3u);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    std::vector<std::string> cells;
    for (const std::string& title : tsv[0]) {
      ASSERT_TRUE(found[i].contains(title)) << title;
      cells.push_back(found[i][title].is_string() ? found[i][title].get<std::string>() : found[i][title].dump());
    }
    EXPECT_EQ(tsv[i + 1], cells);
  }
  const std::string text = edgesAs(EdgeRowWriter::Form::Text, edges);
  for (const char* part : {"0x7fffffffffff", "4096", "element", "dependent"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

}  // namespace
}  // namespace heapscape::engine
