// SPDX-License-Identifier: MIT
// Programs that were compiled ahead of time with the file of debugging information that the linker wrote beside them,
// held against what the program itself printed and against the references that its types tell of.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "graph/gc_desc.h"
#include "insight/insight.h"
#include "session/details/object_details.h"
#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/stacks/stacks_query.h"
#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"
#include "support/zstandard.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Snapshot;

std::string debugFileOf(const std::string& release) {
  const std::string folder = std::string(HEAPSCAPE_TEST_DATA) + "/aot/zoo-";
  const std::string base = unpackedFile(folder + "10.dbg.zst");
  return release == "10" ? base : unpackedPatch(folder + release + ".dbg.patch", std::as_bytes(std::span(base)));
}

engine::OpenOptions searchingIn(const std::filesystem::path& folder) {
  engine::OpenOptions options;
  options.stopAfter = engine::Stage::Retained;
  options.searchFolders = {folder};
  return options;
}

/// Each dump with its file in a folder that is searched, opened once.
const Snapshot& debugged(const std::string& release) {
  static TemporaryFolder folder;
  static std::map<std::string, Snapshot> opened;
  if (const auto known = opened.find(release); known != opened.end()) return known->second;
  const std::filesystem::path own = folder / release;
  std::filesystem::create_directory(own);
  writeFile(own / "aotapp.dbg", bytesOfText(debugFileOf(release)));
  auto snapshot = engine::openDump(dumpPath("aot/zoo-" + release), searchingIn(own), nullptr, {});
  EXPECT_TRUE(snapshot) << messageOf(snapshot);
  return opened.emplace(release, *snapshot).first->second;
}

/// Words of the lines of one kind that the program printed.
std::map<std::string, std::string> printedPairs(const std::string& release, const std::string& kind) {
  std::ifstream file(std::string(HEAPSCAPE_TEST_DATA) + "/aot/zoo-" + release + ".truth.txt");
  std::map<std::string, std::string> pairs;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, second;
    if (!(words >> first) || first != kind) continue;
    while (words >> first >> second) {
      pairs[first] = second;
      if (kind == "T") break;
    }
  }
  return pairs;
}

class AotFields : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& snapshot() const { return debugged(GetParam()); }
  const engine::RuntimeReaders& readers() const { return *snapshot().contents().readers; }

  Address object(const std::string& what) const { return {std::stoull(printedObject(what), nullptr, 16)}; }
  engine::ObjectDetails details(const std::string& what) const {
    auto read = engine::objectDetails(snapshot(), object(what));
    EXPECT_TRUE(read) << what;
    return read ? *read : engine::ObjectDetails{};
  }
  /// "Animal.Age" as the program calls it, by what it printed of the object.
  std::map<std::string, const engine::FieldValue*> byName(const engine::ObjectDetails& details) const {
    std::map<std::string, const engine::FieldValue*> fields;
    for (const engine::FieldValue& field : details.fields) fields[field.name] = &field;
    return fields;
  }
  const engine::StaticRow* staticAt(const engine::StaticList& list, const std::string& name) const {
    const Address at{std::stoull(printedPairs(GetParam(), "S").at(name), nullptr, 16)};
    const auto found = std::ranges::find(list.statics, at, &engine::StaticRow::address);
    return found == list.statics.end() ? nullptr : &*found;
  }
  /// Whether the object in a static field is of the field's type, or of one that derives from it. Interfaces and arrays
  /// may hold anything here.
  bool mayHold(const engine::StaticRow& row) const {
    const Address object = row.value.value.object;
    Address type;
    if (!object || row.fieldType.ends_with(']')) return true;
    if (!snapshot().contents().memory->tryRead(object, type)) return false;
    for (type.value &= ~7ull; type;) {
      if (readers().names.nameOf(type) == row.fieldType) return true;
      const auto read = readers().methodTables.read(type);
      type = read ? read->parent : Address{};
    }
    const std::size_t name = row.fieldType.find_last_of(".+", row.fieldType.find('<'));
    return name != std::string::npos && row.fieldType[name + 1] == 'I' && std::isupper(row.fieldType[name + 2]);
  }

 private:
  std::string printedObject(const std::string& what) const {
    static std::map<std::string, std::map<std::string, std::string>> all;
    auto& printed = all[GetParam()];
    if (printed.empty()) printed = printedPairs(GetParam(), "T");
    return printed.at(what);
  }
};

