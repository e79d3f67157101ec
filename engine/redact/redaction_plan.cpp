// SPDX-License-Identifier: MIT
#include "redact/redaction_plan.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "redact/image_parts.h"
#include "redact/native_words.h"
#include "redact/unlisted_statics.h"
#include "runtime/gc/gc_state.h"
#include "runtime/methods/code_range.h"
#include "runtime/modules/loader_allocators.h"
#include "runtime/modules/noted_images.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/objects/object_query.h"
#include "session/process/process_mappings.h"
#include "session/process/process_memory.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "stacks/exception_handling.h"
#include "stacks/frames/protected_references.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kBehindCode = 2048;  // unwind information and, of dynamic methods, the code's header
constexpr std::uint64_t kCodeStep = 32;      // as finely as the runtime's map tells where methods begin
constexpr std::uint64_t kGcInfoBytes = 4096;
constexpr std::uint64_t kArenaHeadBytes = 32;     // heap_info (malloc/arena.c in glibc)
constexpr std::uint64_t kFrameBytes = 512;        // of a frame of the runtime and what it has beside it
constexpr std::uint64_t kGcFrameBytes = 64;       // of what the runtime's own code protects
constexpr std::uint64_t kTrackerBytes = 4096;     // of an exception on its way
constexpr std::uint64_t kCodeAtFault = 16;        // the longest instruction
constexpr std::uint64_t kThreadDataBytes = 4096;  // of the C library, around the thread pointer

/// Parts of ranges that lie in none of `others`.
std::vector<AddressRange> without(const std::vector<AddressRange>& ranges, std::vector<AddressRange> others) {
  const MappedAddresses joined(std::move(others));
  std::vector<AddressRange> rest;
  for (const AddressRange& range : ranges) {
    Address at = range.start;
    const auto first =
        std::ranges::upper_bound(joined.ranges(), at, {}, [](const AddressRange& one) { return one.end; });
    for (auto other = first; other != joined.ranges().end() && other->start < range.end; ++other) {
      if (other->start > at) rest.push_back({at, other->start});
      at = other->end;
    }
    if (at < range.end) rest.push_back({at, range.end});
  }
  return rest;
}

const Metadata* classLibraryOf(const Modules& modules) {
  for (const Module* module : modules.all())
    if (module->name == "System.Private.CoreLib.dll") return module->metadata.get();
  return nullptr;
}

}  // namespace

RedactionPlan::RedactionPlan(const Snapshot& snapshot, const RedactOptions& options)
    : m_snapshot(snapshot),
      m_options(options),
      m_names(options.renamedNamespaces, classLibraryOf(snapshot.contents().readers->modules)) {}

Outcome<std::unique_ptr<const RedactionPlan>> RedactionPlan::of(const Snapshot& snapshot, const RedactOptions& options,
                                                                std::stop_token stop) {
  if (!snapshot.hasAssemblies()) {
    return tl::unexpected<Unfinished>(
        Error{ErrorCode::UnsupportedRuntime,
              "This is a dump of a Native AOT program, of which no copy without contents can be made: what has to stay "
              "lies among the program's own variables.",
              "Keep the dump where its contents may be."});
  }
  std::unique_ptr<RedactionPlan> plan(new RedactionPlan(snapshot, options));
  HEAPSCAPE_CHECK(plan->make(stop));
  return std::unique_ptr<const RedactionPlan>(std::move(plan));
}

Outcome<void> RedactionPlan::make(std::stop_token stop) {
  findMappings();
  if (m_snapshot.contents().heap) m_objects = std::make_unique<const RedactedObjects>(m_snapshot, m_options, m_mapped);
  if (isMini())
    for (const AddressRange& range : unlistedStatics(m_snapshot, m_mapped))
      m_plan.keep(range, KeepRule::Addresses, KeptKind::NativeStructures);
  keepHeap();
  HEAPSCAPE_CHECK(keepImages(m_snapshot, m_options, m_names, m_plan));
  keepLibraries(m_snapshot, m_plan);
  keepCode();
  keepLoaderHeaps();
  HEAPSCAPE_CHECK(keepStacks(stop));
  HEAPSCAPE_CHECK(keepNative(stop));
  HEAPSCAPE_CHECK(blankStatics(stop));
  m_plan.finish();
  keepTexts();
  m_plan.finish();
  findPages();
  return {};
}

