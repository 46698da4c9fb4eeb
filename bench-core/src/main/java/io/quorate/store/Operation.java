package io.quorate.store;

import java.util.Arrays;
import java.util.Optional;

/** The operations that requests are made of. */
public enum Operation {
  PUT("put"),
  GET("get"),
  DELETE("delete"),
  RANGE("range"),
  COMPARE_AND_SET("compare-and-set"),
  TXN("txn"),
  /** Reads a key and writes it back, again and again until nobody else came between. */
  STM("stm"),
  /** Writes a key, and forgets the history before the latest writes. */
  COMPACT("compact");

  private final String id;

  Operation(String id) {
    this.id = id;
  }

  /** Returns the name in scenarios and files. */
  public String id() {
    return id;
  }

  /** Returns whether it changes what is stored. */
  public boolean isWrite() {
    return this != GET && this != RANGE;
  }

  /**
   * Returns whether there are {@link Request}s of this operation; else it is made of those of other
   * operations.
   */
  public boolean isRequest() {
    return this != STM;
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
