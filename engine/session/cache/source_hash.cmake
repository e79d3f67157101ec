# SPDX-License-Identifier: MIT
# Writes a hash of all sources that an answer can depend on: cmake -D ENGINE=… -D CONTRACTS=… -D OUTPUT=… -P source_hash.cmake
cmake_policy(VERSION 3.25)
file(GLOB_RECURSE sources ${ENGINE}/*.h ${ENGINE}/*.cpp ${ENGINE}/*.in ${CONTRACTS}/*)
list(FILTER sources EXCLUDE REGEX "/engine/(cli|output|review)/")
list(SORT sources)
set(all "")
foreach(source ${sources})
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 all "${all}")
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// SPDX-License-Identifier: MIT
#include \"session/cache/engine_version.h\"

namespace heapscape::engine {

const char* engineSources() {
  return \"@all@\";
}

}  // namespace heapscape::engine
")