void RedactionPlan::findMappings() {
  const Contents& contents = m_snapshot.contents();
  std::vector<AddressRange> ranges;
  // An end is an address, too.
  for (const LoadSegment& load : contents.core->loads) ranges.push_back({load.range.start, load.range.end + 1});
  for (const MappedFile& file : contents.core->files) ranges.push_back({file.range.start, file.range.end + 1});
  m_mapped = MappedAddresses(ranges);
  std::vector<AddressRange> heap;
  for (const Segment& segment : m_snapshot.segments())
    heap.push_back({segment.objects.start, std::max(segment.objects.end, segment.committedEnd)});
  m_outsideHeap = MappedAddresses(without(m_mapped.ranges(), std::move(heap)));
}

// Of a mini dump's objects nothing tells where they begin, but strings show themselves.
void RedactionPlan::hideStrings(AddressRange range) {
  constexpr std::uint32_t kMostCharacters = 1 << 20;
  constexpr std::uint64_t kCharactersOffset = 12;
  const Contents& contents = m_snapshot.contents();
  const auto stringType = contents.readers->runtime.globalPointer("StringMethodTable");
  if (!stringType || !*stringType) return;
  for (const AddressRange& part : contents.memory->present(range)) {
    for (Address at{alignUp(part.start.value, kPointerBytes)}; at + kPointerBytes <= part.end; at += kPointerBytes) {
      Address type;
      std::uint32_t characters = 0;
      if (!contents.memory->tryRead(at, type) || type != *stringType ||
          !contents.memory->tryRead(at + kPointerBytes, characters) || characters > kMostCharacters)
        continue;
      const std::u16string hidden(characters, u'*');
      const Bytes bytes = std::as_bytes(std::span(hidden));
      m_plan.replace(at + kCharactersOffset, {bytes.begin(), bytes.end()});
    }
  }
}

bool RedactionPlan::isMini() const {
  const DumpKind kind = m_snapshot.summary().dump.kind;
  return kind == DumpKind::Mini || kind == DumpKind::Triage || !m_snapshot.contents().heap;
}

void RedactionPlan::keepHeap() {
  const Contents& contents = m_snapshot.contents();
  const std::uint64_t pageBytes = contents.core->pageBytes();
  for (const Segment& segment : m_snapshot.segments()) {
    m_plan.keep(segment.objects, isMini() ? KeepRule::Structure : KeepRule::Objects, KeptKind::Objects);
    // The header of its first object.
    if (segment.objects.start && !isMini())
      m_plan.keep({segment.objects.start - kObjectHeaderBytes, segment.objects.start}, KeepRule::Bytes,
                  KeptKind::Objects);
    if (segment.address)
      m_heapRanges.push_back({segment.objects.start, std::max(segment.committedEnd, segment.reservedEnd)});
    // A segment begins with its own description.
    const Address start = segment.objects.start;
    if (start && segment.address && segment.kind != SegmentKind::Frozen)
      m_plan.keep({{(start.value - 1) / pageBytes * pageBytes}, start}, KeepRule::Structure, KeptKind::GcTables);
  }
  FindingList findings;
  const GcBookkeeping gc =
      readGcBookkeeping(contents.readers->runtime, contents.gc && contents.gc->hasRegions, findings);
  // What the GC keeps for later holds what was there before.
  m_heapRanges.push_back(gc.regions);
  for (const AddressRange& range : gc.handleSegments) m_plan.keep(range, KeepRule::Bytes, KeptKind::HandleTables);
  for (const AddressRange& range : gc.tables) m_plan.keep(range, KeepRule::Variables, KeptKind::GcTables);
  m_plan.keep({kCreatedumpPage, kCreatedumpPage + pageBytes}, KeepRule::Bytes, KeptKind::Kernel);
}

