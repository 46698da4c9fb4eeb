// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/** The guarantee that a store gives for a read, the strongest first, with a text for sentences. */
public enum ReadGuarantee {
  /** It sees every write that was acknowledged before it began; a majority confirms that. */
  LINEARIZABLE("linearizable"),
  /** It sees the writes that the leader knows; no majority confirms that it still leads. */
  SYNCED_WITH_LEADER("synced with the leader, which no majority confirms"),
  /**
   * The leader answers without asking other members; after a partition an old leader may return an
   * old value.
   */
  LEASE_OF_LEADER("answered by the leader, which relies on its lease"),
  /** The asked member answers from its local state, which may be behind. */
  STALE("stale"),
  /** The servers refuse such reads, and so does the reader of scenarios. */
  REFUSED("refused"),
  UNKNOWN("not known");

  private final String text;

  ReadGuarantee(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
