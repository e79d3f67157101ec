// SPDX-License-Identifier: MIT
// Stands for `dotnet`, which no package of .NET for musl has: starts programs on the .NET around $HOSTFXR, a libhostfxr.so.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*start_function)(int, const char **, const char *, const char *, const char *);

int main(int count, const char **arguments)
{
    const char *path = getenv("HOSTFXR");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    start_function start = library ? (start_function)dlsym(library, "hostfxr_main_startupinfo") : NULL;
    if (!start) {
        fprintf(stderr, "HOSTFXR: %s\n", path ? dlerror() : "not set");
        return 1;
    }
    return start(count, arguments, arguments[0], getenv("DOTNET_ROOT"), "");
}
