/*
 * Runs the FMUs of a plan and prints what they say:
 *
 *     importer PLAN
 *
 * A line of the plan has, separated by tabs: `run` or `refuse`, version, name, identifier, token, states,
 * indicators, scale, folder. Numbers are printed as `name version quantity value`; messages of FMUs that refuse
 * their model as `name version refused message`. Anything that does not go as it should ends the program.
 */
#include "importer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, PLACES = 12, MOST = 512 };

char message[2048];
int messages;

void note(const char *text)
{
    snprintf(message, sizeof message, "%s", text);
    messages++;
}

static const struct fmu *now;

/* Ends the program unless `holds`. */
static void expect(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s, FMI %d: %s (last message: %s)\n", now->name, now->version, what, message);
        exit(1);
    }
}

static void print(const char *quantity, double value)
{
    printf("%s\t%d\t%s\t%.17g\n", now->name, now->version, quantity, value);
}

/* Numbers from -1 to 1 that are the same everywhere, unlike those of C libraries. */
static double chance(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void step(const struct standard *fmi, void *part, double time, double dt, double x)
{
    expect(fmi->set(part, DISPLACEMENT, &x) == OK, "setting the displacement");
    expect(fmi->step(part, time, dt) == OK, "a step");
}

/* A step somewhere else, then back: by a kept state, or by one that went through bytes. */
static void there_and_back(const struct standard *fmi, void *part, double time, int by_bytes)
{
    void *kept = NULL, *again = NULL;

    expect(fmi->keep(part, &kept) == OK, "keeping the state");
    step(fmi, part, time, 2e-3, -now->scale);
    if (by_bytes) {
        size_t size = 0;
        char *bytes;

        expect(fmi->size(part, kept, &size) == OK && size > 0, "the size of a state");
        bytes = malloc(size);
        expect(bytes != NULL && fmi->write(part, kept, bytes, size) == OK, "writing a state");
        expect(fmi->read(part, bytes, size, &again) == OK, "reading a state");
        expect(fmi->read(part, bytes, size - 1, &again) == ERROR_STATUS, "a state that is cut off");
        free(bytes);
        expect(fmi->restore(part, again) == OK, "going back through bytes");
        expect(fmi->forget(part, &again) == OK, "freeing a state");
    } else {
        expect(fmi->restore(part, kept) == OK, "going back");
    }
    expect(fmi->forget(part, &kept) == OK && kept == NULL, "freeing a state");
    expect(fmi->restore(part, kept) == ERROR_STATUS, "a state that was freed");
}

static void bad_input(const struct standard *fmi, void *part)
{
    const double nan_value = NAN, low = -1e300;
    double value;
    int before = messages;

    expect(fmi->set(part, DISPLACEMENT, &nan_value) == ERROR_STATUS, "a displacement that is not a number");
    expect(fmi->set(part, DISPLACEMENT, NULL) == ERROR_STATUS, "a null pointer");
    expect(fmi->set(part, FIRST_PARAMETER, &low) == ERROR_STATUS, "a parameter out of range");
    expect(fmi->get(part, 1000000, &value) == ERROR_STATUS, "an unknown variable");
    expect(fmi->step(part, 0.0, -1e-3) == ERROR_STATUS, "a negative step");
    expect(fmi->step(part, 0.0, nan_value) == ERROR_STATUS, "a step that is not a number");
    expect(messages == before + 6, "a message for every refusal");
    expect(fmi->step(NULL, 0.0, 1e-3) == ERROR_STATUS, "no instance");
    expect(fmi->get(NULL, FORCE, &value) == ERROR_STATUS, "no instance");
    fmi->release(NULL);
}

static void co_simulation(const struct standard *fmi, const char *resources)
{
    void *part = fmi->instantiate(now, 0, resources, now->token);
    void *other = fmi->instantiate(now, 0, resources, now->token);
    unsigned long long seed = 1;
    double time = 0.0, x = 0.0, force, work, slope;
    int i;

    expect(part != NULL && other != NULL, "two instances for Co-Simulation");
    expect(fmi->start(part, 0.0) == OK && fmi->start(other, 0.0) == OK, "initialisation");
    for (i = 1; i <= STEPS; i++) {
        const double dt = 1e-3 + 5e-4 * chance(&seed);

        x = 0.9 * x + 0.3 * now->scale * chance(&seed);
        step(fmi, other, time, dt, -x);
        if (i % 10 == 0) {
            there_and_back(fmi, part, time, i % 20 == 0);
        }
        step(fmi, part, time, dt, x);
        time += dt;
        expect(fmi->get(part, FORCE, &force) == OK && fmi->get(part, WORK, &work) == OK, "reading outputs");
        expect(fmi->slope(part, &slope) == OK, "a directional derivative");
        print("force", force);
        print("work", work);
        print("slope", slope);
    }
    bad_input(fmi, part);
    expect(fmi->get(part, FORCE, &work) == OK && work == force, "the force after what was refused");
    fmi->release(part);
    fmi->release(other);
}

/* What a solver is told at several places. */
static void model_exchange(const struct standard *fmi, const char *resources)
{
    void *part = fmi->instantiate(now, 1, resources, now->token);
    unsigned long long seed = 2;
    double values[MOST];
    size_t k;
    int i;

    expect(part != NULL, "an instance for Model Exchange");
    expect(now->states <= MOST && now->indicators <= MOST, "fewer states");
    expect(fmi->start(part, 0.0) == OK && fmi->begin_solver(part) == OK, "initialisation");
    for (i = 1; i <= PLACES; i++) {
        const double x = 0.01 * now->scale * chance(&seed), v = now->scale * chance(&seed);

        expect(fmi->set(part, DISPLACEMENT, &x) == OK && fmi->set(part, VELOCITY, &v) == OK, "setting inputs");
        expect(fmi->rates(part, 1e-3 * i, values, now->states) == OK, "derivatives");
        for (k = 0; k < now->states; k++) {
            print("rate", values[k]);
        }
        expect(fmi->indicators(part, values, now->indicators) == OK, "event indicators");
        for (k = 0; k < now->indicators; k++) {
            print("indicator", values[k]);
        }
        expect(fmi->get(part, FORCE, values) == OK, "reading the force");
        print("force of a solver", values[0]);
    }
    fmi->release(part);
}

/* A wrong token is refused always, this model if it is broken. */
static void refusals(const struct standard *fmi, const char *resources, int broken)
{
    messages = 0;
    expect(fmi->instantiate(now, 0, resources, "{another}") == NULL, "another token");
    expect(messages == 1, "a message about the token");
    expect(fmi->instantiate(now, 0, resources, NULL) == NULL && messages == 2, "no token");
    if (broken) {
        expect(fmi->instantiate(now, 0, resources, now->token) == NULL, "a broken model");
        expect(messages == 3, "a message about the model");
        printf("%s\t%d\trefused\t%s\n", now->name, now->version, message);
    }
}

static void run(const struct fmu *fmu, int broken)
{
    const struct standard *fmi = fmu->version == 2 ? &fmi2 : &fmi3;
    char path[2048], resources[2048];
    void *library;

    now = fmu;
    message[0] = '\0';
    library_path(path, sizeof path, fmu);
    library = open_library(path);
    expect(library != NULL, "loading the library");
    expect(fmi->bind(library), "the functions of the standard");
    snprintf(resources, sizeof resources, "%s/resources", fmu->folder);
    refusals(fmi, resources, broken);
    if (!broken) {
        co_simulation(fmi, resources);
        if (fmu->states > 0) {
            model_exchange(fmi, resources);
        }
    }
}

int main(int argc, char **argv)
{
    static char line[4096];
    FILE *plan;
    struct fmu fmu;
    char task[16];

    if (argc != 2 || (plan = fopen(argv[1], "r")) == NULL) {
        fprintf(stderr, "usage: %s PLAN\n", argv[0]);
        return 2;
    }
    while (fgets(line, sizeof line, plan) != NULL) {
        if (sscanf(line, "%15s %d %63s %127s %63s %zu %zu %lf %1023[^\r\n]", task, &fmu.version, fmu.name,
                   fmu.identifier, fmu.token, &fmu.states, &fmu.indicators, &fmu.scale, fmu.folder)
            != 9) {
            fprintf(stderr, "not a line of a plan: %s", line);
            return 2;
        }
        run(&fmu, strcmp(task, "refuse") == 0);
    }
    fclose(plan);
    return 0;
}
