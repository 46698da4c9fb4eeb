// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.Named;

/** The members that clients connect to, the same for every database. */
public enum Routing implements Named {
  /** Round robin over all members. */
  SPREAD,
  LEADER,
  /** Round robin over the members that do not lead. */
  FOLLOWERS,
  /** The member with the least round trip from the load generator. */
  NEAREST,
  /** The members without a vote: learners of etcd, observers of ZooKeeper. */
  NON_VOTER
}
