// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.FileAction;
import io.quorate.Named;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.MemberControl.Impairment;
import io.quorate.format.NumberFormats;
import io.quorate.format.Problems;
import io.quorate.format.StrictJson;
import io.quorate.install.TemporaryDirectory;
import io.quorate.scenario.PowerCut;
import io.quorate.store.server.ProgramLocator;
import io.quorate.stores.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A data directory of a member whose power can be cut: a file system in user space ({@code
 * src/databases/powercut}). Its process, and with it the mount, ends with {@link #close} or with
 * this JVM. For one thread at a time.
 */
public final class PowerCutDisk implements AutoCloseable {
  private static final Path DEVICE = Path.of("/dev/fuse");
  private static final Duration END_LIMIT = Duration.ofSeconds(5);

  /** Time limit for one answer; a cut takes milliseconds. */
  private static final long ANSWER_SECONDS = 30;

  private static final String SETTLE = "settle";

  private final Process process;
  private final OutputStream commands;
  private final BufferedReader answers;
  private final PowerCut rules;

  /**
   * What a cut discarded, because it was not synced.
   *
   * @param bytes bytes in sectors that have other content now, and in parts of files that are gone
   * @param files files with such bytes
   * @param entries entries of directories that were created, removed or renamed
   */
  public record Loss(long bytes, long files, long entries) {
    public boolean isNothing() {
      return bytes == 0 && entries == 0;
    }

    public String text() {
      return isNothing()
          ? "nothing"
          : "%s bytes in %s and %s"
              .formatted(
                  NumberFormats.commas(bytes),
                  NumberFormats.count(files, "file"),
                  entries == 1 ? "1 entry" : NumberFormats.commas(entries) + " entries");
    }
  }

  /** What a disk does wrong while it has power. */
  public enum Defect implements Named {
    /** Each sync takes 200 ms longer. */
    SLOW,
    /** Each call that writes data or makes an entry fails: no space left on device. */
    FULL,
    /** Each sync fails, and makes nothing durable: input/output error. */
    FAILING
  }

  /** A line of the helper: where it has mounted, why it cannot, or what a cut discarded. */
  private record Answer(
      Optional<String> path,
      Optional<String> error,
      OptionalLong bytes,
      OptionalLong files,
      OptionalLong entries,
      OptionalLong affected) {}

  private PowerCutDisk(Process process, PowerCut rules) {
    this.process = process;
    this.commands = process.getOutputStream();
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.rules = rules;
  }

  /**
   * Makes a data directory: a link to the mount, which only processes of this user reach.
   *
   * @param directory new directory for the files below the mount
   * @param data path of the link
   * @throws QuorateException if this machine does not permit it, with the reason
   */
  static PowerCutDisk mount(Path program, Path directory, Path data, PowerCut rules) {
    return FileAction.require(
        "cannot mount " + data,
        () -> {
          Files.createDirectories(directory);
          PowerCutDisk disk = start(program, directory, rules);
          Files.createSymbolicLink(data, Path.of(disk.answer().path().orElseThrow()));
          return disk;
        });
  }

  private static PowerCutDisk start(Path program, Path directory, PowerCut rules)
      throws IOException {
    Process process =
        new ProcessBuilder(program.toString(), directory.toString(), rules.entries().id())
            .redirectErrorStream(true)
            .start();
    return new PowerCutDisk(process, rules);
  }

  /**
   * Returns why no power can be cut on this machine, and what to do; empty if it can. Mounts once.
   */
  public static Optional<String> obstacle(ProgramLocator installed) {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux")) {
      return Optional.of("found no Linux, which has the file system in user space that it needs");
    }
    if (!Files.isReadable(DEVICE) || !Files.isWritable(DEVICE)) {
      return Optional.of(
          "found no /dev/fuse that this user may open: load it (modprobe fuse); in a container, start that with --device /dev/fuse --security-opt seccomp=unconfined");
    }
    try (TemporaryDirectory directory = TemporaryDirectory.create();
        PowerCutDisk probe =
            start(installed.require(Stores.POWER_CUT), directory.path(), PowerCut.DEFAULT)) {
      probe.answer();
      return Optional.empty();
    } catch (QuorateException | IOException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
  }

  private Answer answer() throws IOException {
    CompletableFuture<Void> overdue =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(ANSWER_SECONDS, TimeUnit.SECONDS));
    String line = answers.readLine();
    if (!overdue.cancel(false)) {
      throw new QuorateException("powercut did not answer within " + ANSWER_SECONDS + " s");
    }
    if (line == null) {
      throw new QuorateException("the file system of a power cut has ended");
    }
    if (!line.startsWith("{")) {
      throw new QuorateException(
          VisibleText.line(line)
              + (line.contains("user namespace")
                  ? ": permit user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)"
                  : ""));
    }
    Answer answer = StrictJson.parse("powercut", 1, line, Answer.class);
    if (answer.error().isPresent()) {
      throw new QuorateException("powercut: " + VisibleText.line(answer.error().get()));
    }
    return answer;
  }

  private Answer ask(String command) {
    send(command);
    return FileAction.require("powercut does not answer", this::answer);
  }

  private void send(String command) {
    FileAction.require(
        "powercut does not answer",
        () -> {
          commands.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
          commands.flush();
        });
  }

  /** Makes everything durable that was written so far, as if that was some time ago. */
  void settle() {
    ask(SETTLE);
  }

  /** Makes everything durable, unless new clusters are meant; syncs begin to lie, if they do. */
  void formed() {
    if (!rules.isNew()) {
      settle();
    }
    if (rules.disk() == PowerCut.Disk.LYING) {
      ask("honest off");
    }
  }

  /**
   * Holds all calls of disks from now on; none of them is answered before the cut. The first disk
   * waits up to 20 ms until it has unsynced data, and the others follow at once.
   *
   * @param begins runs when the first disk answers no more
   */
  static void freeze(List<PowerCutDisk> all, Runnable begins) {
    all.get(0).ask("freeze unsynced");
    begins.run();
    List<PowerCutDisk> others = all.subList(1, all.size());
    Problems problems = new Problems(); // each question has its answer, whatever the others do
    others.forEach(each -> problems.attempt(() -> each.send("freeze")));
    others.forEach(
        each ->
            problems.attempt(
                () -> {
                  FileAction.require("powercut does not answer", each::answer);
                }));
    problems.throwIfAny();
  }

  /**
   * Discards what was not synced, and mounts again; calls that were held fail.
   *
   * @param seed of what survives by chance
   */
  Loss cut(long seed) {
    boolean isStrict = rules.durability() == PowerCut.Durability.STRICT;
    Answer lost = ask("cut " + rules.durability().id() + (isStrict ? "" : " " + seed));
    return new Loss(lost.bytes().orElse(0), lost.files().orElse(0), lost.entries().orElse(0));
  }

  /**
   * Lets the disk do something wrong until the impairment is closed.
   *
   * @param after runs then
   */
  Impairment impair(Defect defect, Runnable after) {
    ask("impair " + defect.id());
    return new Impairment() {
      @Override
      public boolean isObserved() {
        return ask("affected").affected().orElse(0) > 0;
      }

      @Override
      public boolean mayEndProcess() {
        return true;
      }

      @Override
      public void close() {
        ask("impair sound");
        after.run();
      }
    };
  }

  /** Ends the file system. Idempotent. */
  @Override
  public void close() {
    try {
      commands.close();
    } catch (IOException ended) {
      // it has ended already
    }
    Pause.until(() -> process.waitFor(END_LIMIT.toNanos(), TimeUnit.NANOSECONDS));
    process.destroyForcibly();
  }
}
