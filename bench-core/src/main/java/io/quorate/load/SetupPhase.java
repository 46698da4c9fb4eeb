// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.measure.StepRecorder;

/**
 * A phase of requests before the measured ones.
 *
 * @param name their purpose as readable text: {@code warming up}
 * @param before number of requests of the same purpose before them
 * @param requests their number; 0 if time decides about it
 * @param recorder their recorder, which is discarded afterwards
 */
public record SetupPhase(
    String name, long before, long requests, StepRecorder recorder, RequestCounter budget) {}
