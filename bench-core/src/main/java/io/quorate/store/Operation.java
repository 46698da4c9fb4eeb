// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Arrays;
import java.util.Optional;

/**
 * The operations that requests are made of. An operation that is one {@link Request} for one key
 * creates it here; the load generator composes the others.
 */
public enum Operation {
  PUT("put", Effect.WRITES),
  GET("get", Effect.READS),
  /** Finds out whether a key exists, without its value. */
  EXISTS("exists", Effect.READS),
  DELETE("delete", Effect.REMOVES),
  RANGE("range", Effect.READS),
  COMPARE_AND_SET("compare-and-set", Effect.READS_AND_WRITES),
  TXN("txn", Effect.WRITES),
  /** Reads a key and writes it, repeatedly until no other client has written it in between. */
  STM("stm", Effect.READS_AND_WRITES),
  /** Writes a key, and compacts the history before the latest writes. */
  COMPACT("compact", Effect.WRITES),
  /** Grants a lease, which ends by itself unless it is kept alive. */
  LEASE_GRANT("lease-grant", Effect.OF_LEASES),
  LEASE_KEEPALIVE("lease-keepalive", Effect.OF_LEASES),
  /** Creates an object: a new key next to those of the scenario. */
  CREATE("create", Effect.OF_OBJECTS),
  /** Removes the oldest object. */
  REMOVE("remove", Effect.OF_OBJECTS),
  /** Creates an object, as a Kubernetes API server does: if its key does not exist. */
  OPTIMISTIC_CREATE("optimistic-create", Effect.OF_OBJECTS),
  /** Writes a key if its revision is the last known one; otherwise again with the current one. */
  OPTIMISTIC_UPDATE("optimistic-update", Effect.WRITES),
  /** Removes an object as {@link #OPTIMISTIC_UPDATE} writes it. */
  OPTIMISTIC_DELETE("optimistic-delete", Effect.OF_OBJECTS),
  /** Reads a key that does not exist, for the revision of the store, as an API server does. */
  REVISION("revision", Effect.READS),
  /** Takes a lock, holds it for a time, and releases it. */
  LOCK("lock", Effect.OF_SESSIONS),
  /** Becomes the leader, announces that, leads for a time, and resigns. */
  ELECT("elect", Effect.OF_SESSIONS),
  /** Creates a key of a session, and removes it after a time. */
  REGISTER("register", Effect.OF_SESSIONS),
  /** Opens a session with a key, abandons it, and waits until the store has ended it. */
  EXPIRE("expire", Effect.OF_SESSIONS);

  private enum Effect {
    READS,
    WRITES,
    READS_AND_WRITES,
    REMOVES,
    /** None: it uses leases. */
    OF_LEASES,
    /** It creates or removes objects, which no other operation reads or writes. */
    OF_OBJECTS,
    /** It consists of several requests of a session. */
    OF_SESSIONS
  }

  private final String id;
  private final Effect effect;

  Operation(String id, Effect effect) {
    this.id = id;
    this.effect = effect;
  }

  public String id() {
    return id;
  }

  public boolean isRead() {
    return effect == Effect.READS || effect == Effect.READS_AND_WRITES;
  }

  public boolean isWrite() {
    return effect == Effect.REMOVES || writesValues();
  }

  /** Returns whether it writes or removes keys, of the scenario or of objects. */
  public boolean changesKeys() {
    return isWrite() || effect == Effect.OF_OBJECTS;
  }

  public boolean isOfLeases() {
    return effect == Effect.OF_LEASES;
  }

  /** Returns whether it needs a session, see {@link Store#sessions()}. */
  public boolean isOfSessions() {
    return effect == Effect.OF_SESSIONS;
  }

  public boolean writesValues() {
    return effect == Effect.WRITES || effect == Effect.READS_AND_WRITES;
  }

  /** Returns whether it writes values, of keys or of new objects. */
  public boolean storesValues() {
    return writesValues() || this == CREATE || this == OPTIMISTIC_CREATE;
  }

  public boolean removes() {
    return effect == Effect.REMOVES;
  }

  /**
   * Returns the operation that a store has to support: itself, or the operation of its requests if
   * it has no separate {@link Request}.
   */
  public Operation carriedOut() {
    return switch (this) {
      case STM -> COMPARE_AND_SET;
      case CREATE -> PUT;
      case REMOVE -> DELETE;
      default -> this;
    };
  }

  /**
   * Returns its request for one key.
   *
   * @param value written value, if it writes values
   * @param creates whether it creates the key, if it writes
   * @param consistency consistency of the read, if it reads
   * @throws IllegalArgumentException if it has several keys, or several requests
   */
  public Request ofKey(byte[] key, byte[] value, boolean creates, ReadConsistency consistency) {
    return switch (this) {
      case PUT -> new Request.Put(key, value, creates);
      case GET -> new Request.Get(key, consistency);
      case EXISTS -> new Request.Exists(key, consistency);
      case DELETE -> new Request.Delete(key);
      default -> throw new IllegalArgumentException(id + " is not one request of one key");
    };
  }

  /**
   * Returns the operation of that name; {@code write} and {@code read} are older names of put and
   * get.
   */
  public static Optional<Operation> named(String name) {
    return switch (name) {
      case "write" -> Optional.of(PUT);
      case "read" -> Optional.of(GET);
      default -> Arrays.stream(values()).filter(each -> each.id.equals(name)).findFirst();
    };
  }

  @Override
  public String toString() {
    return id;
  }
}
