// SPDX-License-Identifier: MIT
#include "review/dump_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/progress.h"
#include "insight/insight_actions.h"
#include "insight/insight_tables.h"
#include "output/text.h"
#include "review/opening_page.h"
#include "review/report_pictures.h"
#include "review/review_cells.h"
#include "session/async/async_query.h"
#include "session/heap/gc_query.h"
#include "session/heap/gc_settings.h"
#include "session/layouts/layout_query.h"
#include "session/layouts/waste_query.h"
#include "session/objects/retained_query.h"
#include "session/objects/strings_query.h"
#include "session/process/process_memory.h"
#include "session/references/paths_query.h"
#include "session/snapshot/heap_presence.h"
#include "session/stacks/parallel_stacks.h"
#include "session/threads/crash_query.h"
#include "session/threads/thread_waits.h"
#include "tables/async_tables.h"
#include "tables/gap_tables.h"
#include "tables/heap_tables.h"
#include "tables/memory_table.h"
#include "tables/retained_tables.h"
#include "tables/segment_tables.h"
#include "tables/type_tables.h"
#include "tables/waste_tables.h"

namespace heapscape::engine {
namespace {

using ReviewPages = std::vector<ReviewPage>;

/// Input of the parts of a report.
struct ReportInput {
  const Snapshot& snapshot;
  const DumpReportOptions& options;
  ProgressSink* progress;  // of this part alone, 0 to 1
  std::stop_token stop;
};

Outcome<void> addHeapPages(const ReportInput& input, ReviewPages& pages) {
  pages.push_back({.title = "Summary", .content = factsTable(input.snapshot)});
  pages.push_back({.title = "The heap by generation", .content = generationsPicture(input.snapshot)});
  pages.push_back(
      {.title = "Generations",
       .remark =
           "Roots lead to what is live; garbage is unreachable and was not collected yet. Frozen objects are never "
           "collected, so they are no garbage. Free objects are not counted as objects; Free is what they take "
           "up.",
       .content = describedRows(
           listGenerations(input.snapshot),
           {"generation", "heap", "count", "objectBytes", "live", "garbage", "freeObjects", "freeBytes", "freeShare"},
           {.limit = 1000})});
  return {};
}

Outcome<void> addFindingPages(const ReportInput& input, ReviewPages& pages) {
  const Snapshot& snapshot = input.snapshot;
  ReviewPage page{.title = "Completeness"};
  if (snapshot.isComplete()) {
    page.remark = "Nothing was missing or damaged: every figure counts the whole heap.";
    pages.push_back(std::move(page));
    return {};
  }
  ReviewTable table{.columns = {{"Finding"}, {"Address", ColumnKind::Address}, {"What it means"}}, .rows = {}};
  for (const Missing& missing : snapshot.summary().missing) {
    table.rows.push_back({{"missing"}, {}, {missing.what + " " + missing.help}});
  }
  for (const Finding& finding : snapshot.findings()) {
    if (table.rows.size() >= input.options.rows) break;
    table.rows.push_back({{toString(finding.kind)}, addressCell(finding.address), {finding.message}});
  }
  const std::uint64_t all = snapshot.summary().missing.size() + snapshot.findings().size() + snapshot.findingsLeftOut();
  table.rowsLeftOut = all - table.rows.size();
  page.remark = "Figures count what was there; what was not is listed here.";
  page.content = std::move(table);
  pages.push_back(std::move(page));
  return {};
}

std::string remarkOf(const ProcessMemory& memory) {
  std::string remark = fmt::format("Every mapped byte once: {} bytes in all", readableCount(memory.mappedBytes));
  if (memory.reservedBytes) {
    remark += fmt::format("; {} more are address space without memory behind it", readableBytes(memory.reservedBytes));
  }
  remark += ". " + residentText(memory);
  if (!memory.remark.empty()) remark += " " + memory.remark;
  return remark;
}

// Owners with most memory first.
std::vector<MemoryPart> partsByOwner(const ProcessMemory& memory) {
  std::vector<OwnedMemory> owners = memoryByOwner(memory);
  std::ranges::stable_sort(owners, std::greater(), &OwnedMemory::bytes);
  std::vector<MemoryPart> parts;
  for (const OwnedMemory& owner : owners) parts.insert(parts.end(), owner.parts.begin(), owner.parts.end());
  return parts;
}

ReviewTable partTable(const ProcessMemory& memory, const DumpReportOptions& options) {
  const std::vector<MemoryPart> parts = partsByOwner(memory);
  ReviewTable table =
      describedRows(memoryTable().over(parts), {"whose", "name", "bytes", "inDump", "mappings", "address"},
                    {.limit = options.rows, .isRedacted = options.isRedacted});
  table.columns.push_back({"Share", ColumnKind::Share});
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i].push_back(percentCell(parts[i].bytes, memory.mappedBytes));
  return table;
}

Outcome<void> addMemoryPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const ProcessMemory memory, processMemoryOf(input.snapshot, input.stop));
  pages.push_back(
      {.title = "Whose the process's memory is", .remark = remarkOf(memory), .content = memoryPicture(memory)});
  pages.push_back({.title = "Memory by owner", .content = partTable(memory, input.options)});
  return {};
}

