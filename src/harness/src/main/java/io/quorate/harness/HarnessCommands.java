// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.cli.CommandProvider;
import java.util.List;

/** Provides the commands that measure the load generator itself. */
public final class HarnessCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new HarnessCommand());
  }
}