void RedactionPlan::keepCode() {
  const Contents& contents = m_snapshot.contents();
  const ClrRuntime& runtime = contents.readers->runtime;
  const CodeLookup& lookup = contents.readers->code;
  for (const CodeRange& code : allCodeRanges(runtime)) {
    if (!code.heap) continue;
    const AddressRange whole{code.range.start, {alignUp(code.range.end.value, contents.core->pageBytes())}};
    // The map of where methods begin: four bits for 32 bytes of code.
    if (const auto map = runtime.pointerAt(code.heap, "CodeHeapListNode", "HeaderMap"))
      m_codeMaps.push_back({*map, *map + alignUp(whole.sizeBytes() / (2 * kCodeStep) + kPointerBytes, kPointerBytes)});
    Address next = whole.end;
    // Whatever a damaged dump says of the range, only the memory that it holds is gone through.
    std::vector<AddressRange> parts = contents.memory->present(whole);
    for (Address at = whole.end; !parts.empty();) {
      at = std::min(at, parts.back().end);
      if (at <= parts.back().start) {
        parts.pop_back();
        continue;
      }
      const Address start = findCodeStart(runtime, code.heap, at - 1);
      if (!start || start < whole.start || start >= next) {  // not inside a method
        at = at - std::min(at - parts.back().start, kCodeStep);
        continue;
      }
      const auto location = lookup.find(start);
      const std::uint64_t size = location ? lookup.codeBytes(*location) : 0;
      // In front of code stands where it is described, behind it what it unwinds by.
      m_plan.keep({start - kPointerBytes, start}, KeepRule::Bytes, KeptKind::CodeMaps);
      if (size) {
        const Address end = std::min(next, start + size);
        m_plan.keep({end, std::min(next - kPointerBytes, end + kBehindCode)}, KeepRule::Bytes, KeptKind::CodeMaps);
        m_plan.keep({start, end}, KeepRule::Zeros, KeptKind::CodeMaps);
      }
      if (location) keepSignature(location->methodDesc);
      if (location && location->gcInfo) m_codeMaps.push_back({location->gcInfo, location->gcInfo + kGcInfoBytes});
      next = start;
      at = start;
    }
    m_plan.keep({whole.start, std::min(next, whole.start + kPageBytes)}, KeepRule::Structure, KeptKind::CodeMaps);
    // A mini dump tells of few methods where their code ends, or that it is there; what is left of a range is code.
    if (isMini()) m_plan.keep(whole, KeepRule::Zeros, KeptKind::CodeMaps);
  }
  for (const CoreThread& thread : contents.core->threads)
    if (thread.signal)
      m_plan.keep({thread.instructionPointer(), thread.instructionPointer() + kCodeAtFault}, KeepRule::Bytes,
                  KeptKind::CodeMaps);
}

// A method without metadata has its name and signature in memory.
void RedactionPlan::keepSignature(Address methodDesc) {
  constexpr std::uint32_t kMostBytes = 4096;
  const RuntimeReaders& readers = *m_snapshot.contents().readers;
  const auto method = readers.methods.read(methodDesc);
  if (!method || method->classification != MethodClassification::Dynamic) return;
  const auto signature = readers.runtime.pointerAt(methodDesc, "StoredSigMethodDesc", "Sig");
  const auto size = readers.runtime.valueAt<std::uint32_t>(methodDesc, "StoredSigMethodDesc", "cSig");
  if (signature && size) m_codeMaps.push_back({*signature, *signature + std::min(*size, kMostBytes)});
  const auto name = readers.runtime.pointerAt(methodDesc, "DynamicMethodDesc", "MethodName");
  const auto text = name ? readers.runtime.memory().readText(*name, kMostBytes) : Result<std::string>();
  if (name && text) m_codeMaps.push_back({*name, *name + text->size()});
}

void RedactionPlan::keepSyncBlocks() {
  const ClrRuntime& runtime = m_snapshot.contents().readers->runtime;
  const std::uint64_t size = runtime.contract().sizeOf("SyncBlock");
  FindingList findings;
  for (const SyncBlock& block : readSyncBlocks(runtime, findings))
    m_plan.keep({block.address, block.address + size}, KeepRule::Bytes, KeptKind::NativeStructures);
}

void RedactionPlan::keepLoaderHeaps() {
  const Contents& contents = m_snapshot.contents();
  std::set<Address> seen;
  FindingList findings;
  for (const Module* module : contents.readers->modules.all()) {
    if (!module->loaderAllocator || !seen.insert(module->loaderAllocator).second) continue;
    for (const LoaderHeapBlock& block : readLoaderHeaps(contents.readers->runtime, module->loaderAllocator, findings))
      m_plan.keep(block.range, KeepRule::Bytes, KeptKind::LoaderHeaps);
  }
}

