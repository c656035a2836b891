/*
 * A small importer of FMUs: what its parts share.
 *
 * The same source is built for Linux and for Windows. It takes types from the headers of the standard, and
 * everything else from the library that it loads.
 */
#ifndef IMPORTER_H
#define IMPORTER_H

#include <stddef.h>

/* One FMU, unpacked: a line of the plan. */
struct fmu {
    int version;
    char name[64];
    char identifier[128];
    char token[64];
    char folder[1024]; /* absolute, UTF-8, with slashes */
    size_t states;     /* of Model Exchange; 0 where it is not offered */
    size_t indicators;
    double scale; /* a displacement of usual size */
};

/* Value references, the same in every FMU of masing. */
enum { DISPLACEMENT = 1, VELOCITY = 2, FORCE = 3, WORK = 5, FIRST_PARAMETER = 8 };

/* Statuses that both versions of the standard share. */
enum { OK = 0, ERROR_STATUS = 3 };

/* What the versions of the standard do in their own ways; statuses are those of the FMU. */
struct standard {
    const char *prefix; /* of their functions */
    int (*bind)(void *library);
    void *(*instantiate)(const struct fmu *fmu, int exchange, const char *folder, const char *token);
    void (*release)(void *instance);
    int (*start)(void *instance, double displacement);
    int (*set)(void *instance, unsigned reference, const double *value);
    int (*get)(void *instance, unsigned reference, double *value);
    int (*step)(void *instance, double from, double dt);
    int (*keep)(void *instance, void **state);
    int (*restore)(void *instance, void *state);
    int (*forget)(void *instance, void **state);
    int (*size)(void *instance, void *state, size_t *size);
    int (*write)(void *instance, void *state, char *bytes, size_t size);
    int (*read)(void *instance, const char *bytes, size_t size, void **state);
    int (*slope)(void *instance, double *value);
    int (*begin_solver)(void *instance);
    int (*rates)(void *instance, double time, double *rates, size_t count);
    int (*indicators)(void *instance, double *indicators, size_t count);
};

extern const struct standard fmi2, fmi3;

/* The last message of an FMU, and how many there were. */
extern char message[2048];
extern int messages;
void note(const char *text);

/* What differs between systems. Paths are UTF-8; `with_separators` ends a folder as the system does. */
void *open_library(const char *path);
int find(void *library, const char *name, void *function);
void library_path(char *out, size_t size, const struct fmu *fmu);
void with_separators(char *path, size_t size);

/* `file:///C:/a%20b` for a folder. */
void uri(char *out, size_t size, const char *path);

#endif
