// SPDX-License-Identifier: MIT
// Preloaded into a .NET process: shows it four processors, since the runtime makes no more heaps than it sees processors.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { processors = 4 };

long sysconf(int name)
{
    if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN)
        return processors;
    long (*real)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return real(name);
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    CPU_ZERO_S(size, set);
    for (int i = 0; i < processors; i++)
        CPU_SET_S(i, size, set);
    return 0;
}

// Binding a thread to a processor that is not there would fail, so nothing is bound.
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    (void)process, (void)size, (void)set;
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    (void)thread, (void)size, (void)set;
    return 0;
}
