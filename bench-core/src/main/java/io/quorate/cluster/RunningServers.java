package io.quorate.cluster;

import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.network.RoundTrip;
import io.quorate.store.Access;
import java.util.Map;

/**
 * Servers that serve requests.
 *
 * @param access of clients to them
 * @param roundTrips that were measured between zones, by the names of both; empty if nothing is
 *     between members
 */
public record RunningServers(
    GuardedProcesses processes, Access access, Map<String, RoundTrip> roundTrips) {}
