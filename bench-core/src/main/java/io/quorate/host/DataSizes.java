package io.quorate.host;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.cluster.Member;
import io.quorate.format.AtomicFile;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Measures how much space the data of members takes, here or where agents run them. */
final class DataSizes {
  private final Optional<RemoteMetrics> remote;
  private final SamplingWarnings remarks;

  /**
   * @param remote asked for the sizes if the members are elsewhere
   * @param remarks get the reason if a size is not known
   */
  DataSizes(Optional<RemoteMetrics> remote, SamplingWarnings remarks) {
    this.remote = remote;
    this.remarks = remarks;
  }

  /** Measures the data of each member and writes the file, unless no size is known. */
  void write(List<Member> members, Path file) {
    CsvText text =
        new CsvText()
            .row("INDEX", "DATABASE-ENDPOINT", "DISK-SPACE-USAGE", "DISK-SPACE-USAGE-BYTES-NUM");
    boolean any = false;
    for (Member member : members) {
      Optional<Long> bytes = of(member);
      bytes.ifPresent(known -> text.row(cells(member, known)));
      any |= bytes.isPresent();
    }
    if (any) {
      try {
        AtomicFile.write(file, text.toString());
      } catch (QuorateException impossible) {
        remarks.add(impossible.getMessage());
      }
    }
  }

  /** Returns the cells of a member, which the reference counts from 0 here. */
  private static String[] cells(Member member, long bytes) {
    return new String[] {
      Integer.toString(member.index() - 1),
      member.endpoint().toString(),
      NumberFormats.humanizedBytes(bytes),
      Long.toString(bytes)
    };
  }

  /** Returns the current size of a member's data; empty, with a remark, if it is not known. */
  Optional<Long> of(Member member) {
    return remote.isPresent()
        ? remote.get().dataBytes(member.index())
        : member.dataDirectory().flatMap(directory -> below(member, directory));
  }

  private Optional<Long> below(Member member, Path directory) {
    try {
      return Optional.of(bytesBelow(directory));
    } catch (IOException impossible) {
      remarks.add(
          member.name() + ": the size of its data is not known: " + FileFailure.reason(impossible));
      return Optional.empty();
    }
  }

  /**
   * Sums up the apparent sizes of all regular files below a directory, hidden ones too; links are
   * not followed. Files that a server removes meanwhile do not count.
   *
   * @throws IOException if there is no such directory, or something in it cannot be looked at
   */
  static long bytesBelow(Path directory) throws IOException {
    AtomicLong bytes = new AtomicLong();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.addAndGet(attributes.isRegularFile() ? attributes.size() : 0);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (file.equals(directory) || Files.exists(file)) {
              throw failure;
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.get();
  }
}
