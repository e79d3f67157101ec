// SPDX-License-Identifier: MIT
// Requests of a program that answers some and sends some to itself, each of which stays in one state.
#include <gtest/gtest.h>

#include <algorithm>

#include "session/async/http_requests.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

class HttpRequests : public testing::TestWithParam<const char*> {
 protected:
  HttpRequests() : m_list(listHttpRequests(retainedDump(GetParam()), {}).value()) {}

  const HttpRequestList& list() const { return m_list; }
  const HttpRequestRow& request(HttpSide side, std::string_view path) const {
    const auto found =
        std::ranges::find_if(m_list.requests, [&](const auto& row) { return row.side == side && row.path == path; });
    if (found == m_list.requests.end()) throw std::runtime_error("no request of " + std::string(path));
    return *found;
  }

 private:
  HttpRequestList m_list;
};

INSTANTIATE_TEST_SUITE_P(Dumps, HttpRequests, testing::Values("web-10", "web-11"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(HttpRequests, areThoseThatAreNotDoneWithOnBothSides) {
  EXPECT_EQ(std::ranges::count(list().requests, HttpSide::Client, &HttpRequestRow::side), 6);
  EXPECT_EQ(std::ranges::count(list().requests, HttpSide::Server, &HttpRequestRow::side), 4);
  EXPECT_TRUE(std::ranges::none_of(list().requests, [](const auto& row) { return row.path == "/done"; }));
  EXPECT_TRUE(list().findings.items().empty());
}

TEST_P(HttpRequests, haveMethodAddressAndVersion) {
  const HttpRequestRow& order = request(HttpSide::Server, "/orders/7");
  EXPECT_EQ(order.method, "GET");
  EXPECT_EQ(order.scheme, "http");
  EXPECT_EQ(order.query, "?full=true");
  EXPECT_EQ(order.endpoint, "HTTP: GET /orders/{id}");
  EXPECT_EQ(order.version, "1.1");
  EXPECT_EQ(order.host, request(HttpSide::Client, "/orders/7").host);
  EXPECT_EQ(request(HttpSide::Client, "/orders/7").query, "?full=true");
  EXPECT_EQ(request(HttpSide::Client, "/silent/2").method, "DELETE");
  for (const HttpSide side : {HttpSide::Client, HttpSide::Server}) {
    EXPECT_EQ(request(side, "/orders/8").version, "2");
    EXPECT_EQ(request(side, "/orders/8").stream, 1u);
  }
}

TEST_P(HttpRequests, areInTheStateThatTheProgramLeftThemIn) {
  EXPECT_EQ(request(HttpSide::Client, "/silent/2").state, HttpState::WaitsForConnection);
  EXPECT_EQ(request(HttpSide::Client, "/silent/1").state, HttpState::WaitsForHeaders);
  EXPECT_EQ(request(HttpSide::Client, "/orders/8").state, HttpState::WaitsForHeaders);
  EXPECT_EQ(request(HttpSide::Server, "/orders/8").state, HttpState::Handled);
  EXPECT_EQ(request(HttpSide::Server, "/busy").state, HttpState::Handled);
  EXPECT_EQ(request(HttpSide::Client, "/answers").state, HttpState::ReadsResponse);
  EXPECT_EQ(request(HttpSide::Server, "/answers").state, HttpState::Answering);
  for (const HttpRequestRow& row : list().requests) {
    EXPECT_EQ(row.status, row.path == "/answers" ? std::optional(202u) : std::nullopt) << row.path;
    EXPECT_EQ(row.threads.size(), row.path == "/busy" && row.side == HttpSide::Server ? 1 : 0) << row.path;
    EXPECT_EQ(static_cast<bool>(row.connection), row.state != HttpState::WaitsForConnection) << row.path;
  }
}

TEST_P(HttpRequests, sayWhatTheyWaitFor) {
  const HttpRequestRow& order = request(HttpSide::Server, "/orders/7");
  EXPECT_EQ(order.waitsFor, "TaskCompletionSource");
  EXPECT_EQ(order.chain.front(), "Program.Main (lambda)");
  EXPECT_EQ(request(HttpSide::Client, "/silent/1").waitsFor, "socket receive");
}

// The program went on for three seconds after the last of them; Kestrel looks at its connections once a second.
TEST_P(HttpRequests, haveBeenUnderWayForAsLongAsTheProgramSlept) {
  for (const HttpRequestRow& row : list().requests) {
    // Once the headers have come, the client's time-out is over.
    if (row.state == HttpState::ReadsResponse) {
      EXPECT_FALSE(row.milliseconds);
      continue;
    }
    // Which call has the client's time-out stands in files of .NET 11 that may not be there.
    if (!row.milliseconds && row.side == HttpSide::Client && std::string(GetParam()) == "web-11") continue;
    ASSERT_TRUE(row.milliseconds) << row.path;
    EXPECT_GE(*row.milliseconds, 1900) << row.path;
    EXPECT_LE(*row.milliseconds, 30'000) << row.path;
  }
}

}  // namespace
}  // namespace heapscape::test
