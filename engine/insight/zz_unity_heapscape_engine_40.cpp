// SPDX-License-Identifier: MIT
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#include "insight/detectors/trimmed_size.cpp"
#include "insight/detectors/undisposed_finalizables.cpp"
#include "insight/insight_record.cpp"
#include "insight/collections/linked_parts.cpp"
