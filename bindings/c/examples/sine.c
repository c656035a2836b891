/*
 * Steps a model through two cycles of a sine and prints time, displacement and force.
 *
 *     cc sine.c -lmasing_c -lm -o sine && ./sine model.toml
 *
 * Every tenth step is tried twice, as a solver does that rejects steps.
 */
#include "masing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const double amplitude = 5e-4, frequency = 2.0, dt = 1e-3;
    char message[256];
    masing_model *bushing;
    double *kept;
    int i;

    if (argc != 2) {
        fprintf(stderr, "usage: %s MODEL\n", argv[0]);
        return 2;
    }
    bushing = masing_open(argv[1], message, sizeof message);
    if (bushing == NULL) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    kept = malloc(masing_state_size(bushing) * sizeof *kept);
    if (kept == NULL) {
        masing_close(bushing);
        return 1;
    }

    printf("time [s],displacement [m],force [N]\n");
    printf("%.17g,%.17g,%.17g\n", 0.0, 0.0, masing_step(bushing, 0.0, 0.0));
    for (i = 1; i <= 1000; i++) {
        const double t = i * dt;
        const double x = amplitude * sin(2.0 * 3.14159265358979323846 * frequency * t);
        double force;

        if (i % 10 == 0) {
            masing_get_state(bushing, kept);
            masing_step(bushing, 2.0 * dt, 1.5 * x);
            masing_set_state(bushing, kept);
        }
        force = masing_step(bushing, t - (i - 1) * dt, x);
        if (isnan(force)) {
            fprintf(stderr, "%s\n", masing_error(bushing));
            break;
        }
        printf("%.17g,%.17g,%.17g\n", t, x, force);
    }
    free(kept);
    masing_close(bushing);
    return i <= 1000;
}
