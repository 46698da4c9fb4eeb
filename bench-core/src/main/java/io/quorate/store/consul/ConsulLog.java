package io.quorate.store.consul;

import io.quorate.store.server.LogRule;
import io.quorate.store.server.TimedLog;
import java.util.List;
import java.util.Optional;

/** Reads Consul's log: lines with a time, and what its command line says before and after them. */
final class ConsulLog extends TimedLog {
  /** Prefix of messages of Consul's command line, most of which report no error. */
  private static final String COMMAND_LINE = "==> ";

  private static final List<LogRule> RULES =
      List.of(
          LogRule.becameLeader("entering leader state"),
          LogRule.trouble("cluster leadership lost|no cluster leader|No cluster leader"),
          LogRule.trouble("heartbeat timeout reached"),
          LogRule.trouble("failed to contact"),
          LogRule.trouble("failed to (appendEntries|heartbeat)"),
          LogRule.trouble("(?i)rate limit"),
          LogRule.trouble("starting snapshot up to"));

  @Override
  public List<LogRule> rules() {
    return RULES;
  }

  @Override
  public Optional<String> reason(String lastLine) {
    boolean ofError =
        lastLine.startsWith(COMMAND_LINE) && !lastLine.matches(".*(:|\\.\\.\\.|!)\\s*");
    return ofError ? Optional.of(lastLine.substring(COMMAND_LINE.length())) : Optional.empty();
  }
}
