// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "fuzz_target.h"
#include "runtime/aot/aot_method_names.h"
#include "runtime/aot/aot_type_names.h"
#include "support/builders/aot_module_in_memory.h"
#include "support/opened_core.h"

using namespace heapscape;
using test::AotModuleInMemory;

namespace {

constexpr std::uint64_t kTypeBytes = 0x200;  // of all types of the seeds

void readAll(const engine::AddressSpace& memory, const engine::AotLayout& layout) {
  engine::FindingList findings;
  const auto typeManagers = engine::readTypeManagers(memory, layout, AotModuleInMemory::kRuntimeInstance, findings);
  const engine::AotModules modules(memory, layout, typeManagers, findings);
  const engine::AotMethodTables types(memory, layout);
  const engine::AotTypeNames names(types, modules);
  const engine::AotMethodNames methods(memory, types, modules, names, findings);
  for (std::uint64_t at = 0; at < kTypeBytes; at += 8) {
    const engine::Address address = AotModuleInMemory::kStart + AotModuleInMemory::kTypesAt + at;
    if (names.nameOf(address).empty()) std::abort();
    const auto type = types.read(address);
    if (!type) continue;
    (void)types.interfaces(*type);
    (void)types.typeArguments(*type);
    (void)types.functionParameters(*type);
    (void)types.typeManager(*type);
    if (const auto size = types.valueSize(*type); size && *size > type->baseSize) std::abort();
  }
  for (std::uint64_t at = 0; at < 0x100; at += 16) {
    const auto name = methods.find(AotModuleInMemory::kCode + at);
    if (name && (name->type.empty() || name->method.empty())) std::abort();
  }
}

}  // namespace

// A module as it lies in memory, read as one of each release.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const engine::Bytes bytes = fuzz::bytesOf(data, size);
  test::CoreBuilder builder;
  builder.dataAlignment(16).memory(AotModuleInMemory::kStart.value, test::FileBytes(bytes.begin(), bytes.end()));
  const test::OpenedCore core(builder);
  for (const std::uint32_t release : {8, 9, 10, 11}) readAll(core.space(), *engine::findAotLayout(release));
  return 0;
}

namespace heapscape::fuzz {

std::vector<test::FileBytes> seeds() {
  constexpr std::uint8_t kTypeDefinition = 0x3a, kTypeVariable = 0x3f, kInstantiation = 0x3c, kSpecification = 0x3e;
  std::vector<test::FileBytes> made;
  for (const std::uint32_t release : {8, 9, 10, 11}) {
    AotModuleInMemory module(release);
    const std::uint32_t shop = module.space("Shop", module.space(""));
    const std::uint32_t order = module.type(shop, "Order"), pair = module.type(shop, "Pair`2", order, {"A", "B"});
    const engine::Address orders = module.methodTable({.related = {}, .slots = 2});
    const engine::Address pairs = module.definition(2);
    module.map(orders, module.token(kTypeDefinition, order));
    module.map(pairs, module.token(kTypeDefinition, pair));
    const engine::Address array =
        module.methodTable({.kind = 2, .element = 0x17, .baseSize = 40, .related = orders, .interfaces = {orders}});
    const engine::Address one = module.methodTable({.definition = pairs, .arguments = {orders, array}});
    module.methodTable({.definition = pairs, .arguments = {one, one}, .isDynamic = true});
    module.methodTable({.kind = 1, .element = 0x1b, .baseSize = 1, .related = one});
    const std::uint32_t variable = module.record({1});
    const std::uint32_t signature = module.signature({{kTypeVariable, variable}, {kTypeDefinition, order}});
    const std::uint32_t instance =
        module.record({module.packed(kTypeDefinition, pair), 2, module.packed(kTypeDefinition, order),
                       module.packed(kTypeVariable, variable)});
    const std::uint32_t specification = module.record({module.packed(kInstantiation, instance)});
    module.trace(AotModuleInMemory::kCode, module.token(kTypeDefinition, pair), module.text("Add"), signature);
    module.trace(AotModuleInMemory::kCode + 16, module.token(kSpecification, specification), module.text("Map"),
                 signature, module.record({1, module.packed(0x1a, module.text("T"))}));
    module.mayInvoke(AotModuleInMemory::kCode + 32, one, module.method("Take", signature));
    made.push_back(module.build());
  }
  return made;
}

}  // namespace heapscape::fuzz
