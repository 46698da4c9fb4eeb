package io.quorate.load;

/**
 * The times when the load generator fell behind the schedule of an open loop, because its process
 * or its machine stood still. It then caught up at no more than twice the rate.
 *
 * @param count how often
 * @param longestNanos by how much at most
 */
public record Stalls(long count, long longestNanos) {}
