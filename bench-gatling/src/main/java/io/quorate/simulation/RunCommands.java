package io.quorate.simulation;

import io.quorate.cli.CommandProvider;
import java.util.List;

/** What making load adds to {@code ./quorate}. */
public final class RunCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new RunCommand());
  }
}
