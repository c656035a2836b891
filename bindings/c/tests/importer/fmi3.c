/* FMI 3.0 for the importer. */
#include "importer.h"

#include "fmi3FunctionTypes.h"

#include <stdio.h>
#include <string.h>

static struct {
    fmi3GetVersionTYPE *version;
    fmi3InstantiateModelExchangeTYPE *exchange;
    fmi3InstantiateCoSimulationTYPE *co_simulation;
    fmi3FreeInstanceTYPE *release;
    fmi3EnterInitializationModeTYPE *enter;
    fmi3ExitInitializationModeTYPE *leave;
    fmi3SetFloat64TYPE *set;
    fmi3GetFloat64TYPE *get;
    fmi3DoStepTYPE *step;
    fmi3GetFMUStateTYPE *keep;
    fmi3SetFMUStateTYPE *restore;
    fmi3FreeFMUStateTYPE *forget;
    fmi3SerializedFMUStateSizeTYPE *size;
    fmi3SerializeFMUStateTYPE *write;
    fmi3DeserializeFMUStateTYPE *read;
    fmi3GetDirectionalDerivativeTYPE *slope;
    fmi3UpdateDiscreteStatesTYPE *update;
    fmi3EnterContinuousTimeModeTYPE *run;
    fmi3SetTimeTYPE *set_time;
    fmi3GetContinuousStateDerivativesTYPE *rates;
    fmi3GetEventIndicatorsTYPE *indicators;
} f;

static int bind(void *library)
{
    return find(library, "fmi3GetVersion", &f.version)
        && find(library, "fmi3InstantiateModelExchange", &f.exchange)
        && find(library, "fmi3InstantiateCoSimulation", &f.co_simulation)
        && find(library, "fmi3FreeInstance", &f.release) && find(library, "fmi3EnterInitializationMode", &f.enter)
        && find(library, "fmi3ExitInitializationMode", &f.leave) && find(library, "fmi3SetFloat64", &f.set)
        && find(library, "fmi3GetFloat64", &f.get) && find(library, "fmi3DoStep", &f.step)
        && find(library, "fmi3GetFMUState", &f.keep) && find(library, "fmi3SetFMUState", &f.restore)
        && find(library, "fmi3FreeFMUState", &f.forget) && find(library, "fmi3SerializedFMUStateSize", &f.size)
        && find(library, "fmi3SerializeFMUState", &f.write) && find(library, "fmi3DeserializeFMUState", &f.read)
        && find(library, "fmi3GetDirectionalDerivative", &f.slope)
        && find(library, "fmi3UpdateDiscreteStates", &f.update)
        && find(library, "fmi3EnterContinuousTimeMode", &f.run) && find(library, "fmi3SetTime", &f.set_time)
        && find(library, "fmi3GetContinuousStateDerivatives", &f.rates)
        && find(library, "fmi3GetEventIndicators", &f.indicators) && strcmp(f.version(), "3.0") == 0;
}

static void logger(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String text)
{
    (void)environment, (void)status, (void)category;
    note(text);
}

static void *instantiate(const struct fmu *fmu, int exchange, const char *folder, const char *token)
{
    char resources[2048];

    snprintf(resources, sizeof resources, "%s", folder);
    with_separators(resources, sizeof resources);
    if (exchange) {
        return f.exchange(fmu->name, token, resources, fmi3False, fmi3False, NULL, logger);
    }
    return f.co_simulation(fmu->name, token, resources, fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL,
                           logger, NULL);
}

static void release(void *instance)
{
    f.release(instance);
}

static int set(void *instance, unsigned reference, const double *value)
{
    return (int)f.set(instance, &reference, 1, value, 1);
}

static int get(void *instance, unsigned reference, double *value)
{
    return (int)f.get(instance, &reference, 1, value, 1);
}

static int start(void *instance, double displacement)
{
    return f.enter(instance, fmi3False, 0.0, 0.0, fmi3False, 0.0) || set(instance, DISPLACEMENT, &displacement)
        || f.leave(instance);
}

static int step(void *instance, double from, double dt)
{
    fmi3Boolean event, end, early;
    fmi3Float64 last;

    return (int)f.step(instance, from, dt, fmi3False, &event, &end, &early, &last);
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
    return (int)f.write(instance, state, (fmi3Byte *)bytes, count);
}

static int read(void *instance, const char *bytes, size_t count, void **state)
{
    return (int)f.read(instance, (const fmi3Byte *)bytes, count, state);
}

static int slope(void *instance, double *value)
{
    const fmi3ValueReference force = FORCE, displacement = DISPLACEMENT;
    const fmi3Float64 seed = 1.0;

    return (int)f.slope(instance, &force, 1, &displacement, 1, &seed, 1, value, 1);
}

static int begin_solver(void *instance)
{
    fmi3Boolean again, end, nominals, values, defined;
    fmi3Float64 next;

    return f.update(instance, &again, &end, &nominals, &values, &defined, &next) || f.run(instance);
}

static int rates(void *instance, double time, double *out, size_t count)
{
    return f.set_time(instance, time) || f.rates(instance, out, count);
}

static int indicators(void *instance, double *out, size_t count)
{
    return (int)f.indicators(instance, out, count);
}

const struct standard fmi3 = {
    "fmi3", bind, instantiate, release, start, set, get, step, keep, restore, forget,
    size, write, read, slope, begin_solver, rates, indicators,
};
