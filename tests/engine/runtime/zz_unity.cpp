// SPDX-License-Identifier: MIT
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#include "tst_composite_images.cpp"
#include "tst_contract.cpp"
#include "tst_ready_to_run_identity.cpp"
