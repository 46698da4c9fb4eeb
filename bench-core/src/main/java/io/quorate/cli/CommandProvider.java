// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import java.util.List;

/**
 * Provides the commands that a module adds to {@code ./quorate}; found with {@link
 * java.util.ServiceLoader}.
 */
public interface CommandProvider {
  /** Returns new instances of classes annotated with {@link picocli.CommandLine.Command}. */
  List<Object> commands();
}