Outcome<void> RedactionPlan::keepStacks(std::stop_token stop) {
  const Contents& contents = m_snapshot.contents();
  HEAPSCAPE_TRY(const auto stacks, keptStacks(m_snapshot, stop));
  for (const ThreadStackRow& thread : stacks->threads) {
    for (const StackRootRow& root : thread.roots) {
      if (root.slot)
        m_rootSlots.push_back(root.slot);
      else
        m_rootRegisters[thread.osId].insert(root.value.value);
    }
    const ClrRuntime& runtime = contents.readers->runtime;
    // Its limits may lie where nothing is mapped yet.
    for (const char* limit : {"CacheStackBase", "CacheStackLimit"})
      m_stackLimits.push_back(runtime.member(thread.thread, "Thread", limit));
    // What it blocks on, as it notes for debuggers on its own stack.
    const auto note = notesWaiters(runtime)
                          ? runtime.pointerAt(thread.thread, "Thread", "DebugBlockingInfo").value_or(Address{})
                          : Address{};
    if (note) {
      const std::uint64_t bytes = runtime.contract().offset("DebugBlockingItem", "Next") + kPointerBytes;
      m_plan.keep({note, note + bytes}, KeepRule::Structure, KeptKind::Stacks);
    }
    for (const FrameRow& frame : thread.frames)
      if (frame.kind == FrameKind::Runtime)
        m_plan.keep({frame.stackPointer, frame.stackPointer + kFrameBytes}, KeepRule::Structure, KeptKind::Stacks);
    for (const ProtectedGroup& group : protectedGroups(contents.readers->runtime, thread.thread, thread.limits))
      m_plan.keep({group.frame, group.frame + kGcFrameBytes}, KeepRule::Structure, KeptKind::Stacks);
    for (const ExceptionOnItsWay& exception : exceptionsOf(contents.readers->runtime, thread.thread))
      m_plan.keep({exception.tracker, exception.tracker + kTrackerBytes}, KeepRule::Structure, KeptKind::Stacks);
  }
  // Where the references of a frame are not known, words stand in for them.
  if (contents.heap) {
    HEAPSCAPE_TRY(const RootList roots, listRoots(m_snapshot, {}, stop));
    for (const RootRow& root : roots.roots) {
      if (root.kind != RootKind::Stack || root.isExact) continue;
      if (root.address)
        m_rootSlots.push_back(root.address);
      else
        m_registerObjects.insert(root.object);
    }
  }
  std::ranges::sort(m_rootSlots);
  std::ranges::sort(m_stackLimits);
  const ProcessMappings mappings = mappingsOf(*contents.core, m_snapshot.summary().dump.kind);
  for (const ThreadStack& stack : stacksOf(*contents.core, mappings.mappings)) {
    for (const CoreThread& thread : contents.core->threads) {
      if (thread.osId != stack.osId) continue;
      const Address data = thread.threadPointer();
      if (stack.range.contains(data) && data > thread.stackPointer())
        m_plan.keep({std::max(stack.range.start, data - kThreadDataBytes), stack.range.end}, KeepRule::Structure,
                    KeptKind::NativeStructures);
      m_plan.keep({thread.stackPointer(), stack.range.end}, KeepRule::Stack, KeptKind::Stacks);
    }
  }
  // That of a thread which handles a signal on another stack.
  for (const ThreadStackRow& thread : stacks->threads) {
    if (!thread.core || thread.limits.contains(thread.core->stackPointer()) || thread.frames.empty()) continue;
    Address lowest = thread.limits.end;
    for (const FrameRow& frame : thread.frames)
      if (thread.limits.contains(frame.stackPointer)) lowest = std::min(lowest, frame.stackPointer);
    m_plan.keep({lowest, thread.limits.end}, KeepRule::Stack, KeptKind::Stacks);
  }
  return {};
}

