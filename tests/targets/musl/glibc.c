// SPDX-License-Identifier: MIT
// What a libstdc++ and a libgcc that were built for glibc want of it and musl does not have, so that they run on musl.
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/random.h>
#include <time.h>

char __libc_single_threaded = 0;
struct {
    unsigned vendor, type, subtype, features[1];
} __cpu_model;

int __cpu_indicator_init(void)
{
    return 0;
}

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library)
{
    (void)function, (void)object, (void)library;
    return 0;
}

int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return pthread_key_create(key, destructor);
}

size_t __strftime_l(char *text, size_t size, const char *format, const struct tm *time, locale_t locale)
{
    return strftime_l(text, size, format, time, locale);
}

unsigned arc4random(void)
{
    unsigned value = 0;
    (void)!getrandom(&value, sizeof value, 0);
    return value;
}

// struct dl_find_object of glibc's dlfcn.h: how libgcc finds unwind information, for exceptions of C++.
struct found {
    unsigned long long flags;
    void *start, *end, *library, *table;
    unsigned long long reserved[7];
};

struct search {
    const char *address;
    struct found *found;
};

static int search_in(struct dl_phdr_info *library, size_t size, void *data)
{
    const struct search *search = data;
    char *table = NULL, *start = NULL, *end = NULL;
    (void)size;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        char *from = (char *)library->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME)
            table = from;
        if (part->p_type == PT_LOAD && search->address >= from && search->address < from + part->p_memsz)
            start = from, end = from + part->p_memsz;
    }
    if (!start || !table)
        return 0;
    *search->found = (struct found){.start = start, .end = end, .table = table};
    return 1;
}

int _dl_find_object(void *address, struct found *found)
{
    struct search search = {address, found};
    return dl_iterate_phdr(search_in, &search) == 1 ? 0 : -1;
}
