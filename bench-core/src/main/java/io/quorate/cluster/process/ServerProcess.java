// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.DiskSpace;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.MemberControl.Impairment;
import io.quorate.store.server.LogEvent;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The process of a server that this program started. */
public final class ServerProcess {
  private static final int SIGNAL_BASE = 128;
  private static final long KILL_LIMIT_SECONDS = 20;

  /** Signals sent from outside, which the server's log does not explain. */
  private static final Set<Integer> OUTSIDE_SIGNALS = Set.of(1, 2, 3, 9, 15);

  private final ServerPlan plan;
  private final Process process;
  private final CompletableFuture<Instant> end;
  private final Optional<LogPipe> pipe;
  private final Starter starter;

  /** An end until then is not a failure. */
  private volatile Instant endExpectedUntil = Instant.MIN;

  /** Starts the server again, with the same command. */
  interface Starter {
    ServerProcess start() throws IOException;
  }

  ServerProcess(ServerPlan plan, Process process, Optional<LogPipe> pipe, Starter starter) {
    this.plan = plan;
    this.process = process;
    this.pipe = pipe;
    this.starter = starter;
    this.end = process.onExit().thenApply(ended -> Instant.now());
  }

  public ServerPlan plan() {
    return plan;
  }

  public LogTail log() {
    return new LogTail(plan.log());
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Describes how the process ended; only for an ended process. */
  public String end() {
    int code = process.exitValue();
    return code > SIGNAL_BASE
        ? "was ended by signal " + (code - SIGNAL_BASE)
        : "ended with exit code " + code;
  }

  /**
   * Stops to read its log.
   *
   * @throws QuorateException if its log passes no pipe
   */
  public Impairment blockLog() {
    LogPipe log = pipe.orElseThrow(() -> new QuorateException("found no pipe that takes its log"));
    log.block();
    return log;
  }

  /** Starts a server that has ended again, on its data. */
  ServerProcess again() throws IOException {
    return starter.start();
  }

  /** Expects that the process ends by itself until a time, which is not a failure then. */
  void expectEnd(Instant until) {
    endExpectedUntil = until;
  }

  /** Ends the process by a signal, which is not a failure. */
  void end(boolean force) {
    expectEnd(Instant.MAX);
    if (force) {
      process.destroyForcibly();
    } else {
      process.destroy();
    }
  }

  Optional<String> failure() {
    return isAlive() || !end.getNow(Instant.now()).isAfter(endExpectedUntil)
        ? Optional.empty()
        : Optional.of(
            plan.name() + " " + end() + fullDisk().orElseGet(() -> "; " + whatItsLogSays()));
  }

  private String whatItsLogSays() {
    if (!wasEndedFromOutside()) {
      Optional<String> reason = log().reasonOfEnd(end.getNow(Instant.now()), plan.kind().log());
      if (reason.isPresent()) {
        return plan.log() + " says: " + reason.get();
      }
    }
    return plan.log() + " does not say why";
  }

  /**
   * Returns a text that follows {@link #end()} if a full device is the cause, with the line of the
   * log that shows it. Empty for other causes.
   */
  public Optional<String> fullDisk() {
    return !wasEndedFromOutside() && log().tellsOfFullDisk()
        ? Optional.of(": " + DiskSpace.noneLeft(plan.data()) + "; " + whatItsLogSays())
        : Optional.empty();
  }

  private boolean wasEndedFromOutside() {
    return OUTSIDE_SIGNALS.contains(process.exitValue() - SIGNAL_BASE);
  }

  void terminate() {
    process.destroy();
  }

  /** Waits until the process has ended; kills it after a limit, or when interrupted. */
  void awaitEnd(Duration limit) {
    Pause.until(() -> process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS));
    process.destroyForcibly();
    try {
      // not interruptible
      process.onExit().orTimeout(KILL_LIMIT_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException late) {
      throw new QuorateException("process " + pid() + " does not end when killed", late);
    }
  }

  /** The last part of a server's log, in a form fit to be shown. */
  public record LogTail(Path log) {
    private static final int MAX_BYTES = 16_384;

    /**
     * Size of the searched part: Go may print thousands of goroutine stacks below the decisive
     * line.
     */
    private static final int MAX_EVIDENCE_BYTES = 4 << 20;

    /** Returns at most the given number of last lines that are not blank, the oldest first. */
    public List<String> lines(int count) {
      List<String> lines =
          text(MAX_BYTES).lines().filter(line -> !line.isBlank()).map(VisibleText::line).toList();
      return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    /** Returns the line that explains why the server ended at that time; empty if none does. */
    public Optional<String> reasonOfEnd(Instant end, ServerLog meaning) {
      return new LogEvidence(meaning, text(MAX_EVIDENCE_BYTES).lines()::iterator)
          .reasonOfEnd(end)
          .map(VisibleText::line);
    }

    /** Returns the last lines as a block below a heading that names the file. */
    public String block(int count) {
      List<String> lines = lines(count);
      return lines.isEmpty()
          ? "Nothing was logged in " + log
          : "Last lines of " + log + ":\n  " + String.join("\n  ", lines);
    }

    public boolean tellsOfTakenPort() {
      return text(MAX_BYTES).toLowerCase(Locale.ROOT).contains("address already in use");
    }

    /** Returns whether the server could not write; a trace of all its threads may follow. */
    boolean tellsOfFullDisk() {
      return DiskSpace.tells(text(MAX_EVIDENCE_BYTES));
    }

    private String text(int maxBytes) {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
        long start = Math.max(0, file.length() - maxBytes);
        file.seek(start);
        byte[] bytes = new byte[(int) Math.min(maxBytes, file.length() - start)];
        int read = Math.max(0, file.read(bytes));
        return new String(bytes, 0, read, StandardCharsets.UTF_8);
      } catch (IOException unreadable) {
        return "(cannot read " + log + ": " + unreadable.getMessage() + ")";
      }
    }

    /** Finds the error just before the end of a server, which need not be the last line. */
    static final class LogEvidence {
      /** How long before the end an error may be its cause; an older one was survived. */
      private static final Duration JUST_BEFORE = Duration.ofSeconds(10);

      /** Messages of Go and Java about causes outside the server. */
      private static final List<String> RESOURCES =
          List.of("no space left on device", "disk quota exceeded", "too many open files");

      /** Lines of the runtimes of Go and Java and of the shell about a process that they end. */
      private static final Pattern LAST_WORDS =
          Pattern.compile(
              "(panic: |fatal error: |quorate-launch: |Error: |Exception in thread "
                  + "|Error occurred during initialization of VM"
                  + "|Terminating due to java\\.lang\\.OutOfMemoryError"
                  + "|# A fatal error has been detected).*");

      private static final Pattern EXCEPTION =
          Pattern.compile("(?:Caused by: )?((?:[\\w$]+\\.)+[\\w$]*(?:Exception|Error)(?:: .*)?)");

      private final ServerLog log;
      private final List<LogEvent> errors = new ArrayList<>();
      private boolean withinError;
      private String last = "";

      LogEvidence(ServerLog log, Iterable<String> lines) {
        this.log = log;
        for (String line : lines) {
          Optional<LogEvent> event = log.event(line).or(() -> lastWords(line));
          if (event.isPresent()) {
            add(event.get());
          } else if (withinError) {
            exception(line).ifPresent(this::addCause);
          }
          if (!line.isBlank()) {
            last = line;
          }
        }
      }

      /**
       * Returns the line that explains why a server ended at that time. Of several errors it
       * prefers one that names an exhausted resource, then the first fatal one, then the last one
       * with a cause, then the last one.
       */
      Optional<String> reasonOfEnd(Instant end) {
        List<LogEvent> recent = errors.stream().filter(error -> isRecent(error, end)).toList();
        return recent.stream()
            .filter(LogEvidence::namesResource)
            .max(Comparator.comparing(LogEvent::severity))
            .or(
                () ->
                    recent.stream()
                        .filter(error -> error.severity() == LogEvent.Severity.FATAL)
                        .findFirst())
            .or(() -> recent.stream().filter(LogEvent::tellsCause).reduce((one, other) -> other))
            .or(() -> recent.stream().reduce((one, other) -> other))
            .map(LogEvent::text)
            .or(() -> log.reason(last));
      }

      private static Optional<LogEvent> lastWords(String line) {
        return LAST_WORDS.matcher(line).matches()
            ? Optional.of(new LogEvent(LogEvent.Severity.FATAL, Optional.empty(), line, true))
            : Optional.empty();
      }

      /** Returns the exception that a line below an event names, as in Java's stack traces. */
      private static Optional<String> exception(String line) {
        Matcher exception = EXCEPTION.matcher(line);
        return exception.matches() ? Optional.of(exception.group(1)) : Optional.empty();
      }

      private void add(LogEvent event) {
        if (event.time().isPresent()) {
          // a line without a time was logged before
          for (int i = errors.size() - 1; i >= 0 && errors.get(i).time().isEmpty(); i--) {
            errors.set(i, errors.get(i).at(event.time()));
          }
        }
        withinError = event.severity() != LogEvent.Severity.INFO;
        if (withinError) {
          errors.add(event);
        }
      }

      private void addCause(String exception) {
        LogEvent error = errors.remove(errors.size() - 1);
        errors.add(error.text().endsWith(exception) ? error : error.with(exception));
      }

      private static boolean isRecent(LogEvent error, Instant end) {
        return error.time().map(time -> !time.isBefore(end.minus(JUST_BEFORE))).orElse(true);
      }

      private static boolean namesResource(LogEvent error) {
        String text = error.text().toLowerCase(Locale.ROOT);
        return RESOURCES.stream().anyMatch(text::contains);
      }
    }
  }
}
