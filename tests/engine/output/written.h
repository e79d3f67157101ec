// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "output/json_writer.h"
#include "output/output.h"

namespace heapscape::test {

/// What `write(Output&)` writes.
template <class Write>
std::string written(Write write) {
  std::string text;
  engine::Output output(engine::appendTo(text));
  write(output);
  output.flush();
  return text;
}

/// What `write(JsonWriter&)` writes into an object.
template <class Write>
std::string writtenJson(Write write) {
  return written([&](engine::Output& output) {
    engine::JsonWriter json(output);
    json.beginObject();
    write(json);
    json.endObject();
  });
}

}  // namespace heapscape::test