std::string remarkOf(const GcReport& report) {
  std::string remark = report.phaseText;
  const std::vector<std::uint64_t> counts = report.collectionCounts();
  if (!counts.empty())
    remark += fmt::format(" Collections: {}, of these {} of gen1 and {} of gen2.", readableCount(counts[0]),
                          readableCount(counts[1]), readableCount(counts[2]));
  if (const auto& plan = report.figures.plan)
    remark += fmt::format(" Why the last one began: {}.", collectionReason(plan->reason));
  for (const OutOfMemoryRecord& record : report.history.outOfMemory) remark += " " + describe(record);
  return remark;
}

ReviewTable settingTable(const GcReport& report, bool isRedacted) {
  ReviewTable table{.columns = {{"Setting"}, {"Value"}, {"From"}}, .rows = {}};
  const auto add = [&](std::string name, std::string value) {
    table.rows.push_back({{std::move(name)}, {std::move(value)}, {"the GC"}});
  };
  add("Kind", report.isServer ? "server" : "workstation");
  add("Library", report.library.empty() ? "libcoreclr.so" : report.library);
  add("Heaps", describe(report.heaps));
  if (const auto& plan = report.figures.plan) add("Latency mode", pauseMode(plan->pauseMode));
  if (const auto& limits = report.figures.limits) {
    add("Memory that it sees", readableBytes(limits->totalPhysicalBytes));
    add("Hard limit of the heap", limits->hardLimitBytes ? readableBytes(limits->hardLimitBytes) : "none");
    add("High memory load from", fmt::format("{}%", limits->highLoadPercent));
  }
  for (const GcSetting& setting : report.settings.settings) {
    ReviewCell value = setting.number ? ReviewCell{setting.value} : contentsCell(isRedacted, setting.value, "•••");
    table.rows.push_back(
        {{setting.name}, std::move(value), {setting.key + (setting.isOverruled ? " (overruled)" : "")}});
  }
  return table;
}

Outcome<void> addGcPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const GcReport report, readGcReport(input.snapshot, input.stop));
  pages.push_back({.title = "What the garbage collector was doing",
                   .remark = remarkOf(report),
                   .content = settingTable(report, input.options.isRedacted)});
  pages.push_back({.title = "What stands between free objects",
                   .content = describedRows(gapsTable().with(listGaps(report)),
                                            {"generation", "heap", "type", "gaps", "gapBytes", "pinned"},
                                            {.limit = input.options.rows})});
  return {};
}

/// Where a thread is in the program's own code.
std::string ownFrameOf(const ThreadStackRow& stack) {
  const auto frame = std::ranges::find_if(stack.frames, isMyCode);
  return frame == stack.frames.end() ? std::string() : nameOf(*frame);
}

