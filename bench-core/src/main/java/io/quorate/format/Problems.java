// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.QuorateException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Collects the problems of several files or options, so that they are reported together. */
public final class Problems {
  private final Consumer<Path> check;
  private final List<String> messages = new ArrayList<>();
  private final List<Unreadable> unreadable = new ArrayList<>();

  public Problems() {
    this(file -> {});
  }

  /**
   * @param check throws a {@link QuorateException} about a file that must not be read
   */
  public Problems(Consumer<Path> check) {
    this.check = check;
  }

  /** Returns the result of reading; empty if a {@link QuorateException} is thrown and kept. */
  public <T> Optional<T> attempt(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (QuorateException problem) {
      messages.add(problem.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Does a part of some work; a {@link QuorateException} is kept, so that the next part follows.
   */
  public void attempt(Runnable part) {
    try {
      part.run();
    } catch (QuorateException problem) {
      messages.add(problem.getMessage());
    }
  }

  /** Returns the result of reading a file as {@link #attempt(Supplier)} does. */
  public <T> Optional<T> attempt(Path file, String consequence, Supplier<T> reading) {
    try {
      check.accept(file);
      return Optional.of(reading.get());
    } catch (QuorateException problem) {
      add(file, problem.getMessage(), consequence);
      return Optional.empty();
    }
  }

  public void add(String problem) {
    messages.add(problem);
  }

  public void add(Path file, String problem, String consequence) {
    add(new Unreadable(file, problem, consequence));
  }

  public void add(Unreadable file) {
    messages.add(file.problem());
    unreadable.add(file);
  }

  public List<Unreadable> unreadable() {
    return List.copyOf(unreadable);
  }

  public void throwIfAny() {
    QuorateException.throwIfAny(messages);
  }
}