/// Where a type and those that it derives from hold references, by their fields.
class ReferencePlaces {
 public:
  explicit ReferencePlaces(const engine::RuntimeReaders& readers) : m_readers(readers) {}

  /// False if nothing tells of a type.
  bool add(const engine::MethodTable& type, std::uint64_t start, std::set<std::uint64_t>& places) const {
    const auto fields = m_readers.fields.declaredBy(type);
    if (!fields) return false;
    for (const engine::FieldDesc& field : *fields) {
      if (field.isStatic) continue;
      if (field.elementType == engine::ElementType::Class) places.insert(start + field.offset);
      const auto value = field.elementType == engine::ElementType::ValueType ? m_readers.methodTables.read(field.type)
                                                                             : engine::failure({}, {});
      if (value && !add(*value, start + field.offset, places)) return false;
    }
    const auto parent =
        !type.isValueType && type.parent ? m_readers.methodTables.read(type.parent) : engine::failure({}, {});
    return !parent || add(*parent, start, places);
  }

 private:
  const engine::RuntimeReaders& m_readers;
};

TEST_P(AotFields, AreReferencesWhereTheTypesTellOfReferences) {
  const ReferencePlaces places(readers());
  std::size_t told = 0, slots = 0;
  for (const engine::TypeRow& row : snapshot().types()) {
    const auto type = readers().methodTables.read(row.methodTable);
    if (row.isFree || !type || type->isArray || type->hasComponentSize) continue;
    std::set<std::uint64_t> fields, words;
    if (!places.add(*type, engine::kFieldsStart, fields)) {
      EXPECT_TRUE(row.name.starts_with("<static fields of")) << row.name;
      continue;
    }
    const auto description = engine::readGcDesc(readers().runtime, *type);
    ASSERT_TRUE(description) << row.name;
    description->forEachPlace((type->baseSize + 7ull) & ~7ull, [&](std::uint64_t place) { words.insert(place); });
    EXPECT_EQ(fields, words) << row.name;
    ++told;
    slots += words.size();
  }
  EXPECT_GT(told, 200u);
  EXPECT_GT(slots, 300u);
}

TEST_P(AotFields, LieWhereTheProgramHasThem) {
  const auto offsets = printedPairs(GetParam(), "O");
  ASSERT_EQ(offsets.size(), 10u);
  const std::map<std::string, std::string> objects{{"Dog", "dog0"}, {"Cat", "cat1"}, {"Pair", "box4"}};
  for (const auto& [name, offset] : offsets) {
    const std::size_t dot = name.find('.');
    const engine::ObjectDetails of = details(objects.at(name.substr(0, dot)));
    const auto fields = byName(of);
    ASSERT_TRUE(fields.contains(name.substr(dot + 1))) << name;
    EXPECT_EQ(fields.at(name.substr(dot + 1))->offset, std::stoull(offset)) << name;
  }
}

