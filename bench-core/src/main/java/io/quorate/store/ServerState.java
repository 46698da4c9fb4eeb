package io.quorate.store;

/**
 * The state that a server reports about itself.
 *
 * @param version such as {@code 3.7.3}; empty if it did not say
 * @param ready whether it serves requests, so has a leader
 * @param leads whether it is the leader, or alone
 * @param said its answer in a few words, for a person
 */
public record ServerState(String version, boolean ready, boolean leads, String said) {}
