// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

/** Runs the load of a scenario on etcd, in any version. */
public final class EtcdSimulation extends DatabaseSimulation {}