TEST_P(AotFields, HaveTheirValues) {
  const engine::ObjectDetails dog = details("dog0");
  const auto ofDog = byName(dog);
  EXPECT_EQ(ofDog.at("Age")->value.text, "0");
  EXPECT_EQ(ofDog.at("Age")->declaringType, "Zoo.Animal");
  EXPECT_EQ(ofDog.at("Good")->value.text, "true");
  EXPECT_EQ(ofDog.at("Good")->typeName, "System.Boolean");
  EXPECT_EQ(ofDog.at("Chip")->value.text, "1234605616436508552");
  EXPECT_EQ(ofDog.at("name")->value.text, "\"dog0\"");
  EXPECT_EQ(ofDog.at("name")->typeName, "System.String");
  EXPECT_EQ(ofDog.at("Friend")->typeName, "Zoo.Animal");
  const engine::ObjectDetails pair = details("box4");
  const auto ofPair = byName(pair);
  EXPECT_EQ(ofPair.at("First")->value.text, "\"x\"");
  EXPECT_EQ(ofPair.at("Second")->value.text, "2.5");
  EXPECT_EQ(ofPair.at("C")->value.text, "Green");
  EXPECT_EQ(ofPair.at("C")->typeName, "Zoo.Color");
  ASSERT_EQ(ofPair.at("P")->nested.size(), 3u);
  EXPECT_EQ(ofPair.at("P")->typeName, "Zoo.Point");
  EXPECT_EQ(details("box2").boxed->value.text, "Blue");
  const engine::ObjectDetails list = details("box10");
  ASSERT_TRUE(list.collection);
  EXPECT_EQ(list.collection->count, 1u);
}

TEST_P(AotFields, OfStaticsHaveNamesWhereTheCompilerCanBePutRight) {
  const auto list = engine::listStatics(snapshot(), {}, {});
  ASSERT_TRUE(list);
  const std::map<std::string, std::string> names{
      {"Counter", "Counter"}, {"Registry", "Registry"}, {"StaticPoint", "StaticPoint"}, {"GenStr", "Stat"}};
  for (const auto& [printed, name] : names) {
    const engine::StaticRow* row = staticAt(*list, printed);
    ASSERT_TRUE(row) << printed;
    EXPECT_EQ(row->field, name);
    EXPECT_EQ(row->typeName, printed == "GenStr" ? "Zoo.Gen<System.String>" : "Zoo.Holder");
  }
  EXPECT_EQ(staticAt(*list, "Counter")->value.value.text, "4711");
  EXPECT_EQ(staticAt(*list, "Registry")->value.value.object, object("registry"));
  const engine::StaticRow* point = staticAt(*list, "StaticPoint");
  ASSERT_EQ(point->value.nested.size(), 3u);
  EXPECT_EQ(point->value.nested.front().value.text, "\"tagstatic\"");
  // Each place has one name, and what a class holds leads to what its fields may hold.
  std::set<Address> places;
  std::size_t named = 0;
  for (const engine::StaticRow& row : list->statics) {
    EXPECT_TRUE(!row.address || places.insert(row.address).second) << row.typeName << '.' << row.field;
    EXPECT_NE(row.value.value.kind, engine::ValueKind::Damaged) << row.typeName << '.' << row.field;
    if (row.kind == engine::StaticKind::Normal && !row.field.starts_with('+') && row.value.nested.empty()) {
      EXPECT_TRUE(mayHold(row)) << row.typeName << '.' << row.field << " is a " << row.fieldType;
      ++named;
    }
  }
  EXPECT_GT(named, 200u);
  const engine::StaticRow* ofThread = staticAt(*list, "TS");
  ASSERT_TRUE(ofThread);
  EXPECT_EQ(ofThread->kind, engine::StaticKind::Thread);
  EXPECT_TRUE(ofThread->field.starts_with('+')) << ofThread->field;
}

TEST_P(AotFields, MakeLayoutsWithTheirPadding) {
  const auto dog = engine::layoutOf(snapshot(), details("dog0").methodTable);
  ASSERT_TRUE(dog);
  EXPECT_EQ(dog->baseSize, 56u);
  EXPECT_EQ(dog->paddingBytes(), 3u);  // behind the truth value
  const auto pair = engine::layoutOf(snapshot(), details("box4").methodTable);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->paddingBytes(), 7u);
  EXPECT_FALSE(snapshot().typePaddingBytes().empty());
  EXPECT_FALSE(engine::lackOf(snapshot(), engine::HeapUse::Fields));
  EXPECT_TRUE(engine::lackOf(snapshot(), engine::HeapUse::Assemblies));
  for (const engine::Finding& finding : snapshot().findings())
    EXPECT_TRUE(finding.message.starts_with("The stack of thread")) << findingsText(snapshot());
}

