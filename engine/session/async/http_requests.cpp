// SPDX-License-Identifier: MIT
#include "session/async/http_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/progress.h"
#include "runtime/managed_objects.h"
#include "session/async/async_query.h"
#include "session/async/async_types.h"
#include "session/async/suspended_methods.h"
#include "session/async/thread_pool_query.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kRequest = "System.Net.Http.HttpRequestMessage";
constexpr std::string_view kResponse = "System.Net.Http.HttpResponseMessage";
constexpr std::string_view kClientHttp1 = "System.Net.Http.HttpConnection";
constexpr std::string_view kReadsHttp1[] = {"System.Net.Http.HttpConnection+ContentLengthReadStream",
                                            "System.Net.Http.HttpConnection+ChunkedEncodingReadStream",
                                            "System.Net.Http.HttpConnection+ConnectionCloseReadStream",
                                            "System.Net.Http.HttpConnection+RawConnectionStream"};
constexpr std::string_view kClientHttp2 = "System.Net.Http.Http2Connection+Http2Stream";
constexpr std::string_view kKestrel = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.";
constexpr std::string_view kServerHttp1 = "Http.Http1Connection";
constexpr std::string_view kServerHttp2 = "Http2.Http2Stream";
constexpr std::string_view kServerHttp3 = "Http3.Http3Stream";
constexpr std::string_view kStreamId = "<StreamId>k__BackingField";
constexpr std::string_view kCancellation = "System.Threading.CancellationTokenSource";
constexpr std::string_view kLinkedCancellation = "System.Threading.CancellationTokenSource+Linked";
constexpr std::string_view kHostContext =
    "<Microsoft.AspNetCore.Hosting.Server.Abstractions.IHostContextContainer<TContext>.HostContext>k__BackingField";
constexpr std::string_view kClientImage = "System.Net.Http.dll";
constexpr std::size_t kTextUnits = 10'000;
constexpr std::int64_t kTicksPerMillisecond = 1'000'000;  // Stopwatch.Frequency is a thousand million on Linux

// RequestProcessingStatus of HttpProtocol, StreamCompletionFlags of Kestrel's Http2Stream, ResponseProtocolState and
// StreamCompletionState of HttpClient's.
constexpr std::int32_t kAppStarted = 3;
constexpr std::int32_t kHeadersCommitted = 4;
constexpr std::int32_t kHeadersFlushed = 5;
constexpr std::int32_t kProcessingEnded = 1;
constexpr std::int32_t kInProgress = 0;
constexpr std::int32_t kStateEnded = 0;  // states of async methods that can go on are not negative

/// A name without type arguments and the namespace of Kestrel; empty if it is none of Kestrel's.
std::string_view kestrelName(std::string_view type) {
  if (!type.starts_with(kKestrel)) return {};
  return type.substr(kKestrel.size(), type.find('<') - kKestrel.size());
}

bool isServerType(std::string_view type) {
  const std::string_view name = kestrelName(type);
  return name == kServerHttp1 || name == kServerHttp2 || name == kServerHttp3;
}

/// Splits an address like "https://example.test:8080/a?b".
void splitUri(std::string_view uri, HttpRequestRow& row) {
  const std::size_t scheme = uri.find("://");
  if (scheme != std::string_view::npos) {
    row.scheme = uri.substr(0, scheme);
    uri.remove_prefix(scheme + 3);
    const std::size_t host = std::min(uri.find_first_of("/?#"), uri.size());
    std::string_view authority = uri.substr(0, host);
    if (const std::size_t user = authority.rfind('@'); user != std::string_view::npos)
      authority.remove_prefix(user + 1);
    row.host = authority;
    uri.remove_prefix(host);
  }
  uri = uri.substr(0, uri.find('#'));
  const std::size_t query = std::min(uri.find('?'), uri.size());
  row.path = uri.substr(0, query);
  row.query = uri.substr(query);
  if (row.path.empty()) row.path = "/";
}