Outcome<void> RedactionPlan::keepNative(std::stop_token stop) {
  const Contents& contents = m_snapshot.contents();
  const ProcessMappings mappings = mappingsOf(*contents.core, m_snapshot.summary().dump.kind);
  MemoryPlan claimed = m_plan;
  claimed.finish();
  std::vector<AddressRange> native;
  for (const NativePart& part : nativePartsOf(*contents.core, *contents.memory, mappings.mappings)) {
    if (part.isOfKernel) {
      if (part.name == "[vdso]") m_plan.keep(part.range, KeepRule::Bytes, KeptKind::Kernel);
      continue;
    }
    native.push_back(part.range);
    // By its head an arena is known, whether or not anything in it stays.
    if (part.name == "malloc arenas")
      m_plan.keep({part.range.start, part.range.start + kArenaHeadBytes}, KeepRule::Structure,
                  KeptKind::NativeStructures);
  }
  // musl hands out what is left over of its own and other libraries' pages.
  for (const AddressRange& variables : libraryVariables(m_snapshot)) native.push_back(variables);
  std::ranges::sort(native, {}, [](const AddressRange& range) { return range.start; });
  std::vector<AddressRange> taken;
  for (const KeptRange& kept : claimed.kept())  // metadata of modules made at run time lies among what is handed out
    if (kept.kind != KeptKind::Metadata) taken.push_back(kept.range);
  std::vector<AddressRange> present;
  for (const AddressRange& range : native)
    for (const AddressRange& part : contents.memory->present(range)) present.push_back(part);
  native = without(present, std::move(taken));
  const std::vector<ThreadStack> stacks = stacksOf(*contents.core, mappings.mappings);
  std::erase_if(native, [&](const AddressRange& range) {
    return std::ranges::any_of(stacks, [&](const ThreadStack& stack) { return stack.range.contains(range.start); });
  });
  if (isMini()) {
    for (const AddressRange& range : m_heapRanges) hideStrings(range);
    // A mini dump has but what a reader of stacks needs, and its lists of the loader's memory are cut: all of that
    // stays that is no text. Objects, as exceptions are, stay as structures do.
    for (const AddressRange& range : m_heapRanges) m_plan.keep(range, KeepRule::Structure, KeptKind::Objects);
    for (const AddressRange& range : native) m_plan.keep(range, KeepRule::Variables, KeptKind::NativeStructures);
    return {};
  }
  native = without(native, m_heapRanges);
  keepSyncBlocks();
  if (contents.core->redaction) {
    for (const AddressRange& map : m_codeMaps) m_plan.keep(map, KeepRule::Bytes, KeptKind::CodeMaps);
    // A copy has of native memory only what was reached, and no more tells where pieces of it end.
    const KeepRule rule = contents.core->hasContents() ? KeepRule::Structure : KeepRule::Variables;
    for (const AddressRange& range : native) m_plan.keep(range, rule, KeptKind::NativeStructures);
    return {};
  }
  NativeReach reach(*contents.memory, std::move(native), m_snapshot.summary().runtime.cLibrary != CLibrary::Musl);
  // How long GC info is nothing tells beforehand; where it was handed out, not what lies behind.
  for (AddressRange map : m_codeMaps) {
    if (const AddressRange piece = reach.pieceAt(map.start); !piece.isEmpty()) map.end = std::min(map.end, piece.end);
    m_plan.keep(map, KeepRule::Bytes, KeptKind::CodeMaps);
  }
  for (const AddressRange& variables : runtimeVariables(m_snapshot)) reach.follow(variables);
  for (const KeptRange& kept : claimed.kept())
    if (kept.kind != KeptKind::Objects && kept.kind != KeptKind::Metadata && kept.kind != KeptKind::Libraries &&
        kept.rule != KeepRule::Stack)
      reach.follow(kept.range);
  HEAPSCAPE_TRY(const std::vector<AddressRange> reached, reach.reached(stop));
  // What the runtime noted of the metadata of each image, by which a file on disk is known to be the same.
  for (const NotedImage& image : notedImages(contents.readers->runtime))
    if (const auto noted = contents.readers->runtime.pointerAt(image.assembly, "PEAssembly", "MDImport"))
      m_plan.keep(reach.pieceAt(*noted), KeepRule::Variables, KeptKind::NativeStructures);
  // Heaps of a server GC have what are variables of a workstation GC.
  if (const auto variables = GcVariables::of(contents.readers->runtime);
      variables && contents.gc && contents.gc->isServer)
    for (std::uint32_t heap = 0; heap < contents.gc->heapsCreated; ++heap)
      if (const auto address = variables->heapAt(heap))
        m_plan.keep(reach.pieceAt(*address), KeepRule::Variables, KeptKind::GcTables);
  for (const AddressRange& range : reached) m_plan.keep(range, KeepRule::Structure, KeptKind::NativeStructures);
  return {};
}

