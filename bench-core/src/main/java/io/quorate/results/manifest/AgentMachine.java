package io.quorate.results.manifest;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * An agent and its machine.
 *
 * @param address {@code host:port} where it listens
 * @param host its name, if it has one
 * @param suite its version of Quorate
 * @param clockAheadMicros by how much its clock was ahead of the load generator's at the start
 */
public record AgentMachine(
    String address,
    Optional<String> host,
    String os,
    String kernel,
    int cores,
    OptionalLong memoryBytes,
    String suite,
    long clockAheadMicros) {}
