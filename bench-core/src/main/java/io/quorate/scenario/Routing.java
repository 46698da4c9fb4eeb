package io.quorate.scenario;

/** Which members the connections go to, the same for every database. */
public enum Routing {
  /** Round robin over all members. */
  SPREAD,
  LEADER,
  /** Round robin over the members that do not lead. */
  FOLLOWERS
}