ReviewPage threadsPage(const StackList& stacks, std::size_t rows) {
  using Kind = ColumnKind;
  ReviewTable table{
      .columns = {{"Doing"}, {"Threads", Kind::Count}, {"One of them", Kind::Count}, {"Where in the program"}},
      .rows = {}};
  const auto groups = activitiesOf(stacks);
  for (const ActivityGroup& group : groups) {
    if (table.rows.size() == rows) break;
    const ThreadStackRow& one = stacks.threads[group.threads.front()];
    table.rows.push_back({{group.doing}, countCell(group.threads.size()), countCell(one.managedId), {ownFrameOf(one)}});
  }
  table.rowsLeftOut = groups.size() - table.rows.size();
  const auto isInexact = [](const ThreadStackRow& stack) {
    return !stack.isComplete || std::ranges::any_of(stack.frames, [](const FrameRow& frame) { return !frame.isExact; });
  };
  const auto inexact = static_cast<std::uint64_t>(std::ranges::count_if(stacks.threads, isInexact));
  ReviewPage page{.title = "What the threads were doing",
                  .remark = fmt::format("{} with a stack. {}", countOf(stacks.threads.size(), "thread"),
                                        inexact ? fmt::format("What {} of them refer to is not known exactly.", inexact)
                                                : std::string("What they refer to is known exactly."))};
  if (!table.rows.empty()) page.content = std::move(table);
  return page;
}

ReviewPage asyncPage(const AsyncList& list, std::size_t rows) {
  return {.title = "Async methods that have not ended",
          .remark = fmt::format("{} pending in {}; equal chains are one line.", countOf(list.methods, "call"),
                                countOf(list.chains.size(), "chain")),
          .content = describedRows(chainsTable().with(listChains(list)),
                                   {"methods", "waitsFor", "count", "retained", "state", "object"}, {.limit = rows})};
}

Outcome<void> addStackPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const auto stacks, keptStacksInWords(input.snapshot, input.stop));
  pages.push_back(threadsPage(*stacks, input.options.rows));
  if (!hasHeap(input.snapshot)) return {};  // in which they would lie
  HEAPSCAPE_TRY(const AsyncList list, listAsync(input.snapshot, {}, input.stop));
  if (!list.chains.empty()) pages.push_back(asyncPage(list, input.options.rows));
  return {};
}

std::vector<ListedType> listTypes(const Snapshot& snapshot) {
  std::vector<ListedType> types;
  types.reserve(snapshot.types().size());
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    if (snapshot.types()[i].isFree || snapshot.typeCounts().count[i] == 0) continue;
    types.push_back(listedType(snapshot, snapshot.typeCounts(), TypeId{i}));
  }
  return types;
}

ReviewTable tableOf(const std::vector<ListedType>& types, std::size_t limit) {
  return describedRows(typesTable().over(types),
                       {"type", "count", "bytes", "retained", "garbage", "padding", "assembly", "code"},
                       {.limit = limit});
}

Outcome<void> addTypePages(const ReportInput& input, ReviewPages& pages) {
  std::vector<ListedType> types = listTypes(input.snapshot);
  std::ranges::stable_sort(types, std::greater(), &ListedType::bytes);
  pages.push_back({.title = "Largest types by their own bytes",
                   .remark = "Retained is what would be freed with all reachable objects of the type.",
                   .content = tableOf(types, input.options.rows)});
  std::ranges::stable_sort(types, std::greater(), &ListedType::retainedBytes);
  pages.push_back({.title = "Largest types by what they retain", .content = tableOf(types, input.options.rows)});
  return {};
}

ReviewTable tableOf(const InsightList& list, const DumpReportOptions& options) {
  return describedRows(insightGroupsTable().with(titledInsights(list, kFewInsights)),
                       {"title", "subject", "text", "meaning", "bytes", "objects", "owners", "advice"},
                       {.limit = options.rows, .isRedacted = options.isRedacted});
}

std::string remarkOf(const InsightList& list) {
  if (list.insights.empty()) return "Nothing noteworthy was found.";
  std::string remark = fmt::format(
      "Waste could be saved without losing anything: {} bytes. Leaks should probably be released: {} "
      "bytes. Each byte is counted once, though several insights may name it.",
      readableCount(list.wasteBytes), readableCount(list.leakBytes));
  if (list.smallInsights) {
    remark += fmt::format(" {} that cost less, {} together, {} not listed.", countOf(list.smallInsights, "insight"),
                          readableBytes(list.smallBytes), list.smallInsights == 1 ? "is" : "are");
  }
  return remark;
}

