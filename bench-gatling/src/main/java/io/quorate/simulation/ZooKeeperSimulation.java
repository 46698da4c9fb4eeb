// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

/** Runs the load of a scenario on ZooKeeper, in any version. */
public final class ZooKeeperSimulation extends DatabaseSimulation {}
