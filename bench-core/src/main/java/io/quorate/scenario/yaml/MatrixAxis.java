// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The axes that a matrix can have, and the parts of a scenario that they replace. */
enum MatrixAxis {
  /** Any keys of a scenario. */
  VARIANT(
      "variant",
      Place.KEYS,
      "",
      "a map of names to keys of a scenario, such as {small: {values: {size: 256}}}"),
  /** Keys of a scenario that describe its members and their zones; or the name of a topology. */
  TOPOLOGY(
      "topology",
      Place.KEYS,
      TopologyParser.KEY,
      "a list of topologies such as [sn-sz, mn-sz, mn-mz], or a map of names to keys of a"
          + " scenario, such as {one: {members: 1}}"),
  OPERATION("operation", Place.KEY, "operation", values("[put, get]")),
  CONSISTENCY("consistency", Place.KEY, "consistency", values("[linearizable, serializable]")),
  ROUTING("routing", Place.KEY, "routing", values("[leader, followers]")),
  ON_FAILURE("on-failure", Place.KEY, "on-failure", values("[pinned, failover]")),
  VALUES("values", Place.VALUE_SIZE, "values", values("[256, 1024]")),
  LOAD("load", Place.LOAD, "load", values("[1, 100]")),
  VERSION("version", Place.SERVERS, "version", values("[3.5.35, 3.6.16]")),
  CLIENT("client", Place.SERVERS, "client", values("[http2, jetcd]")),
  SETTINGS(
      "settings",
      Place.SERVERS,
      "settings",
      "a map of names to settings, such as {few: {snapshot-count: 1000}}");

  /** The axis of the databases, which a file lists outside its matrix. */
  static final String DATABASE = "database";

  /** The part of a scenario that a value of an axis replaces. */
  enum Place {
    /** All keys of the value. */
    KEYS,
    /** One key with this value. */
    KEY,
    /** The size of the values. */
    VALUE_SIZE,
    /** The load; a number is a number of clients. */
    LOAD,
    /** A key of the database. */
    SERVERS
  }

  /** The name of the axis in a file. */
  final String id;

  final Place place;

  /**
   * The key of a scenario or database that it replaces; empty if the value determines it. If values
   * can be maps of keys as well, the key of a value without a name.
   */
  final String key;

  final String expected;

  MatrixAxis(String id, Place place, String key, String expected) {
    this.id = id;
    this.place = place;
    this.key = key;
    this.expected = expected;
  }

  private static String values(String example) {
    return "a list of values such as " + example + ", or a map of names to values";
  }

  boolean isOfMaps() {
    return place == Place.KEYS || this == SETTINGS;
  }

  boolean needsNames() {
    return this == VARIANT || this == SETTINGS;
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(axis -> axis.id).toList();
  }

  static Optional<MatrixAxis> named(String id) {
    return Arrays.stream(values()).filter(axis -> axis.id.equals(id)).findFirst();
  }
}
