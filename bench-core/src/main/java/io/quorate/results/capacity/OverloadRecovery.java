package io.quorate.results.capacity;

import java.util.OptionalInt;

/**
 * A database's recovery from an overload.
 *
 * @param overload requests per second that were offered
 * @param overloadSeconds for how long
 * @param load requests per second that were offered from then on
 * @param watchedSeconds for how long
 * @param seconds after which all requests were within the limits again; empty if that was not seen
 */
public record OverloadRecovery(
    long overload, int overloadSeconds, long load, int watchedSeconds, OptionalInt seconds) {}
