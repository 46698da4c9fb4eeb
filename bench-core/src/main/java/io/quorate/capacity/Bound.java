package io.quorate.capacity;

/**
 * A load, and the trials that decided about it.
 *
 * @param load requests per second, or clients
 * @param passed how many of the trials that decided were within the limits
 * @param trials how many decided
 */
public record Bound(long load, int passed, int trials) {}
