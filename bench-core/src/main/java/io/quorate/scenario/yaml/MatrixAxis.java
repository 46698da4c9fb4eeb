package io.quorate.scenario.yaml;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The axes that a matrix can have, and what of a scenario each of them replaces. */
enum MatrixAxis {
  /** Any keys of a scenario. */
  CASE("case", Place.KEYS, ""),
  /** Keys of a scenario that tell its members, and where they are; or the name of a topology. */
  TOPOLOGY("topology", Place.KEYS, TopologyParser.KEY),
  OPERATION("operation", Place.KEY, "operation"),
  READS("reads", Place.KEY, "reads"),
  TARGET("target", Place.KEY, "routing"),
  VALUE_SIZE("value-size", Place.VALUE_SIZE, "values"),
  LOAD("load", Place.LOAD, "load"),
  VERSION("version", Place.SERVERS, "version"),
  SETTINGS("settings", Place.SERVERS, "settings");

  /** The axis of the databases, which a file tells beside its matrix. */
  static final String DATABASE = "database";

  /** The part of a scenario that a value of an axis replaces. */
  enum Place {
    /** As many keys as the value has. */
    KEYS,
    /** One key, whose value it is. */
    KEY,
    /** The size of the values. */
    VALUE_SIZE,
    /** The load; a number is one of clients. */
    LOAD,
    /** A key of the database. */
    SERVERS
  }

  private final String id;
  private final Place place;
  private final String key;

  MatrixAxis(String id, Place place, String key) {
    this.id = id;
    this.place = place;
    this.key = key;
  }

  /** Returns the name of the axis in a file. */
  String id() {
    return id;
  }

  Place place() {
    return place;
  }

  /**
   * Returns the key of a scenario or database that it replaces; empty if the value tells it. That
   * of a value without a name, if values can be maps of keys, too.
   */
  String key() {
    return key;
  }

  /** Returns whether its values with names are maps. */
  boolean isOfMaps() {
    return place == Place.KEYS || this == SETTINGS;
  }

  /** Returns whether its values have to have names, as they are maps. */
  boolean needsNames() {
    return this == CASE || this == SETTINGS;
  }

  /** Returns what a file has to say. */
  String expected() {
    return switch (this) {
      case CASE -> "a map of names to keys of a scenario, such as {small: {values: {size: 256}}}";
      case TOPOLOGY ->
          "a list of topologies such as [sn-sz, mn-sz, mn-mz], or a map of names to keys of a"
              + " scenario, such as {one: {members: 1}}";
      case SETTINGS -> "a map of names to settings, such as {few: {snapshot-count: 1000}}";
      default -> "a list of values such as " + example() + ", or a map of names to values";
    };
  }

  private String example() {
    return switch (this) {
      case OPERATION -> "[put, get]";
      case READS -> "[linearizable, stale]";
      case TARGET -> "[leader, followers]";
      case VALUE_SIZE -> "[256, 1024]";
      case LOAD -> "[1, 100]";
      default -> "[3.5.35, 3.6.16]";
    };
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(MatrixAxis::id).toList();
  }

  static Optional<MatrixAxis> named(String id) {
    return Arrays.stream(values()).filter(axis -> axis.id.equals(id)).findFirst();
  }
}
