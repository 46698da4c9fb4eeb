package io.quorate.cluster;

import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.network.RoundTrip;
import io.quorate.store.Access;
import java.util.Map;

/**
 * Started servers that are ready for requests.
 *
 * @param access access of clients to the servers
 * @param roundTrips measured round trips between zones, by the names of both zones; empty without
 *     zones
 */
public record RunningServers(
    GuardedProcesses processes, Access access, Map<String, RoundTrip> roundTrips) {}
