// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.NumberFormats;
import io.quorate.store.zookeeper.TransactionLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Writes a scenario from transaction logs of ZooKeeper. */
@Command(name = "zookeeper", resourceBundle = "io.quorate.run.options.commands")
final class ZooKeeperProfileCommand extends QuorateCommand implements Callable<Integer> {
  private static final long BYTES_PER_LINE = 256_000_000;

  @Parameters(paramLabel = "LOG", descriptionKey = "log")
  private Path log;

  @Option(names = "--reads", paramLabel = "RATE", converter = Rate.class)
  private Optional<Long> reads;

  @Option(names = "--from", paramLabel = "TIME", converter = Time.class)
  private Optional<Instant> from;

  @Option(names = "--until", paramLabel = "TIME", converter = Time.class)
  private Optional<Instant> until;

  @Mixin private ProfileOutput output;

  private long before;
  private long shown;

  @Override
  public Integer call() {
    output.check();
    List<Path> files = TransactionLog.files(log);
    long all = files.stream().mapToLong(ZooKeeperProfileCommand::size).sum();
    say(
        "reading %s of transactions from %s ..."
            .formatted(
                NumberFormats.humanizedBytes(all), NumberFormats.count(files.size(), "file")));
    ZooKeeperProfile profile =
        new ZooKeeperProfile(from.orElse(Instant.MIN), until.orElse(Instant.MAX));
    for (Path file : files) {
      TransactionLog.read(file, profile, bytes -> progress(before + bytes, all))
          .ifPresent(
              position ->
                  say(
                      "%s: byte %d: left out an incomplete last entry"
                          .formatted(VisibleText.of(file.toString()), position)));
      before += size(file);
    }
    OptionalLong given = reads.map(OptionalLong::of).orElse(OptionalLong.empty());
    output.write(profile.profile(given).scenario(), out(), err());
    return 0;
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      throw new QuorateException(VisibleText.of(file.toString()) + ": cannot be read", gone);
    }
  }

  private void progress(long bytes, long all) {
    if (bytes - shown >= BYTES_PER_LINE) {
      shown = bytes;
      say(
          "%s of %s"
              .formatted(NumberFormats.humanizedBytes(bytes), NumberFormats.humanizedBytes(all)));
    }
  }

  private void say(String line) {
    err().println(line);
  }

  /** Reads rates such as {@code 900/s}. */
  private static final class Rate implements ITypeConverter<Long> {
    private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,5})/s");

    @Override
    public Long convert(String text) {
      Matcher parts = TEXT.matcher(text);
      if (!parts.matches()) {
        throw new TypeConversionException(
            "found %s, expected a rate such as 900/s".formatted(VisibleText.quoted(text)));
      }
      return Long.valueOf(parts.group(1));
    }
  }

  /** Reads times such as {@code 2026-11-26T09:00:00Z}. */
  private static final class Time implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException wrong) {
        throw new TypeConversionException(
            "found %s, expected a time such as 2026-11-26T09:00:00Z"
                .formatted(VisibleText.quoted(text)));
      }
    }
  }
}