ReviewPage planPage(const InsightList& list, const DumpReportOptions& options) {
  const ActionPlan& plan = list.plan;
  ReviewPage page{.title = "Fix first"};
  if (plan.actions.empty()) {
    page.remark = "Nothing that the program itself could change wins memory back.";
    return page;
  }
  page.remark = fmt::format(
      "{} {} back {}{} of the {} on the heap, each byte counted once; {} would be left. Large owners to review stand "
      "among the insights.",
      countOf(plan.actions.size(), "action"), plan.actions.size() == 1 ? "wins" : "win",
      plan.isLeast ? "at least " : "", readableBytes(plan.bytes), readableBytes(plan.heapBytes),
      readableBytes(plan.heapBytes - std::min(plan.heapBytes, plan.bytes)));
  page.content = describedRows(insightActionsTable().with(titledActions(list)),
                               {"title", "meaning", "bytes", "addedBytes", "objects"},
                               {.limit = options.rows, .isRedacted = options.isRedacted});
  return page;
}

Outcome<void> addInsightPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const InsightList list, findInsights(input.snapshot, {}, input.progress, input.stop));
  ReviewPage page{.title = "Insights", .remark = remarkOf(list)};
  if (!list.insights.empty()) page.content = tableOf(list, input.options);
  pages.push_back(std::move(page));
  // As the overview does, the report leads with what there is to be done.
  pages.insert(pages.begin(), planPage(list, input.options));
  return {};
}

/// Exceptions from the outermost inwards, then the thread: who, its frames, and what it says.
class CrashTable {
 public:
  explicit CrashTable(std::size_t limit) : m_limit(limit) {}

  ReviewTable of(const Crash& crash) {
    if (crash.message) add("FailFast", {}, {}, *crash.message);
    if (crash.exception) addException(*crash.exception);
    if (crash.stack) addStack(crash);
    return std::move(m_table);
  }

 private:
  void add(std::string of, std::string frame, std::string source, std::string says = {}) {
    if (m_table.rows.size() == m_limit) {
      ++m_table.rowsLeftOut;
      return;
    }
    m_table.rows.push_back({{std::move(of)}, {std::move(frame)}, {std::move(source)}, {std::move(says)}});
  }

  void addException(const ExceptionDetails& exception) {
    add(exception.type, {}, {}, exception.message);
    for (const ExceptionDetails::Frame& frame : exception.stack)
      add({}, frame.method, frame.file.empty() ? "" : fmt::format("{}:{}", frame.file, frame.line));
    for (const ExceptionDetails& inner : exception.causes) addException(inner);
  }

  void addStack(const Crash& crash) {
    add(fmt::format("Thread {}", crash.managedId), {}, {}, crash.threadName);
    const std::vector<FrameRow>& frames = crash.stack->frames;
    for (const FrameRun& run : crash.runs) {
      if (run.isFolded()) {
        add({}, textOf(run, frames), {});
        continue;
      }
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
        add({}, nameOf(frames[i]), frames[i].file.empty() ? "" : fmt::format("{}:{}", frames[i].file, frames[i].line));
    }
  }

  std::size_t m_limit;
  ReviewTable m_table{.columns = {{"Of"}, {"Frame"}, {"Source"}, {.title = "It says", .holdsContents = true}},
                      .rows = {}};
};

Outcome<void> addCrashPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const Crash crash, readCrash(input.snapshot, input.stop));
  if (crash.cause.state != ProcessState::Died) return {};
  // A remark is not redacted: neither the thread's name nor what anything says stands in it.
  std::string remark = crashSentence(crash, false);
  for (const std::string& note : crashNotes(crash)) remark += " " + note;
  ReviewPage page{.title = "Why the process died", .remark = std::move(remark)};
  ReviewTable table = CrashTable(std::max<std::size_t>(input.options.rows, 40)).of(crash);
  if (!table.rows.empty()) page.content = std::move(table);
  pages.insert(pages.begin(), std::move(page));
  return {};
}

ReviewPage pictureOf(const WasteRow& row, const TypeLayout& layout) {
  ReviewPage page{.title = "Layout of " + row.type, .content = layoutPicture(layout)};
  page.remark = fmt::format("{} of padding in {}; {} in the whole heap.", countOf(layout.paddingBytes(), "byte"),
                            countOf(row.instanceBytes, "byte"), readableBytes(row.paddingBytes));
  if (!row.separation.empty()) page.remark += " " + row.separation;
  if (row.savedByBest > 0) {
    page.remark += fmt::format(" The order {} would save {}.", fmt::format("{}", fmt::join(bestOrderOf(row), ", ")),
                               readableBytes(static_cast<std::uint64_t>(row.savedByBest)));
  }
  return page;
}

