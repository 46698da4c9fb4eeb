package io.quorate.load;

import io.quorate.measure.StepRecorder;

/**
 * Requests that are made before the measured ones.
 *
 * @param name their purpose, for people: {@code warming up}
 * @param requests their number
 * @param recorder is thrown away afterwards
 */
public record SetupPhase(
    String name, long requests, StepRecorder recorder, RequestCounter budget) {}