Outcome<void> RedactionPlan::blankStatics(std::stop_token stop) {
  HEAPSCAPE_TRY(const StaticList statics, listStatics(m_snapshot, {}, stop));
  for (const StaticRow& row : statics.statics) {
    if (!row.address || row.isBoxed || row.value.value.kind == ValueKind::Reference ||
        row.value.value.kind == ValueKind::Null)
      continue;
    // As in objects, an address stays.
    std::uint64_t word = 0;
    const bool isAddress = row.value.value.kind == ValueKind::Pointer &&
                           m_snapshot.contents().memory->tryRead(row.address, word) && m_mapped.contains(word);
    const bool stays = isAddress || (m_options.keepsBooleans && row.value.value.kind == ValueKind::Boolean) ||
                       (m_options.keepsEnums && row.value.value.kind == ValueKind::Enum);
    if (!stays) m_plan.blank({row.address, row.address + row.value.sizeBytes});
  }
  return {};
}

void RedactionPlan::keepTexts() {
  const Contents& contents = m_snapshot.contents();
  KeptTexts texts, changed;
  const auto add = [&](const std::string& text) {
    if (text.empty()) return;
    const std::string hidden = m_names.path(withoutHome(text));
    texts.add(text, hidden);
    if (hidden != text) changed.add(text, hidden);
  };
  for (const MappedFile& file : contents.core->files) {
    add(file.path);
    m_hiddenPaths.emplace(file.path, m_names.path(withoutHome(file.path)));
  }
  for (const Module* module : contents.readers->modules.all()) {
    add(module->path);
    add(module->name);
    // An assembly's simple name is its file's, less the ending.
    if (const std::size_t dot = module->name.rfind('.'); dot != std::string::npos) add(module->name.substr(0, dot));
    if (module->metadata)
      if (const auto assembly = module->metadata->assembly()) add(std::string(assembly->name));
  }
  for (const NotedImage& image : notedImages(contents.readers->runtime)) add(image.path);
  std::vector<KeptTexts::Found> found;
  for (const KeptRange& kept : m_plan.kept())
    if (kept.rule == KeepRule::Structure || kept.rule == KeepRule::Variables)
      texts.findIn(*contents.memory, kept.range, found);
  // What stands before a text in its first word would be taken for a part of it in the copy.
  for (const KeptTexts::Found& text : found)
    m_plan.blank({{text.address.value / kPointerBytes * kPointerBytes}, text.address});
  // Loader heaps stay as they are, but for such texts: each thing in them begins at a whole word.
  std::vector<KeptTexts::Found> inLoaderHeaps;
  for (const KeptRange& kept : m_plan.kept())
    if (kept.kind == KeptKind::LoaderHeaps) changed.findIn(*contents.memory, kept.range, inLoaderHeaps);
  for (KeptTexts::Found& text : inLoaderHeaps) {
    if (text.address.value % kPointerBytes) continue;
    while (text.bytes.back() == std::byte{0}) text.bytes.pop_back();
    found.push_back(std::move(text));
  }
  for (KeptTexts::Found& text : found) m_plan.replace(text.address, std::move(text.bytes));
}

void RedactionPlan::findPages() {
  const Contents& contents = m_snapshot.contents();
  std::vector<AddressRange> pages;
  const auto add = [&](AddressRange range) {
    if (!pages.empty() && range.start <= pages.back().end)
      pages.back().end = std::max(pages.back().end, range.end);
    else
      pages.push_back(range);
  };
  std::vector<std::byte> buffer(kPageBytes);
  for (const KeptRange& kept : m_plan.kept()) {
    const AddressRange rounded{{kept.range.start.value / kPageBytes * kPageBytes},
                               {alignUp(kept.range.end.value, kPageBytes)}};
    for (const AddressRange& part : contents.memory->present(rounded)) {
      const AddressRange whole{{part.start.value / kPageBytes * kPageBytes}, {alignUp(part.end.value, kPageBytes)}};
      if (kept.rule != KeepRule::Stack) {
        add(whole);
        continue;
      }
      // Of a stack only the pages that something is left on, and that where it begins.
      if (part.contains(kept.range.start)) add({whole.start, whole.start + kPageBytes});
      for (Address page = whole.start; page < whole.end; page += kPageBytes) {
        std::ranges::fill(buffer, std::byte{0});
        copyKept(kept, {page, page + kPageBytes}, buffer);
        if (!areZero(buffer)) add({page, page + kPageBytes});
      }
    }
  }
  m_pages = std::move(pages);
}

std::string RedactionPlan::hiddenPath(const std::string& path) const {
  const auto hidden = m_hiddenPaths.find(path);
  return hidden == m_hiddenPaths.end() ? std::string(path.size(), '_') : hidden->second;
}

