// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import java.util.List;

/**
 * Provides the commands that a module adds to {@code ./quorate}; found with {@link
 * java.util.ServiceLoader}.
 */
public interface CommandProvider {
  /** Returns this command, or several new ones with {@link picocli.CommandLine.Command}. */
  default List<Object> commands() {
    return List.of(this);
  }
}
