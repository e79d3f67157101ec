// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "output/typed_columns.h"

// The structures of Arrow's C data interface and C stream interface, whose members are fixed
// (arrow.apache.org/docs/format/CDataInterface.html).
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace heapscape::python {

using Columns = std::shared_ptr<const engine::TypedColumns>;

/// The columns as members of a struct, without copying them: they live until the last array is released.
void exportSchema(const Columns& columns, ArrowSchema& to);
void exportArray(const Columns& columns, ArrowArray& to);
/// A stream of one such array.
void exportStream(const Columns& columns, ArrowArrayStream& to);

}  // namespace heapscape::python
