// SPDX-License-Identifier: MIT
#include "import_cells.h"

#include "stacks/ready_to_run_sections.h"

namespace heapscape::test {

using namespace engine;

void forEachImportCell(const RuntimeReaders& readers, const std::function<void(Address, Address)>& visit) {
  const ClrRuntime& runtime = readers.runtime;
  const std::uint64_t size = runtime.contract().sizeOf("ReadyToRunImportSection");
  for (const Module* module : readers.modules.all()) {
    const auto image = readReadyToRunSections(runtime, module->address);
    const AddressRange list =
        image ? image->find(runtime.contract().constant("R2RSection.ImportSections")) : AddressRange{};
    for (Address section = list.start; section + size <= list.end; section += size) {
      const auto start = runtime.valueAt<std::uint32_t>(section, "ReadyToRunImportSection", "VirtualAddress");
      const auto bytes = runtime.valueAt<std::uint32_t>(section, "ReadyToRunImportSection", "Size");
      if (!start || !bytes) continue;
      const Address first = image->imageBase + *start;
      for (Address cell = first; cell < first + *bytes; cell += 8) visit(module->address, cell);
    }
  }
}

}  // namespace heapscape::test
