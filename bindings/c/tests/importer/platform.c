/* Loading of libraries and names of files on Linux and Windows. */
#include "importer.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>

static const char *const places[] = {"win64", "x86_64-windows"};
static const char *const end = "dll";

void *open_library(const char *path)
{
    wchar_t wide[2048];

    if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 2048) == 0) {
        return NULL;
    }
    return (void *)LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}

static void *address(void *library, const char *name)
{
    FARPROC found = GetProcAddress((HMODULE)library, name);
    void *out = NULL;

    memcpy(&out, &found, sizeof out);
    return out;
}

void with_separators(char *path, size_t size)
{
    size_t length = strlen(path);
    char *at;

    if (length + 1 < size) {
        path[length] = '/';
        path[length + 1] = '\0';
    }
    for (at = path; *at != '\0'; at++) {
        if (*at == '/') {
            *at = '\\';
        }
    }
}
#else
#include <dlfcn.h>

static const char *const places[] = {"linux64", "x86_64-linux"};
static const char *const end = "so";

void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *address(void *library, const char *name)
{
    return dlsym(library, name);
}

void with_separators(char *path, size_t size)
{
    size_t length = strlen(path);

    if (length + 1 < size) {
        path[length] = '/';
        path[length + 1] = '\0';
    }
}
#endif

/* Puts the address of a function into the pointer at `function`. */
int find(void *library, const char *name, void *function)
{
    void *found = address(library, name);

    if (found == NULL) {
        fprintf(stderr, "no function %s\n", name);
        return 0;
    }
    memcpy(function, &found, sizeof found);
    return 1;
}

void library_path(char *out, size_t size, const struct fmu *fmu)
{
    const char *place = places[fmu->version == 3];

    snprintf(out, size, "%s/binaries/%s/%s.%s", fmu->folder, place, fmu->identifier, end);
}

void uri(char *out, size_t size, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:";
    size_t used;

    /* `C:/a` has no slash of its own in front. */
    snprintf(out, size, "file://%s", path[0] == '/' ? "" : "/");
    for (used = strlen(out); *path != '\0' && used + 4 < size; path++) {
        if (strchr(plain, *path) != NULL) {
            out[used++] = *path;
            out[used] = '\0';
        } else {
            used += (size_t)snprintf(out + used, size - used, "%%%02X", (unsigned)(unsigned char)*path);
        }
    }
}
