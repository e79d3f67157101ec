// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace heapscape::engine {

/// A field's name as the program's source has it, where the compiler has made another one of it:
/// "<Name>k__BackingField" is the property "Name", "<>4__this" is "this", "<text>5__2" the local "text" of an iterator
/// or async method, "<>3__to" its parameter "to", "<title>P" a parameter of a primary constructor, "<Price>i__Field" a
/// property of an anonymous type; "$VB$Local_text" and "Name@" are their like in Visual Basic and F#. All others stay
/// as they are.
std::string_view csharpFieldName(std::string_view fieldName);

/// Whether the field only leads to where the compiler has put captured locals, and has no name in the source:
/// "CS$<>8__locals1", "<>8__1".
bool isCapturedScope(std::string_view fieldName);

/// The method that a state machine's type was made of: of "Shop.Mailer+<SendAsync>d__3" "Shop.Mailer.SendAsync", of
/// "Shop.P+<<Main>g__Wait|6_1>d" the local function "Shop.P.Main.Wait", of "Program+<<<Main>$>b__0_0>d" among top-level
/// statements "Program.Main (lambda)", of "Shop.P+<Find>d__2<System.Int32>" "Shop.P.Find<System.Int32>".
std::string asyncMethodName(std::string_view machineType);

}  // namespace heapscape::engine
