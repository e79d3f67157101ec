// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/finding.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// The program's part in a request.
enum class HttpSide : std::uint8_t { Client, Server };

template <>
inline constexpr auto kEnumNames<HttpSide> = std::to_array<EnumName<HttpSide>>({{HttpSide::Client, "client"},
                                                                                {HttpSide::Server, "server"}});

/// How far a request has come.
enum class HttpState : std::uint8_t {
  WaitsForConnection,  // client: it is not on a connection yet
  WaitsForHeaders,     // client: sent, or being sent; no answer is there
  ReadsResponse,       // client: the headers have come, the body has not ended
  Handled,             // server: the program works on it, and no byte of the answer is sent
  Answering,           // server: the headers of the answer are sent
};

template <>
inline constexpr auto kEnumNames<HttpState> =
    std::to_array<EnumName<HttpState>>({{HttpState::WaitsForConnection, "waitsForConnection"},
                                        {HttpState::WaitsForHeaders, "waitsForHeaders"},
                                        {HttpState::ReadsResponse, "readsResponse"},
                                        {HttpState::Handled, "handled"},
                                        {HttpState::Answering, "answering"}});

/// A request that HttpClient has sent and is not done with, or that Kestrel has received and not yet answered in full.
struct HttpRequestRow {
  HttpSide side = HttpSide::Client;
  HttpState state = HttpState::WaitsForHeaders;
  std::string method = {};                   // "GET"
  std::string scheme = {};                   // "https"
  std::string host = {};                     // with the port, as it is written: "example.test:8080"
  std::string path = {};                     // "/orders/7"
  std::string query = {};                    // with its question mark; empty for none
  std::string version = {};                  // "1.1", "2"
  std::optional<std::uint32_t> status = {};  // of the answer, as soon as its headers are there
  std::string endpoint = {};                 // server: what routing chose, "HTTP: GET /orders/{id}"
  std::string connectionId = {};             // server: as Kestrel writes it to logs
  Address connection = {};                   // the connection's object; 0 while there is none
  std::optional<std::uint32_t> stream = {};  // its number on a connection of HTTP/2
  std::vector<std::uint32_t> threads = {};   // managed ids of threads that work on it
  std::vector<std::string> chain = {};       // async methods that wait for each other for it, innermost first
  std::string waitsFor = {};                 // what the innermost of them waits for
  /// At least so long it has been under way; nothing where no object tells.
  std::optional<std::int64_t> milliseconds = {};
  Address object = {};        // HttpRequestMessage, or Kestrel's Http1Connection or Http2Stream
  std::string typeName = {};  // of that
};

struct HttpRequestList {
  std::vector<HttpRequestRow> requests;  // clients first, then by state and object
  FindingList findings;
};

/// Requests in flight, told by objects of System.Net.Http and of Kestrel (.NET 8 to 10). From the Retained stage on
/// without what only garbage leads to. How long a request has been under way is told by what the program itself keeps:
/// of a client by the timer of its time-out, of a server by the time that hosting notes for logs and metrics. No clock
/// is in a dump, so each ends at the latest time that is known to have been: when a timer was started last, when
/// Kestrel last looked at its connections (once a second).
Outcome<HttpRequestList> listHttpRequests(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
