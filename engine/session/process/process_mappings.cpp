// SPDX-License-Identifier: MIT
#include "session/process/process_mappings.h"

#include <elf.h>

#include <algorithm>
#include <string_view>

namespace heapscape::engine {
namespace {

// The page that createdump adds to every dump; the process never had it (specialdiaginfo.h).
constexpr AddressRange kCreatedumpPage{{0x00007ffffff10000}, {0x00007ffffff11000}};
// The runtime's executable memory is mapped from a file without a name, most of it without access.
constexpr std::string_view kDoubleMapped = "/memfd:doublemapper";

bool isDoubleMapped(const MappedFile& file) {
  return file.path.starts_with(kDoubleMapped);
}

bool overlaps(const AddressRange& left, const AddressRange& right) {
  return left.start < right.end && right.start < left.end;
}

/// Whether a file is mapped over some of a range; files are sorted and do not overlap.
bool isOfFile(const std::vector<MappedFile>& files, const AddressRange& range) {
  const auto behind =
      std::upper_bound(files.begin(), files.end(), range.start,
                       [](Address address, const MappedFile& file) { return address < file.range.end; });
  return behind != files.end() && !isDoubleMapped(*behind) && overlaps(behind->range, range);
}

class MappingBuilder {
 public:
  MappingBuilder(const ElfCore& core, DumpKind kind) : m_core(core), m_kind(kind) {}

  ProcessMappings build() {
    std::vector<Mapping> files = namedFiles();
    for (const LoadSegment& load : m_core.loads) {
      if (load.range == kCreatedumpPage || load.range.isEmpty()) continue;
      if (isWithoutAccess(load)) {
        m_built.reserved.push_back(load.range);
      } else {
        addAroundFiles(load, files);
      }
    }
    m_built.mappings.insert(m_built.mappings.end(), std::make_move_iterator(files.begin()),
                            std::make_move_iterator(files.end()));
    std::sort(m_built.mappings.begin(), m_built.mappings.end(),
              [](const Mapping& left, const Mapping& right) { return left.range.start < right.range.start; });
    explain();
    return std::move(m_built);
  }

 private:
  // The kernel lists mappings without access with no rights. gdb claims that all can be read; what really can only be
  // read has a file behind it.
  bool isWithoutAccess(const LoadSegment& load) const {
    if (load.flags == 0) return true;
    return m_kind == DumpKind::Gcore && load.flags == PF_R && !isOfFile(m_core.files, load.range);
  }

  /// NT_FILE, sorted and without overlaps. Mappings of executable memory are listed whatever their rights: those count
  /// where a program header does.
  std::vector<Mapping> namedFiles() const {
    std::vector<Mapping> files;
    Address end;
    for (const MappedFile& file : m_core.files) {
      const AddressRange range{std::max(file.range.start, end), file.range.end};
      if (isDoubleMapped(file) || range.isEmpty()) continue;
      files.push_back({range, false, file.path});
      end = range.end;
    }
    return files;
  }

  /// The parts of a program header's range that no file is mapped to are anonymous memory.
  void addAroundFiles(const LoadSegment& load, const std::vector<Mapping>& files) {
    const bool isExecutable = (load.flags & PF_X) != 0;
    Address from = load.range.start;
    auto file = std::upper_bound(files.begin(), files.end(), from,
                                 [](Address address, const Mapping& mapping) { return address < mapping.range.end; });
    for (; file != files.end() && file->range.start < load.range.end; ++file) {
      if (from < file->range.start) m_built.mappings.push_back({{from, file->range.start}, isExecutable, {}});
      from = std::max(from, file->range.end);
    }
    if (from < load.range.end) m_built.mappings.push_back({{from, load.range.end}, isExecutable, {}});
  }

  void explain() {
    switch (m_kind) {
      case DumpKind::Heap:
        m_built.isWhole = false;
        m_built.remark =
            "createdump lists files and writable memory, but leaves out some pages of read-only and executable memory "
            "that no file is mapped to.";
        break;
      case DumpKind::Mini:
      case DumpKind::Triage:
        m_built.isWhole = false;
        m_built.remark = "A mini dump lists mapped files and a little of the other memory.";
        break;
      case DumpKind::Unknown:
        m_built.isWhole = false;
        m_built.remark = "Which program wrote the dump is not known, and so not whether it lists all mappings.";
        break;
      case DumpKind::Full:
      case DumpKind::Gcore:
      case DumpKind::Kernel:
        break;
    }
  }

  const ElfCore& m_core;
  DumpKind m_kind;
  ProcessMappings m_built;
};

}  // namespace

ProcessMappings mappingsOf(const ElfCore& core, DumpKind kind) {
  return MappingBuilder(core, kind).build();
}

}  // namespace heapscape::engine
