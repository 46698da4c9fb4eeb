// SPDX-License-Identifier: Apache-2.0
package io.quorate.doctor;

import io.quorate.cli.CommandProvider;
import java.util.List;

/** Provides the command that explains why a database was slow. */
public final class DoctorCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new DoctorCommand());
  }
}
