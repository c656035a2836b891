/*
 * masing: force models of bushings, joints, dampers and clutches, stepped from a simulation.
 *
 * Everything is in SI units: m (rad), N (N m), s. Force is what is exerted on the part, positive
 * with positive displacement; the part answers with -force.
 *
 *     char message[256];
 *     masing_model *bushing = masing_open("model.toml", message, sizeof message);
 *     if (bushing == NULL) { puts(message); return 1; }
 *     masing_step(bushing, 0.0, x0);               at rest at x0
 *     force = masing_step(bushing, dt, x);         dt later at x, straight in between
 *     masing_close(bushing);
 *
 * A model belongs to one thread at a time; different models are independent of each other.
 */
#ifndef MASING_H
#define MASING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A model that is open. */
typedef struct masing_model masing_model;

/* Opens the model file at path; NULL if that cannot be done. The reason is written to message, which
   has room for size characters, and may be NULL. */
masing_model *masing_open(const char *path, char *message, size_t size);

/* Moves straight to displacement within dt and returns the force there. A first step of dt = 0 puts
   the part at rest at displacement; without one it starts at rest at zero. Not a number if that
   cannot be done, and then nothing has changed; masing_error tells why. */
double masing_step(masing_model *model, double dt, double displacement);

/* The same with the velocity at the end of the step, where it is known. */
double masing_step_with_velocity(masing_model *model, double dt, double displacement, double velocity);

/* The derivatives of the last force with respect to displacement and velocity at the end of its step:
   for the Jacobian of an implicit solver. 0 if all is well. */
int masing_slopes(masing_model *model, double *stiffness, double *damping);

/* How many numbers the state is. */
size_t masing_state_size(const masing_model *model);

/* Writes the state, as many numbers as masing_state_size says. 0 if all is well. */
int masing_get_state(masing_model *model, double *state);

/* Goes to a state that masing_get_state wrote. 0 if all is well. */
int masing_set_state(masing_model *model, const double *state);

/* Sets the level of a condition that the model follows (coil current, temperature, ...), in SI, from the next step on.
   Until all of them are set, steps fail. 0 if all is well. */
int masing_set_condition(masing_model *model, const char *name, double level);

/* 1 if the present motion or condition goes beyond the tests that the model was identified from. */
int masing_outside_validity(const masing_model *model);

/* The work done on the part so far; over a closed cycle, the dissipated energy. */
double masing_dissipated_energy(const masing_model *model);

/* What went wrong in the last call with this model; NULL if nothing did. The text lives until the
   next call. */
const char *masing_error(const masing_model *model);

/* Closes a model; NULL is left alone. */
void masing_close(masing_model *model);

#ifdef __cplusplus
}
#endif

#endif
