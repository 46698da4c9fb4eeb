// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.quorate.FileAction;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Finds the simulated machine whose process opened a connection, from the sockets and processes in
 * Linux's {@code /proc}. A process belongs to the machine whose directory is its working directory.
 * Takes some milliseconds; for one thread.
 */
final class SocketOwners {
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int INODE = 9;
  private static final String CLOSED = "0";

  private final Path proc;
  private final List<Path> directories;
  private final Map<String, Integer> machines = new HashMap<>();

  /**
   * Creates a search. Machines are in the order of their directories; an empty path belongs to no
   * machine.
   */
  SocketOwners(Path proc, List<Path> directories) {
    this.proc = proc;
    this.directories = List.copyOf(directories);
  }

  /**
   * Returns the machine that opened a connection from one address to another; empty if no process
   * of a machine has it.
   */
  OptionalInt machine(InetSocketAddress from, InetSocketAddress to) throws IOException {
    Optional<String> socket = socket(from, to);
    if (socket.isEmpty()) {
      return OptionalInt.empty();
    }
    OptionalInt known = owner(socket.get());
    if (known.isPresent()) {
      return known;
    }
    findProcesses(); // the process may have been started since
    return owner(socket.get());
  }

  /** Returns whether some process has the other end of a connection. */
  boolean isOpen(InetSocketAddress from, InetSocketAddress to) throws IOException {
    return socket(from, to).isPresent();
  }

  private Optional<String> socket(InetSocketAddress from, InetSocketAddress to) throws IOException {
    for (String table : List.of("self/net/tcp", "self/net/tcp6")) {
      Path file = proc.resolve(table);
      if (!Files.isReadable(file)) {
        continue;
      }
      try (Stream<String> lines = Files.lines(file)) {
        Optional<String> inode =
            lines
                .map(line -> line.strip().split("\\s+"))
                .filter(cells -> cells.length > INODE)
                .filter(
                    cells -> cells[LOCAL].endsWith(hex(from)) && cells[REMOTE].endsWith(hex(to)))
                .filter(cells -> !cells[INODE].equals(CLOSED))
                .map(cells -> "socket:[" + cells[INODE] + "]")
                .findFirst();
        if (inode.isPresent()) {
          return inode;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns an address in the format of the tables: the bytes of the address in reverse order, and
   * the port.
   */
  static String hex(InetSocketAddress address) {
    byte[] bytes = ((Inet4Address) address.getAddress()).getAddress();
    return "%02X%02X%02X%02X:%04X"
        .formatted(bytes[3], bytes[2], bytes[1], bytes[0], address.getPort());
  }

  private OptionalInt owner(String socket) {
    for (Map.Entry<String, Integer> process : machines.entrySet()) {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(proc.resolve(process.getKey()).resolve("fd"))) {
        for (Path file : files) {
          if (isLinkTo(file, socket)) {
            return OptionalInt.of(process.getValue());
          }
        }
      } catch (IOException ended) {
        continue;
      }
    }
    return OptionalInt.empty();
  }

  private static boolean isLinkTo(Path file, String target) {
    return FileAction.attempt(() -> Files.readSymbolicLink(file).toString().equals(target))
        .orElse(false);
  }

  private void findProcesses() throws IOException {
    machines.clear();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        machineOf(process)
            .ifPresent(machine -> machines.put(process.getFileName().toString(), machine));
      }
    }
  }

  private OptionalInt machineOf(Path process) {
    try {
      Path works = Files.readSymbolicLink(process.resolve("cwd"));
      int machine = directories.indexOf(works);
      return machine < 0 ? OptionalInt.empty() : OptionalInt.of(machine);
    } catch (IOException endedOrAnotherUsers) {
      return OptionalInt.empty();
    }
  }
}
