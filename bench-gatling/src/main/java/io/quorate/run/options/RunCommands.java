package io.quorate.run.options;

import io.quorate.cli.CommandProvider;
import java.util.List;

/** Provides the commands that make load. */
public final class RunCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new RunCommand(), new CapacityCommand());
  }
}
