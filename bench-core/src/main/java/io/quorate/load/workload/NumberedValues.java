package io.quorate.load.workload;

import java.util.function.LongUnaryOperator;

/**
 * The values that a series of requests writes, among all values of a run.
 *
 * @param source of all values of the run
 * @param first number of the value of request 0
 * @param keyOf gives the number of the key to which a numbered value of the run is written;
 *     negative if it is written to none
 */
record NumberedValues(ValueSource source, long first, LongUnaryOperator keyOf) {}