TEST_P(AotFields, AreThereForInsightsThatNeedThem) {
  EXPECT_TRUE(engine::notLookedFor(snapshot()).empty());
  const auto insights = engine::findInsights(snapshot(), {}, nullptr, {});
  ASSERT_TRUE(insights);
  EXPECT_TRUE(insights->findings.items().empty());
}

INSTANTIATE_TEST_SUITE_P(Of, AotFields, testing::Values("8", "9", "10", "11"));

TEST(AotDebugFiles, AreNotTakenOfAnotherProgram) {
  const TemporaryFolder folder;
  writeFile(folder / "aotapp.dbg", bytesOfText(debugFileOf("9")));
  const auto snapshot = engine::openDump(dumpPath("aot/zoo-10"), searchingIn(folder.path()), nullptr, {});
  ASSERT_TRUE(snapshot) << messageOf(snapshot);
  EXPECT_FALSE(snapshot->hasFields());
  const auto lack = engine::lackOf(*snapshot, engine::HeapUse::Fields);
  ASSERT_TRUE(lack);
  EXPECT_NE(lack->help.find("aotapp.dbg"), std::string::npos) << lack->help;
}

// What is damaged is left out, or is another answer, but nothing ends the program.
TEST(AotDebugFiles, MayBeDamagedAnywhere) {
  constexpr int kDamages = 16;
  const TemporaryFolder folder;
  const FileBytes healthy = bytesOfText(debugFileOf("10"));
  const Address dog{std::stoull(printedPairs("10", "T").at("dog0"), nullptr, 16)};
  std::mt19937_64 random(7);
  int opened = 0;
  for (int i = 0; i < kDamages; ++i) {
    FileBytes damaged = healthy;
    if (i % 4 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      // Behind what proves whose file it is; zeros are what was left out.
      for (int flips = 0; flips < 40;) {
        std::byte& one = damaged[1024 + random() % (damaged.size() - 1024)];
        if (one == std::byte{0}) continue;
        one ^= static_cast<std::byte>(1u << random() % 8);
        ++flips;
      }
    }
    writeFile(folder / "aotapp.dbg", damaged);
    engine::OpenOptions options = searchingIn(folder.path());
    options.stopAfter = engine::Stage::Layouts;
    const auto snapshot = engine::openDump(dumpPath("aot/zoo-10"), options, nullptr, {});
    ASSERT_TRUE(snapshot) << messageOf(snapshot);
    EXPECT_TRUE(engine::listStatics(*snapshot, {}, {}));
    EXPECT_TRUE(engine::objectDetails(*snapshot, dog));
    EXPECT_TRUE(engine::readStacks(*snapshot, {}, {}));
    opened += snapshot->hasFields();
    EXPECT_TRUE(snapshot->hasFields() || engine::lackOf(*snapshot, engine::HeapUse::Fields));
  }
  EXPECT_GT(opened, 0);
}

// The method that throws, and where others wait, by the lines of the program as it was compiled.
TEST_P(AotFields, ComeWithTheLinesOfFrames) {
  const auto stacks = engine::readStacks(snapshot(), {}, {});
  ASSERT_TRUE(stacks);
  std::map<std::string, std::set<std::uint32_t>> lines;
  for (const engine::ThreadStackRow& thread : stacks->threads) {
    for (const engine::FrameRow& frame : thread.frames)
      if (frame.file.ends_with("/Program.cs")) lines[frame.method].insert(frame.line);
  }
  EXPECT_TRUE(lines["Crash"].contains(76));
  EXPECT_EQ(lines["DeepStack"], (std::set<std::uint32_t>{43}));
}

}  // namespace
}  // namespace heapscape::test