/// Reads both sides from objects whose fields are found by their names.
class HttpReader {
 public:
  HttpReader(const Snapshot& snapshot, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_readers(*m_contents.readers),
        m_stop(std::move(stop)),
        m_types(m_contents),
        m_sources(m_types.sources()),
        m_methods(m_contents),
        m_continuations(m_readers.runtime) {}

  Outcome<HttpRequestList> read() {
    const auto objects = findObjects();
    if (!objects) return tl::unexpected(Unfinished::cancelled());
    if (objects->empty()) return std::move(m_list);
    std::size_t steps = 0;
    for (const TypedObject& each : *objects) {
      if (++steps % kHeavyStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      look(each);
    }
    for (const Address request : m_requests) addClient(request);
    if (m_list.requests.empty()) return std::move(m_list);
    HEAPSCAPE_CHECK(joinChains());
    HEAPSCAPE_CHECK(joinThreads());
    HEAPSCAPE_CHECK(joinTimers());
    joinStarts();
    std::ranges::stable_sort(m_list.requests, {},
                             [](const HttpRequestRow& row) { return std::tuple(row.side, row.state, row.object); });
    return std::move(m_list);
  }

 private:
  /// Where a request of a client is.
  struct Place {
    Address connection;
    std::optional<std::uint32_t> stream;
    bool hasHeaders = false;
  };
  /// An async method that has a request, or Kestrel's object for one, among its parameters.
  struct Call {
    Address box;
    std::string_view method;
    std::string_view image = {};  // where no more is known of the method
  };
  /// Where a state machine keeps these, from its fields on.
  struct CallFields {
    std::uint32_t subject = 0;
    std::optional<std::uint32_t> timeout;  // a CancellationTokenSource
  };

  std::optional<std::vector<TypedObject>> findObjects() {
    const std::vector<TypeRow>& types = *m_contents.types;
    std::vector<std::uint8_t> isWanted(types.size());
    bool isAny = false;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const std::string& name = types[i].name;
      isWanted[i] = name == kRequest || name == kResponse || name == kClientHttp1 || name == kClientHttp2 ||
                    isServerType(name) || std::ranges::count(kReadsHttp1, name);
      isAny |= isWanted[i] != 0;
    }
    if (!isAny) return std::vector<TypedObject>{};
    for (std::size_t i = 0; i < types.size(); ++i) {
      const TypeId type{static_cast<std::uint32_t>(i)};
      if (isAsyncBoxName(types[i].name) && isOfHttp(type)) isWanted[i] = 1;
      if (m_types.of(type).role == AsyncType::Role::Suspended) isWanted[i] = 1;
    }
    return objectsOfTypes(m_contents, isWanted, m_stop);
  }

  /// Where state machines in boxes of a type keep a request; nothing if they keep none.
  std::optional<CallFields> callFields(TypeId type) {
    const auto [known, isNew] = m_callFields.try_emplace(type.value);
    if (!isNew) return known->second;
    const AsyncType& box = m_types.of(type);
    const TypeShape* machine = box.role == AsyncType::Role::Box ? m_sources.shapes.find(box.machineType) : nullptr;
    if (!machine) return std::nullopt;
    std::optional<std::uint32_t> subject, timeout;
    for (const FieldShape& field : machine->fields) {
      const bool isRequest = field.name == "request" && field.slot.typeName == kRequest;
      const bool isProtocol = field.name == "<>4__this" && field.slot.typeName.starts_with(kKestrel) &&
                              field.slot.typeName.ends_with("HttpProtocol");
      if (isRequest || isProtocol) subject = field.offset;
      if (field.name == "cts" && field.slot.typeName == kCancellation) timeout = field.offset;
    }
    if (subject) m_callFields[type.value] = CallFields{*subject, timeout};
    return m_callFields[type.value];
  }
  bool isOfHttp(TypeId type) { return callFields(type).has_value(); }

  bool isGarbage(Address object) const {
    const auto retained = m_snapshot.has(Stage::Retained) ? retainedOf(m_snapshot, object) : std::nullopt;
    return retained && !retained->isReachable;
  }

  void look(const TypedObject& each) {
    const std::string& type = m_contents.types->at(each.type.value).name;
    const Address object = m_contents.heap->index.addressOf(each.id);
    if (isGarbage(object)) return;
    if (isAsyncBoxName(type)) {
      lookAtCall(object, each.type);
      return;
    }
    if (m_types.of(each.type).role == AsyncType::Role::Suspended) {
      lookAtSuspended(object, each.type);
      return;
    }
    const auto instance = Instance::at(m_sources, object);
    if (!instance) return;
    if (type == kRequest) {
      m_requests.push_back(object);
    } else if (type == kResponse) {
      const Address request = instance->reference("_requestMessage").value_or(Address{});
      const auto status = instance->number<std::int32_t>("_statusCode");
      if (request && status) m_statuses[request] = static_cast<std::uint32_t>(*status);
    } else if (type == kClientHttp1) {
      const Address request = instance->reference("_currentRequest").value_or(Address{});
      if (request) m_places[request] = {.connection = object, .stream = {}};
    } else if (std::ranges::count(kReadsHttp1, type)) {
      m_answered.insert(instance->reference("_connection").value_or(Address{}));
    } else if (type == kClientHttp2) {
      lookAtStream(*instance);
    } else {
      addServer(*instance);
    }
  }

  void lookAtStream(const Instance& stream) {
    const Address request = stream.reference("_request").value_or(Address{});
    if (!request || stream.number<std::int32_t>("_responseCompletionState").value_or(1) != kInProgress) return;
    Place place{.connection = stream.reference("_connection").value_or(Address{}), .stream = {}};
    const auto id = stream.number<std::int32_t>(kStreamId);
    if (id && *id > 0) place.stream = static_cast<std::uint32_t>(*id);
    place.hasHeaders = stream.number<std::uint8_t>("_responseHeadersReceived").value_or(0) != 0;
    m_places[request] = place;
  }

  void lookAtCall(Address box, TypeId type) {
    const AsyncType& async = m_types.of(type);
    const auto places = callFields(type);
    if (!places) return;
    const AddressSpace& memory = m_readers.runtime.memory();
    Address machine = box + async.machine;
    Address fields = machine;
    std::int32_t state = -1;
    if (async.isReference) {
      if (!memory.tryRead(machine, machine) || !machine) return;
      fields = machine + Instance::kFieldsOffset;
    }
    if (!memory.tryRead(machine + async.state, state) || state < kStateEnded) {
      if (state != -1) return;  // it has ended; what has just begun runs
    }
    Address subject, timeout;
    if (!memory.tryRead(fields + places->subject, subject) || !subject) return;
    m_calls[subject].push_back({box, async.method});
    if (places->timeout && memory.tryRead(fields + *places->timeout, timeout) && timeout) m_timeouts[subject] = timeout;
  }

  // Finds what it keeps by types: names of locals would take files of the framework.
  void lookAtSuspended(Address object, TypeId type) {
    const auto continuation = m_continuations.read(object);
    Address subject, timeout;
    const std::uint64_t end = m_contents.types->at(type.value).baseSize;
    for (std::uint64_t offset = m_continuations.headBytes(); offset + kPointerBytes <= end; offset += kPointerBytes) {
      Address kept;
      if (!m_readers.runtime.memory().tryRead(object + offset, kept) || !kept) continue;
      const auto row = m_contents.heap->index.idOf(kept).isNone() ? std::nullopt : objectAt(m_snapshot, kept);
      if (!row) continue;
      const std::string_view name = m_contents.types->at(row->type.value).name;
      if (name == kRequest || isServerType(name)) subject = kept;
      // Beside the client's own, which never ends, it has one that is linked to that and ends in time.
      if (name.starts_with(kLinkedCancellation)) timeout = kept;
    }
    if (!continuation || !subject) return;
    const SuspendedMethod& suspended = m_methods.of(continuation->resumeInfo);
    const std::string_view method = suspended.name;
    m_calls[subject].push_back({object, method, suspended.image});
    if (timeout && method.starts_with("System.Net.Http.HttpClient.")) m_timeouts[subject] = timeout;
  }

  std::string textOf(Address string) const {
    return string ? readManagedString(m_readers.runtime, string, kTextUnits).value_or("") : std::string();
  }
  std::string textOf(const Instance& instance, std::string_view field) const {
    return textOf(instance.reference(field).value_or(Address{}));
  }

  void addClient(Address address) {
    const auto place = m_places.find(address);
    const auto calls = m_calls.find(address);
    const bool isSending = calls != m_calls.end() && std::ranges::any_of(calls->second, [](const Call& call) {
                             return call.method.starts_with("System.Net.Http.") || call.image == kClientImage;
                           });
    if (place == m_places.end() && !isSending) return;
    const auto request = Instance::at(m_sources, address);
    if (!request) return;
    HttpRequestRow row{.side = HttpSide::Client};
    row.object = address;
    row.typeName = kRequest;
    if (const auto method = request->follow("_method")) row.method = textOf(*method, "_method");
    if (const auto uri = request->follow("_requestUri")) splitUri(textOf(*uri, "_string"), row);
    row.version = versionOf(*request);
    row.state = HttpState::WaitsForConnection;
    if (place != m_places.end()) {
      row.connection = place->second.connection;
      row.stream = place->second.stream;
      // The answer's object may be there before its first line is; what its body is read from is not.
      const bool waits = !place->second.hasHeaders && !m_answered.contains(row.connection);
      row.state = waits ? HttpState::WaitsForHeaders : HttpState::ReadsResponse;
      const auto status = m_statuses.find(address);
      if (!waits && status != m_statuses.end()) row.status = status->second;
    }
    m_list.requests.push_back(std::move(row));
  }

  // Version asked for; a server that knows no better may have been asked in an older one.
  std::string versionOf(const Instance& request) const {
    const auto version = request.follow("_version");
    if (!version) return {};
    const auto major = version->number<std::int32_t>("_Major");
    const auto minor = version->number<std::int32_t>("_Minor");
    if (!major || !minor) return {};
    return *major >= 2 && *minor == 0 ? fmt::format("{}", *major) : fmt::format("{}.{}", *major, *minor);
  }

  void addServer(const Instance& protocol) {
    const std::string_view kind = kestrelName(protocol.shape().name);
    const std::int32_t progress = numberOf(protocol, "_requestProcessingStatus").value_or(0);
    HttpRequestRow row{.side = HttpSide::Server};
    row.method = textOf(protocol, "_methodText");
    if (row.method.empty()) return;
    const auto context = protocol.follow("_context");
    if (kind == kServerHttp1) {
      if (progress < kAppStarted || progress > kHeadersFlushed) return;
      row.version = "1.1";
      if (numberOf(protocol, "_httpVersion").value_or(1) == 0) row.version = "1.0";
    } else {
      // Of a stream that has ended the object is kept for the next one.
      if (numberOf(protocol, "_completionState").value_or(0) & kProcessingEnded) return;
      row.version = kind == kServerHttp2 ? "2" : "3";
      const auto id = context ? context->number<std::int32_t>(kStreamId) : tl::unexpected(context.error());
      if (kind == kServerHttp2 && id && *id > 0) row.stream = static_cast<std::uint32_t>(*id);
    }
    row.object = protocol.object();
    row.typeName = protocol.shape().name;
    row.state = progress >= kHeadersCommitted ? HttpState::Answering : HttpState::Handled;
    row.scheme = textOf(protocol, "<Scheme>k__BackingField");
    row.path = textOf(protocol, "<PathBase>k__BackingField") + textOf(protocol, "<Path>k__BackingField");
    row.query = textOf(protocol, "<QueryString>k__BackingField");
    row.connectionId = textOf(protocol, "<ConnectionIdFeature>k__BackingField");
    if (const auto headers = protocol.follow("<HttpRequestHeaders>k__BackingField")) row.host = hostOf(*headers);
    if (const auto endpoint = protocol.follow("_endpoint"))
      row.endpoint = textOf(*endpoint, "<DisplayName>k__BackingField");
    noteStart(protocol, context);
    const auto status = protocol.number<std::int32_t>("_statusCode");
    if (row.state == HttpState::Answering && status) row.status = static_cast<std::uint32_t>(*status);
    row.connection = protocol.reference("_context").value_or(Address{});
    m_list.requests.push_back(std::move(row));
  }

  /// Value of an enum of any size.
  static std::optional<std::int32_t> numberOf(const Instance& instance, std::string_view name) {
    const auto place = instance.field(name);
    if (!place) return std::nullopt;
    std::uint32_t size = place->shape->slot.sizeBytes;
    if (size == 1) return instance.number<std::int8_t>(name).value_or(0);
    if (size == 2) return instance.number<std::int16_t>(name).value_or(0);
    const auto number = instance.number<std::int32_t>(name);
    return number ? std::optional(*number) : std::nullopt;
  }

  // HttpRequestHeaders._headers._Host is a StringValues: one text, or several.
  std::string hostOf(const Instance& headers) const {
    const auto known = headers.inner("_headers");
    const auto host = known ? known->inner("_Host") : tl::unexpected(known.error());
    const Address values = host ? host->reference("_values").value_or(Address{}) : Address{};
    if (!values) return {};
    const std::string text = textOf(values);
    if (!text.empty()) return text;
    const auto several = readArray(m_sources, values);
    if (!several || several->count == 0) return {};
    return textOf(m_readers.runtime.memory().readPointer(several->element(0)).value_or(Address{}));
  }

  Outcome<void> joinChains() {
    HEAPSCAPE_TRY(const AsyncList async, listAsync(m_snapshot, {.retained = false}, m_stop));
    std::unordered_map<Address, const AsyncChain*> chains;
    for (const AsyncChain& chain : async.chains) {
      for (const AsyncFrame& frame : async.framesOf(chain)) chains.emplace(frame.object, &chain);
    }
    for (HttpRequestRow& row : m_list.requests) {
      const auto calls = m_calls.find(row.object);
      if (calls == m_calls.end()) continue;
      const AsyncChain* longest = nullptr;
      for (const Call& call : calls->second) {
        const auto chain = chains.find(call.box);
        if (chain != chains.end() && (!longest || chain->second->frameCount > longest->frameCount))
          longest = chain->second;
      }
      if (!longest) continue;
      for (const AsyncFrame& frame : async.framesOf(*longest)) row.chain.emplace_back(async.nameOf(frame.name));
      row.waitsFor = async.nameOf(longest->waitsFor);
    }
    return {};
  }

  /// Threads whose frames refer to the request, or to one of its async methods.
  Outcome<void> joinThreads() {
    std::unordered_map<Address, std::vector<HttpRequestRow*>> subjects;
    for (HttpRequestRow& row : m_list.requests) {
      subjects[row.object].push_back(&row);
      const auto calls = m_calls.find(row.object);
      if (calls == m_calls.end()) continue;
      for (const Call& call : calls->second) subjects[call.box].push_back(&row);
    }
    HEAPSCAPE_TRY(const auto stacks, keptStacks(m_snapshot, m_stop));
    for (const ThreadStackRow& stack : stacks->threads) {
      for (const StackRootRow& root : stack.roots) {
        const auto found = root.isExact && root.object ? subjects.find(root.object) : subjects.end();
        if (found == subjects.end()) continue;
        for (HttpRequestRow* row : found->second) {
          if (std::ranges::find(row->threads, stack.managedId) == row->threads.end())
            row->threads.push_back(stack.managedId);
        }
      }
    }
    return {};
  }

  /// A time-out of HttpClient is a timer that was started with the request.
  Outcome<void> joinTimers() {
    if (m_timeouts.empty()) return {};
    HEAPSCAPE_TRY(const TimerList timers, listTimers(m_snapshot, m_stop));
    std::unordered_map<Address, std::int64_t> elapsed;
    for (const TimerRow& timer : timers.timers) {
      if (timer.remainingMilliseconds) elapsed[timer.object] = timer.dueMilliseconds - *timer.remainingMilliseconds;
    }
    for (HttpRequestRow& row : m_list.requests) {
      const auto timeout = m_timeouts.find(row.object);
      if (timeout == m_timeouts.end()) continue;
      const auto source = Instance::at(m_sources, timeout->second);
      const auto found = source ? elapsed.find(source->reference("_timer").value_or(Address{})) : elapsed.end();
      if (found != elapsed.end()) row.milliseconds = found->second;
    }
    return {};
  }

  /// Notes what hosting has beside Kestrel's object since the request came (HostingApplication.Context), and the
  /// connection's TimeoutControl.
  void noteStart(const Instance& protocol, const Result<Instance>& context) {
    if (const auto control = context ? context->follow("<TimeoutControl>k__BackingField") : context)
      m_lastLook = std::max(m_lastLook, control->number<std::int64_t>("_lastTimestamp").value_or(0));
    const auto host = protocol.follow(kHostContext);
    const auto start = host ? host->number<std::int64_t>("<StartTimestamp>k__BackingField").value_or(0) : 0;
    if (start > 0) m_starts[protocol.object()] = start;
  }

  void joinStarts() {
    for (HttpRequestRow& row : m_list.requests) {
      const auto start = m_starts.find(row.object);
      if (start != m_starts.end() && m_lastLook >= start->second)
        row.milliseconds = (m_lastLook - start->second) / kTicksPerMillisecond;
    }
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const RuntimeReaders& m_readers;
  const std::stop_token m_stop;
  AsyncTypes m_types;
  const InstanceSources m_sources;
  SuspendedMethods m_methods;
  const ContinuationReader m_continuations;
  std::unordered_map<std::uint32_t, std::optional<CallFields>> m_callFields;  // by TypeId
  std::vector<Address> m_requests;                                            // of clients
  std::unordered_map<Address, Place> m_places;                                // by request
  std::unordered_map<Address, std::uint32_t> m_statuses;                      // by request
  std::unordered_set<Address> m_answered;                  // connections of HTTP 1.1 from which a body is read
  std::unordered_map<Address, std::vector<Call>> m_calls;  // by request, or by Kestrel's object
  std::unordered_map<Address, Address> m_timeouts;         // CancellationTokenSource, by request
  std::unordered_map<Address, std::int64_t> m_starts;      // in ticks of Stopwatch, by Kestrel's object
  std::int64_t m_lastLook = 0;                             // when Kestrel last looked at a connection, in the same
  HttpRequestList m_list;
};

}  // namespace

Outcome<HttpRequestList> listHttpRequests(const Snapshot& snapshot, std::stop_token stop) {
  if (!snapshot.contents().heap) return HttpRequestList{};
  return HttpReader(snapshot, std::move(stop)).read();
}

}  // namespace heapscape::engine
