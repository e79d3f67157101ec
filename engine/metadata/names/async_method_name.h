// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// The method that a state machine's type was made of: of "Shop.Mailer+<SendAsync>d__3" "Shop.Mailer.SendAsync", of
/// "Shop.P+<<Main>g__Wait|6_1>d" the local function "Shop.P.Main.Wait", of "Program+<<<Main>$>b__0_0>d" among top-level
/// statements "Program.Main (lambda)", of "Shop.P+<Find>d__2<System.Int32>" "Shop.P.Find<System.Int32>".
std::string asyncMethodName(std::string_view machineType);

}  // namespace heapscape::engine
