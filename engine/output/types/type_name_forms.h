// SPDX-License-Identifier: MIT
#pragma once

// Where the output of layouts looks for it.
#include "metadata/names/type_name_forms.h"
