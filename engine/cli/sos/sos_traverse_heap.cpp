// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include "cli/shell/answer_target.h"
#include "cli/sos/sos_command.h"
#include "session/objects/object_query.h"
#include "session/references/reference_query.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ObjectRow;
using engine::Outcome;
using engine::RootKind;
using engine::Snapshot;

std::string hexWithPrefix(Address address) {
  return fmt::format("{:#018x}", address.value);
}

/// Writes the heap as text that CLR Profiler reads, or as XML: types, roots, then objects with what they refer to.
class HeapFile {
 public:
  HeapFile(AnswerTarget& file, const Snapshot& snapshot, bool isXml)
      : m_file(file), m_snapshot(snapshot), m_isXml(isXml) {}

  void write(const std::stop_token& stop) {
    writeTypes(stop);
    writeRoots();
    m_file.write(m_isXml ? "<objects>\n" : "");
    engine::forEachEdge(
        m_snapshot,
        [this](const engine::Edge& edge) {
          moveTo(edge.from);
          addReference(edge.to);
          return m_isWritten;
        },
        stop);
    moveTo(Address{UINT64_MAX});
    m_isWritten = m_isWritten && m_file.write(m_isXml ? "</objects>\n</gcheap>" : "");
  }

 private:
  const engine::ObjectIndex& index() const { return m_snapshot.contents().heap->index; }

  /// Types are numbered by their first objects.
  void writeTypes(const std::stop_token& stop) {
    if (m_isXml) m_file.write("<gcheap>\n  <types>\n");
    for (std::uint32_t id = 0; id < index().objectCount() && m_isWritten && !stop.stop_requested(); ++id) {
      const auto row = engine::objectAt(m_snapshot, index().addressOf({id}));
      if (!row || !m_types.try_emplace(row->type.value, m_types.size() + 1).second) continue;
      const std::string name = m_snapshot.typeName(row->type);
      m_isWritten =
          m_file.write(m_isXml ? fmt::format("    <type id=\"{}\" name=\"{}\" />\n", m_types.size(), escaped(name))
                               : fmt::format("t {} 0 {}\n", m_types.size(), name));
    }
    if (m_isXml) m_file.write("  </types>\n");
  }

  static std::string escaped(const std::string& name) {
    std::string text;
    for (const char c : name) {
      if (c == '<')
        text += "&lt;";
      else if (c == '>')
        text += "&gt;";
      else if (c == '&')
        text += "&amp;";
      else if (c == '"')
        text += "&quot;";
      else
        text += c;
    }
    return text;
  }

  /// Statics are elements of arrays of the runtime, which handles refer to.
  void writeRoots() {
    std::string text = m_isXml ? "<roots>\n" : "r";
    for (const engine::RootRow& root : m_snapshot.roots().roots) {
      if (root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic) continue;
      const char* kind = root.kind == RootKind::Stack            ? "stack"
                         : root.kind == RootKind::FinalizerReady ? "finalizer"
                                                                 : "handle";
      text += m_isXml ? fmt::format("  <root kind=\"{}\" address=\"{}\" />\n", kind, hexWithPrefix(root.address))
                      : ' ' + hexWithPrefix(root.address);
    }
    m_file.write(text + (m_isXml ? "</roots>\n" : "\n"));
  }

  /// Writes all objects in front of an address, and begins with the one there.
  void moveTo(Address address) {
    if (m_current && m_current->address == address) return;
    flush();
    for (; m_next < index().objectCount() && m_isWritten; ++m_next) {
      const Address start = index().addressOf({m_next});
      if (start > address) return;
      begin(start);
      if (start == address) {
        ++m_next;
        return;
      }
      flush();
    }
  }

  void begin(Address start) {
    m_current = engine::objectAt(m_snapshot, start);
    if (!m_current) return;
    const std::string at = hexWithPrefix(start);
    const auto type = m_types.find(m_current->type.value);
    const std::size_t number = type == m_types.end() ? 0 : type->second;
    const std::uint64_t id = ++m_written;
    if (m_isXml) {
      m_text = fmt::format("  <object address=\"{}\" typeid=\"{}\" size=\"{}\"", at, number, m_current->sizeBytes);
    } else {
      m_text = fmt::format("n {} 1 {} {}\n! 1 {} {}\no {} {} {} ", id, number, m_current->sizeBytes, at, id, at, number,
                           m_current->sizeBytes);
    }
    m_hasReferences = false;
  }

  void addReference(Address target) {
    if (!m_current) return;
    if (m_isXml)
      m_text += fmt::format("{}    <member address=\"{}\" />\n", m_hasReferences ? "" : ">\n", hexWithPrefix(target));
    else
      m_text += ' ' + hexWithPrefix(target);
    m_hasReferences = true;
  }

  void flush() {
    if (!m_current) return;
    m_text += !m_isXml ? "\n" : m_hasReferences ? "  </object>\n" : " />\n";
    m_isWritten = m_file.write(m_text);
    m_current.reset();
  }

  AnswerTarget& m_file;
  const Snapshot& m_snapshot;
  bool m_isXml;
  bool m_isWritten = true;
  std::unordered_map<std::uint32_t, std::size_t> m_types;  // numbers by TypeId
  std::uint32_t m_next = 0;                                // ObjectId of the first object behind the current one
  std::uint64_t m_written = 0;
  std::optional<ObjectRow> m_current;
  std::string m_text;
  bool m_hasReferences = false;
};

Outcome<void> traverseHeap(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.retained());
  const std::string& path = run.arguments().words().front();
  HEAPSCAPE_TRY(AnswerTarget file, AnswerTarget::file(path));
  HeapFile(file, snapshot, run.arguments().has("-xml")).write(run.stop());
  if (run.stop().stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  if (!file.problem().empty())
    return tl::unexpected(engine::Unfinished(engine::Error{engine::ErrorCode::FileUnreadable, file.problem()}));
  return {};
}

}  // namespace

void addSosTraverseHeapCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "traverseheap",
                      .arguments = "[-xml] FILE",
                      .summary = "Writes types, roots, objects and their references to a file",
                      .flags = "-xml -verify",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = traverseHeap,
                      .more = "edges"});
}

}  // namespace heapscape::cli
