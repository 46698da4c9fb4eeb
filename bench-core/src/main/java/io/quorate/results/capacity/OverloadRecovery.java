package io.quorate.results.capacity;

import java.util.OptionalInt;

/**
 * A database's recovery from an overload.
 *
 * @param overload offered requests per second during the overload
 * @param load offered requests per second after the overload
 * @param watchedSeconds duration of the observation afterwards
 * @param seconds time until all requests were within the limits again; empty if that was not
 *     observed
 */
public record OverloadRecovery(
    long overload, int overloadSeconds, long load, int watchedSeconds, OptionalInt seconds) {}
