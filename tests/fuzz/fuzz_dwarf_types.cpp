// SPDX-License-Identifier: MIT
#include <dwarf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "fuzz_target.h"
#include "runtime/aot/dwarf_lines.h"
#include "runtime/aot/dwarf_types.h"
#include "runtime/aot/linker_names.h"
#include "support/builders/debug_file_builder.h"

using namespace heapscape;
using test::DebugFileBuilder;

namespace {

void readAll(const engine::DwarfTypes& types) {
  const engine::LinkerNames names({.type = [](auto) { return std::string(); },
                                   .definition = [](auto) { return std::string(); },
                                   .isType = [&](auto name) { return types.find(name) != engine::kNoDwarfType; }});
  for (engine::DwarfTypeId id = 0; id < types.size(); ++id) {
    const engine::DwarfType& type = types.type(id);
    if (type.target != engine::kNoDwarfType && type.target >= types.size()) std::abort();
    if (const auto described = types.described(id); described != engine::kNoDwarfType && described >= types.size())
      std::abort();
    for (const engine::DwarfMember& member : types.membersOf(type))
      if (member.type != engine::kNoDwarfType && member.type >= types.size()) std::abort();
    (void)types.enumeratorsOf(type);
    (void)names.fullName(type.name.substr(0, 512));
  }
  for (const engine::DwarfStaticPlace& place : types.staticPlaces())
    if (place.declaring >= types.size()) std::abort();
}

}  // namespace

// A program's file of debugging information.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = ::memfd_create("debug", MFD_CLOEXEC);
  if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (auto opened = engine::DwarfFile::openMatching(path, std::string(DebugFileBuilder::kBuildId))) {
    if (const auto types = engine::DwarfTypes::read(*opened)) readAll(*types);
    if (const auto lines = engine::DwarfLines::read(*opened)) (void)lines->find(0x1000);
    opened->forEachSymbol([](std::string_view name, std::uint64_t) { (void)name.size(); });
  }
  ::close(file);
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  DebugFileBuilder file;
  const auto integer = file.number("int", DW_ATE_signed, 4);
  const auto character = file.number("char16_t", DW_ATE_UTF, 2);
  const auto object = file.type("Object", 8, 0, {});
  const auto text = file.reference(file.declaration("String"));
  file.type("String", 12, object, {{"_stringLength", integer, 8}, {"_firstChar", character, 12}});
  const auto color = file.enumeration("shop_Color", integer, 4, {{"Red", 1}, {"Blue", -7}});
  const auto point = file.type("shop_Point", 16, 0, {{"Tag", text, 0}, {"X", integer, 8}});
  file.type("shop_Order_1<shop_Point__Int32>", 48, object,
            {{"Place", point, 8},
             {"Color", color, 24},
             {"Next", file.pointer(integer), 32},
             {"Count", integer, 0, true},
             {"All", text, 0, true}});
  file.staticPlace(3, 0x4000, 0, false);
  file.staticPlace(4, 0x5000, 8, true);
  file.symbol("_ZTV6Object", 0x1000);
  file.symbol("_ZTV31shop_Order_1<shop_Point__Int32>", 0x2000);
  return {file.build(), DebugFileBuilder("another compiler").build()};
}

}  // namespace heapscape::fuzz
