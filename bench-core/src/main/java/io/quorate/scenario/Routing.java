package io.quorate.scenario;

/** The members to which the connections go, the same for every database. */
public enum Routing {
  /** Round robin over all members. */
  SPREAD,
  LEADER,
  /** Round robin over the members that do not lead. */
  FOLLOWERS
}