Outcome<void> addLayoutPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const DeclaredLayouts layouts, DeclaredLayouts::ofDump(input.snapshot));
  HEAPSCAPE_TRY(const LargestWaste waste, largestWaste(input.snapshot, layouts, input.options.rows,
                                                       input.options.layouts, input.progress, input.stop));
  ReviewPage page{.title = "Layouts that waste",
                  .remark = fmt::format(
                      "{} of the heap's {} are padding. If every type that is not the framework's "
                      "had its best layout, {} would be saved.",
                      readableBytes(waste.paddingBytes), readableBytes(waste.heapBytes),
                      readableBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, waste.savedByAllBest))))};
  if (!waste.rows.empty()) {
    ReviewTable table =
        describedRows(wasteTable().over(waste.rows),
                      {"type", "count", "elements", "nested", "size", "bestSize", "padding", "saved", "bestOrder"},
                      {.limit = input.options.rows});
    table.rowsLeftOut = waste.rowsInAll - table.rows.size();
    page.content = std::move(table);
  }
  pages.push_back(std::move(page));
  std::size_t drawn = 0;
  for (const WasteRow& row : waste.rows) {
    if (drawn == input.options.layouts) break;
    if (row.owner == CodeOwner::Framework || !row.methodTable || row.paddingBytes == 0) continue;
    const Result<TypeLayout> layout = layoutOf(input.snapshot, row.methodTable);
    if (!layout || layout->fields.empty()) continue;
    pages.push_back(pictureOf(row, *layout));
    ++drawn;
  }
  return {};
}

constexpr PathOptions kFirstPath{.paths = 1, .steps = 2};
constexpr std::size_t kLongestExpression = 300;

std::string shortenedExpression(const std::string& text) {
  if (text.size() <= kLongestExpression) return text;
  return text.substr(0, kLongestExpression / 2) + " … " + text.substr(text.size() - kLongestExpression / 2);
}

/// Through which fields a root leads to the object; keys of dictionaries that are strings are contents.
Outcome<ReviewCell> whyAlive(const ReportInput& input, Address object) {
  HEAPSCAPE_TRY(const RootPathList list, pathsToRoots(input.snapshot, object, kFirstPath, nullptr, input.stop));
  if (list.paths.empty()) return ReviewCell();
  const RootPath& path = list.paths.front();
  return contentsCell(input.options.isRedacted, shortenedExpression(path.expression),
                      shortenedExpression(path.redactedExpression));
}

Outcome<void> addRetainedPages(const ReportInput& input, ReviewPages& pages) {
  const Snapshot& snapshot = input.snapshot;
  HEAPSCAPE_CHECK(preparePaths(snapshot, input.progress, input.stop));
  const RetainedList list = largestRetained(snapshot, input.options.rows);
  std::vector<ListedRetained> rows = listRetained(snapshot, list);
  std::erase_if(rows, [](const ListedRetained& each) { return !each.row.isReachable || each.row.retainedBytes == 0; });
  ReviewTable table =
      describedRows(retainedTable().over(rows), {"object", "type", "bytes", "retained", "retainedCount"}, {});
  table.columns.push_back({"Alive through"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    HEAPSCAPE_TRY(ReviewCell why, whyAlive(input, rows[i].row.object));
    table.rows[i].push_back(std::move(why));
  }
  table.rowsLeftOut = list.totals.reachableObjects - std::min(list.totals.reachableObjects, table.rows.size());
  pages.push_back({.title = "Objects that retain most",
                   .remark = "Retained is exact: the object and all that would be freed with it. One row may be held "
                             "by another.",
                   .content = std::move(table)});
  return {};
}

Outcome<void> addStringPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const StringList list, listStrings(input.snapshot, {}, input.options.rows, input.stop));
  std::vector<StringGroup> groups = list.groups;
  std::erase_if(groups, [](const StringGroup& group) { return group.wastedBytes == 0; });
  ReviewPage page{.title = "Equal strings",
                  .remark = fmt::format("{}, {}, with {} different texts; {} hold what another one holds as well.",
                                        countOf(list.strings, "string"), readableBytes(list.bytes),
                                        readableCount(list.distinct), readableBytes(list.wastedBytes))};
  if (list.unreadable) {
    page.remark += fmt::format(" The characters of {} more are not in the dump.", readableCount(list.unreadable));
  }
  if (!groups.empty())
    page.content =
        describedRows(stringsTable().over(groups), {"value", "length", "count", "bytes", "wasted", "example"},
                      {.isRedacted = input.options.isRedacted});
  pages.push_back(std::move(page));
  return {};
}

