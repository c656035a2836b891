/* FMI 2.0 for the importer. */
#include "importer.h"

#include "fmi2FunctionTypes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    fmi2GetVersionTYPE *version;
    fmi2GetTypesPlatformTYPE *platform;
    fmi2InstantiateTYPE *instantiate;
    fmi2FreeInstanceTYPE *release;
    fmi2SetupExperimentTYPE *set_up;
    fmi2EnterInitializationModeTYPE *enter;
    fmi2ExitInitializationModeTYPE *leave;
    fmi2SetRealTYPE *set;
    fmi2GetRealTYPE *get;
    fmi2DoStepTYPE *step;
    fmi2GetFMUstateTYPE *keep;
    fmi2SetFMUstateTYPE *restore;
    fmi2FreeFMUstateTYPE *forget;
    fmi2SerializedFMUstateSizeTYPE *size;
    fmi2SerializeFMUstateTYPE *write;
    fmi2DeSerializeFMUstateTYPE *read;
    fmi2GetDirectionalDerivativeTYPE *slope;
    fmi2NewDiscreteStatesTYPE *update;
    fmi2EnterContinuousTimeModeTYPE *run;
    fmi2SetTimeTYPE *set_time;
    fmi2GetDerivativesTYPE *rates;
    fmi2GetEventIndicatorsTYPE *indicators;
} f;

static int bind(void *library)
{
    return find(library, "fmi2GetVersion", &f.version) && find(library, "fmi2GetTypesPlatform", &f.platform)
        && find(library, "fmi2Instantiate", &f.instantiate) && find(library, "fmi2FreeInstance", &f.release)
        && find(library, "fmi2SetupExperiment", &f.set_up) && find(library, "fmi2EnterInitializationMode", &f.enter)
        && find(library, "fmi2ExitInitializationMode", &f.leave) && find(library, "fmi2SetReal", &f.set)
        && find(library, "fmi2GetReal", &f.get) && find(library, "fmi2DoStep", &f.step)
        && find(library, "fmi2GetFMUstate", &f.keep) && find(library, "fmi2SetFMUstate", &f.restore)
        && find(library, "fmi2FreeFMUstate", &f.forget) && find(library, "fmi2SerializedFMUstateSize", &f.size)
        && find(library, "fmi2SerializeFMUstate", &f.write) && find(library, "fmi2DeSerializeFMUstate", &f.read)
        && find(library, "fmi2GetDirectionalDerivative", &f.slope) && find(library, "fmi2NewDiscreteStates", &f.update)
        && find(library, "fmi2EnterContinuousTimeMode", &f.run) && find(library, "fmi2SetTime", &f.set_time)
        && find(library, "fmi2GetDerivatives", &f.rates) && find(library, "fmi2GetEventIndicators", &f.indicators)
        && strcmp(f.version(), "2.0") == 0 && strcmp(f.platform(), fmi2TypesPlatform) == 0;
}

/* The message is a format, as the standard has it. */
static void logger(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category,
                   fmi2String format, ...)
{
    char text[2048];
    va_list arguments;

    (void)environment, (void)name, (void)status, (void)category;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    note(text);
}

static const fmi2CallbackFunctions callbacks = {logger, calloc, free, NULL, NULL};

static void *instantiate(const struct fmu *fmu, int exchange, const char *folder, const char *token)
{
    char resources[4096];

    uri(resources, sizeof resources, folder);
    return f.instantiate(fmu->name, exchange ? fmi2ModelExchange : fmi2CoSimulation, token, resources, &callbacks,
                         fmi2False, fmi2False);
}

static void release(void *instance)
{
    f.release(instance);
}

static int set(void *instance, unsigned reference, const double *value)
{
    return (int)f.set(instance, &reference, 1, value);
}

static int get(void *instance, unsigned reference, double *value)
{
    return (int)f.get(instance, &reference, 1, value);
}

static int start(void *instance, double displacement)
{
    return f.set_up(instance, fmi2False, 0.0, 0.0, fmi2False, 0.0) || f.enter(instance)
        || set(instance, DISPLACEMENT, &displacement) || f.leave(instance);
}

static int step(void *instance, double from, double dt)
{
    return (int)f.step(instance, from, dt, fmi2False);
}

static int keep(void *instance, void **state)
{
    return (int)f.keep(instance, state);
}

static int restore(void *instance, void *state)
{
    return (int)f.restore(instance, state);
}

static int forget(void *instance, void **state)
{
    return (int)f.forget(instance, state);
}

static int size(void *instance, void *state, size_t *out)
{
    return (int)f.size(instance, state, out);
}

static int write(void *instance, void *state, char *bytes, size_t count)
{
    return (int)f.write(instance, state, bytes, count);
}

static int read(void *instance, const char *bytes, size_t count, void **state)
{
    return (int)f.read(instance, bytes, count, state);
}

static int slope(void *instance, double *value)
{
    const fmi2ValueReference force = FORCE, displacement = DISPLACEMENT;
    const fmi2Real seed = 1.0;

    return (int)f.slope(instance, &force, 1, &displacement, 1, &seed, value);
}

static int begin_solver(void *instance)
{
    fmi2EventInfo info;

    return f.update(instance, &info) || f.run(instance);
}

static int rates(void *instance, double time, double *out, size_t count)
{
    return f.set_time(instance, time) || f.rates(instance, out, count);
}

static int indicators(void *instance, double *out, size_t count)
{
    return (int)f.indicators(instance, out, count);
}

const struct standard fmi2 = {
    "fmi2", bind, instantiate, release, start, set, get, step, keep, restore, forget,
    size, write, read, slope, begin_solver, rates, indicators,
};
