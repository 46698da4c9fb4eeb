package io.quorate.cluster;

import io.quorate.store.Access;

/**
 * Servers that serve requests.
 *
 * @param access of clients to them
 */
record StartedServers(GuardedProcesses processes, Access access) {}