struct Part {
  const char* title;     // of the page that says why there is none
  const char* activity;  // "finding equal strings"
  double weight;         // share of the time
  HeapUse heap;
  /// Appends its pages; insights put what to do before all others, and a crash goes before that. Fails where it was
  /// cancelled, or where the part as a whole cannot be told.
  Outcome<void> (*add)(const ReportInput&, ReviewPages&);
};

constexpr std::array kParts{
    Part{"The heap", "counting generations", 0.01, HeapUse::Memory, addHeapPages},
    Part{"Whose the process's memory is", "finding whose memory is", 0.03, HeapUse::Optional, addMemoryPages},
    Part{"What the garbage collector was doing", "looking at free objects and pins", 0.03, HeapUse::Optional,
         addGcPages},
    Part{"What the threads were doing", "walking stacks", 0.02, HeapUse::Optional, addStackPages},
    Part{"Largest types", "sorting types", 0.01, HeapUse::Graph, addTypePages},
    Part{"Insights", "looking for waste and leaks", 0.75, HeapUse::Graph, addInsightPages},
    Part{"Why the process died", "looking at the thread that died", 0.01, HeapUse::Optional, addCrashPages},
    Part{"Layouts that waste", "measuring layouts", 0.02, HeapUse::Memory, addLayoutPages},
    Part{"Largest objects", "finding why objects are alive", 0.02, HeapUse::Graph, addRetainedPages},
    Part{"Equal strings", "finding equal strings", 0.09, HeapUse::Memory, addStringPages},
    Part{"Completeness", "listing findings", 0.01, HeapUse::Any, addFindingPages},
};

}  // namespace

std::string summaryLine(const Snapshot& snapshot) {
  const RuntimeSummary& runtime = snapshot.summary().runtime;
  std::string line = snapshot.isRecorded()
                         ? std::string("graph of a .NET heap")
                         : fmt::format(".NET {}, {}", runtime.version, runtime.isServerGc ? "server" : "workstation");
  if (!snapshot.has(Stage::Objects)) return line;
  const ObjectTotals totals = snapshot.totals();
  return line + fmt::format(", {} in {}", readableBytes(totals.bytes - totals.freeBytes),
                            countOf(totals.objects - totals.freeObjects, "object"));
}

Outcome<ReviewBoard> reportOf(const Snapshot& snapshot, const DumpReportOptions& options, ProgressSink* progress,
                              std::stop_token stop) {
  const std::string dump = std::filesystem::path(snapshot.summary().dump.path).filename().string();
  ReviewBoard board{.title = options.title.empty() ? "Memory of " + dump : options.title,
                    .dump = dump,
                    .summary = summaryLine(snapshot),
                    .pages = {}};
  if (!hasHeap(snapshot)) board.pages.push_back({.title = "No heap", .remark = noHeapIn(snapshot).message()});
  double from = 0;
  for (const Part& part : kParts) {
    if (lackOf(snapshot, part.heap)) continue;
    PartOfProgress told(progress, from, from + part.weight, part.activity);
    told.progressed({});
    const Outcome<void> added = part.add({snapshot, options, &told, stop}, board.pages);
    if (stop.stop_requested() || (!added && added.error().isCancelled())) {
      return tl::unexpected(Unfinished::cancelled());
    }
    if (!added) board.pages.push_back({.title = part.title, .remark = added.error().error().message()});
    from += part.weight;
  }
  return options.isRedacted ? redacted(std::move(board)) : board;
}

}  // namespace heapscape::engine
