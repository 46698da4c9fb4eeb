// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.AtomicFile;
import io.quorate.format.ChecksumFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SHA-256 sums of all files that were published together, {@code SHA256SUMS}, and its signature
 * by an SSH key, {@code SHA256SUMS.sig}, if it was signed. {@code ssh-keygen} signs and verifies,
 * so that keys may be in an agent or in hardware.
 *
 * @param path directory of the published runs
 */
record PublishedSums(Path path) {
  private static final String SIGNATURE = ChecksumFile.NAME + ".sig";

  /** Keeps a signature of other contents with the same key from being one of results. */
  private static final String NAMESPACE = "quorate-results";

  private Path file() {
    return path.resolve(ChecksumFile.NAME);
  }

  private Path signature() {
    return path.resolve(SIGNATURE);
  }

  /** Writes the sums of all files; an earlier signature stays, and does not hold any more. */
  void write() {
    try {
      AtomicFile.write(file(), ChecksumFile.text(found()));
    } catch (IOException failure) {
      throw FileFailure.unreadable(path, failure);
    }
  }

  private SortedMap<String, String> found() throws IOException {
    SortedMap<String, String> sums = new TreeMap<>();
    try (Stream<Path> files = Files.walk(path)) {
      for (Path each : (Iterable<Path>) files.sorted()::iterator) {
        String name = path.relativize(each).toString().replace('\\', '/');
        if (Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)
            && !name.equals(ChecksumFile.NAME)
            && !name.equals(SIGNATURE)) {
          sums.put(name, ChecksumFile.sum(each));
        }
      }
    }
    return sums;
  }

  /**
   * Returns what differs from the sums, and why a signature does not hold.
   *
   * @param signers file with the keys that are trusted, as {@code ssh-keygen} reads it; without it,
   *     a signature by any key holds
   */
  List<String> problems(Optional<Path> signers) {
    List<String> problems = new ArrayList<>();
    try {
      Map<String, String> expected = ChecksumFile.read(file());
      SortedMap<String, String> found = found();
      expected.forEach(
          (name, sum) -> {
            String of = found.remove(name);
            if (of == null) {
              problems.add(path.resolve(name) + ": is missing, as SHA256SUMS lists it");
            } else if (!of.equals(sum)) {
              problems.add(
                  "%s: its SHA-256 is %s, expected %s".formatted(path.resolve(name), of, sum));
            }
          });
      found
          .keySet()
          .forEach(name -> problems.add(path.resolve(name) + ": is not listed in SHA256SUMS"));
      if (signers.isPresent() && !Files.exists(signature())) {
        problems.add(signature() + ": is missing, so nobody has signed the results");
      } else if (Files.exists(signature())) {
        signatureProblem(signers).ifPresent(why -> problems.add(signature() + ": " + why));
      }
    } catch (NoSuchFileException missing) {
      problems.add(file() + ": is missing: run './quorate report' with its directory");
    } catch (IOException failure) {
      problems.add(FileFailure.unreadable(path, failure).getMessage());
    }
    return problems;
  }

  private Optional<String> signatureProblem(Optional<Path> signers) {
    List<String> check = List.of("-n", NAMESPACE, "-s", signature().toString());
    Output output;
    if (signers.isEmpty()) {
      output = sshKeygen("check-novalidate", check);
    } else {
      List<String> trusted = List.of("-f", signers.get().toString());
      Output signer = sshKeygen("find-principals", joined(trusted, check.subList(2, 4)));
      if (signer.code != 0) {
        return Optional.of("no key of " + signers.get() + " has signed it: " + signer.text());
      }
      List<String> name = List.of("-I", signer.text().lines().findFirst().orElse(""));
      output = sshKeygen("verify", joined(joined(trusted, name), check));
    }
    return output.code == 0
        ? Optional.empty()
        : Optional.of("does not hold: %s; sign again with --sign".formatted(output.text()));
  }

  /**
   * Signs the sums.
   *
   * @param key file with a private key, or with the public key of one in an agent
   */
  void sign(Path key) {
    Output signed = sshKeygen("sign", List.of("-n", NAMESPACE, "-f", key.toString()));
    if (signed.code != 0) {
      throw new QuorateException(
          "cannot sign with %s: %s".formatted(VisibleText.of(key.toString()), signed.text()));
    }
    AtomicFile.write(signature(), new String(signed.bytes, StandardCharsets.UTF_8));
  }

  private static List<String> joined(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private record Output(int code, byte[] bytes) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8)
          .lines()
          .map(VisibleText::line)
          .collect(Collectors.joining("; "));
    }
  }

  /**
   * Runs a command of {@code ssh-keygen -Y} on the sums; a passphrase is asked for at a terminal.
   */
  private Output sshKeygen(String command, List<String> arguments) {
    try {
      Process process =
          new ProcessBuilder(joined(List.of("ssh-keygen", "-Y", command), arguments))
              .redirectInput(file().toFile())
              .redirectErrorStream(!command.equals("sign"))
              .start();
      try (InputStream output = process.getInputStream();
          InputStream errors = process.getErrorStream()) {
        byte[] bytes = output.readAllBytes();
        byte[] said = errors.readAllBytes();
        int code = process.waitFor();
        return new Output(code, code == 0 ? bytes : bytes.length > 0 ? bytes : said);
      }
    } catch (IOException missing) {
      throw new QuorateException(
          "cannot run ssh-keygen: install openssh-client 8.2 or newer", missing);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while ssh-keygen ran", stop);
    }
  }
}
