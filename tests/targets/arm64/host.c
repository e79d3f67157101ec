// SPDX-License-Identifier: MIT
// The program "dotnet" of a folder of runtimes: NuGet serves none for arm64. Starts one of the hostfxr beside it, each of which starts every runtime.
#include <dlfcn.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, const char **arguments)
{
    char own[PATH_MAX] = "", pattern[PATH_MAX + 64];
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0)
        return 1;
    snprintf(pattern, sizeof pattern, "%s/host/fxr/*/libhostfxr.so", dirname(own));
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return 1;
    void *library = dlopen(found.gl_pathv[found.gl_pathc - 1], RTLD_NOW);
    int (*run)(int, const char **) = library ? (int (*)(int, const char **))dlsym(library, "hostfxr_main") : NULL;
    return run ? run(count, arguments) : 1;
}
