package io.quorate.store.consul;

import io.quorate.store.server.TimedLog;
import java.util.Optional;

/** Reads Consul's log: lines with a time, and what its command line says before and after them. */
final class ConsulLog extends TimedLog {
  /** Prefix of messages of Consul's command line, most of which report no error. */
  private static final String COMMAND_LINE = "==> ";

  @Override
  public Optional<String> reason(String lastLine) {
    boolean ofError =
        lastLine.startsWith(COMMAND_LINE) && !lastLine.matches(".*(:|\\.\\.\\.|!)\\s*");
    return ofError ? Optional.of(lastLine.substring(COMMAND_LINE.length())) : Optional.empty();
  }
}