bool RedactionPlan::staysOnStack(Address slot, std::uint64_t word) const {
  return m_outsideHeap.contains(word) || std::ranges::binary_search(m_rootSlots, slot);
}

bool RedactionPlan::keepsRegister(std::uint32_t osThread, std::uint64_t value) const {
  if (m_outsideHeap.contains(value)) return true;
  const auto roots = m_rootRegisters.find(osThread);
  if (roots != m_rootRegisters.end() && roots->second.contains(value)) return true;
  const auto object = m_registerObjects.empty() ? std::nullopt : objectAt(m_snapshot, {value});
  return object && m_registerObjects.contains(object->address);
}

void RedactionPlan::copyWords(const KeptRange& kept, AddressRange part, std::byte* target) const {
  const Contents& contents = m_snapshot.contents();
  for (Address at{alignUp(part.start.value, kPointerBytes)}; at + kPointerBytes <= part.end;) {
    const Bytes bytes = contents.memory->prefix(at, part.end - at);
    if (bytes.size() < kPointerBytes) return;
    const std::size_t words = bytes.size() / kPointerBytes;
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i * kPointerBytes, sizeof word);
      if (word == 0) continue;
      const Address slot = at + i * kPointerBytes;
      bool stays = false;
      switch (kept.rule) {
        case KeepRule::Stack:
          stays = staysOnStack(slot, word);
          break;
        case KeepRule::Addresses:
          stays = m_mapped.contains(word);
          break;
        case KeepRule::Variables:
          stays = isAddress(word, m_mapped) || !isInText(bytes, i * kPointerBytes, m_mapped);
          break;
        default:
          stays = isAddress(word, m_mapped) || std::ranges::binary_search(m_stackLimits, slot) ||
                  std::ranges::binary_search(m_rootSlots, slot);  // of an object that a mini dump does not hold
          if (!stays && kept.kind == KeptKind::Objects)
            word = plainHalvesOf(word) | failureCodesOf(word);
          else if (!stays)
            word = plainNumbersOf(word);
          stays = word != 0;
          break;
      }
      if (stays) std::memcpy(target + (slot - part.start), &word, sizeof word);
    }
    at += words * kPointerBytes;
  }
}

void RedactionPlan::copyKept(const KeptRange& kept, AddressRange range, std::span<std::byte> target) const {
  const Contents& contents = m_snapshot.contents();
  const AddressRange part{std::max(range.start, kept.range.start), std::min(range.end, kept.range.end)};
  if (part.isEmpty() || kept.rule == KeepRule::Zeros) return;
  if (kept.rule == KeepRule::Objects && !m_options.isSlim) {
    // Of objects that could not be walked nothing is known, and so nothing stays.
    if (m_objects) m_objects->fill(part, target.subspan(part.start - range.start, part.sizeBytes()));
    return;
  }
  for (const AddressRange& present : contents.memory->present(part)) {
    std::byte* to = target.data() + (present.start - range.start);
    if (kept.rule == KeepRule::Bytes || m_options.isSlim)
      contents.memory->tryRead(present.start, std::span(to, present.sizeBytes()));
    else
      copyWords(kept, present, to);
  }
}

void RedactionPlan::fill(AddressRange range, std::span<std::byte> target, KindCounts& kept) const {
  std::ranges::fill(target, std::byte{0});
  for (const KeptRange& one : m_plan.keptIn(range)) copyKept(one, range, target);
  if (!m_options.isSlim) {
    for (const AddressRange& blank : m_plan.blanksIn(range)) {
      const Address start = std::max(blank.start, range.start);
      const Address end = std::min(blank.end, range.end);
      std::memset(target.data() + (start - range.start), 0, end - start);
    }
    for (const ReplacedBytes& one : m_plan.replacedIn(range)) {
      const Address start = std::max(one.address, range.start);
      const Address end = std::min(one.address + one.bytes.size(), range.end);
      std::memcpy(target.data() + (start - range.start), one.bytes.data() + (start - one.address), end - start);
    }
  }
  for (const KeptRange& one : m_plan.keptIn(range)) {
    const Address start = std::max(one.range.start, range.start);
    const Address end = std::min(one.range.end, range.end);
    const auto bytes = std::span(target).subspan(start - range.start, end - start);
    kept[static_cast<std::size_t>(one.kind)] +=
        static_cast<std::uint64_t>(bytes.size() - static_cast<std::size_t>(std::ranges::count(bytes, std::byte{0})));
  }
}

}  // namespace heapscape::engine
