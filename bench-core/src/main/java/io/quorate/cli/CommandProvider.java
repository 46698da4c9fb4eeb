package io.quorate.cli;

import java.util.List;

/** What a module adds to {@code ./quorate}; found with {@link java.util.ServiceLoader}. */
public interface CommandProvider {
  /** New instances of classes annotated with {@link picocli.CommandLine.Command}. */
  List<Object> commands();
}
