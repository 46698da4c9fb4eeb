package io.quorate.harness;

import io.quorate.cli.CommandProvider;
import java.util.List;

/** What measuring the load generator itself adds to {@code ./quorate}. */
public final class HarnessCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new HarnessCommand());
  }
}
