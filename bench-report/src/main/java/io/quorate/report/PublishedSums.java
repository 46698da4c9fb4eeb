// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.AtomicFile;
import io.quorate.format.ChecksumFile;
import io.quorate.format.OutputFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SHA-256 sums of all files that were published together, {@code SHA256SUMS}, and the signature
 * of its lines about archives and scenarios, {@code SHA256SUMS.sig}. These never change. All other
 * files follow from them, so that later repetitions and newer reports leave the signature valid.
 * {@code ssh-keygen} signs and verifies, so that keys may be in an agent or in hardware.
 *
 * @param path directory of the published runs
 */
record PublishedSums(Path path) {
  private static final String SIGNATURE = ChecksumFile.NAME + ".sig";

  /** Keeps a signature of other contents with the same key from being one of results. */
  private static final String NAMESPACE = "quorate-results";

  private static final Predicate<String> FACTS =
      Pattern.compile("[^/]+/(?:run\\.tar\\.xz|scenario\\.yaml)").asMatchPredicate();

  private Path file() {
    return path.resolve(ChecksumFile.NAME);
  }

  private Path signature() {
    return path.resolve(SIGNATURE);
  }

  boolean exist() {
    return Files.exists(file());
  }

  /**
   * Writes the sums of files that a command has written, and of archives and scenarios without a
   * sum. Other sums stay, so that the check still finds files that were changed or added by hand.
   */
  void write(Collection<OutputFiles> written) {
    try {
      SortedMap<String, String> sums =
          new TreeMap<>(exist() ? ChecksumFile.read(file()) : Map.of());
      written.forEach(
          files ->
              files.forEach((file, content) -> sums.put(name(file), ChecksumFile.sum(content))));
      SortedMap<String, String> found = found(any -> true);
      sums.keySet().retainAll(found.keySet());
      if (exist()) {
        found.keySet().removeIf(FACTS.negate());
      }
      found.forEach(sums::putIfAbsent);
      AtomicFile.write(file(), ChecksumFile.text(sums));
    } catch (IOException failure) {
      throw FileFailure.unreadable(path, failure);
    }
  }

  private String name(Path file) {
    return path.relativize(file).toString().replace('\\', '/');
  }

  private SortedMap<String, String> found(Predicate<String> names) throws IOException {
    SortedMap<String, String> sums = new TreeMap<>();
    try (Stream<Path> files = Files.walk(path)) {
      for (Path each : (Iterable<Path>) files::iterator) {
        String name = name(each);
        if (Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)
            && names.test(name)
            && !name.equals(ChecksumFile.NAME)
            && !name.equals(SIGNATURE)) {
          sums.put(name, ChecksumFile.sum(each));
        }
      }
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
    return sums;
  }

  /** Returns the sums of the files that never change; none without a file of sums. */
  private SortedMap<String, String> facts() throws IOException {
    SortedMap<String, String> facts = new TreeMap<>(exist() ? ChecksumFile.read(file()) : Map.of());
    facts.keySet().removeIf(FACTS.negate());
    return facts;
  }

  /**
   * Returns which archives and scenarios differ from their sums. A command that writes has to
   * refuse them: its pages and sums would hide the change.
   */
  List<String> changed() {
    try {
      String next = ". Restore it. If the change is meant, first remove its line from " + file();
      return exist()
          ? differences(facts(), found(FACTS)).stream().map(each -> each + next).toList()
          : List.of();
    } catch (IOException failure) {
      throw FileFailure.unreadable(path, failure);
    }
  }

  private List<String> differences(Map<String, String> expected, Map<String, String> found) {
    List<String> differences = new ArrayList<>();
    expected.forEach(
        (name, sum) -> {
          String of = found.get(name);
          if (of == null) {
            differences.add(path.resolve(name) + ": is missing, as SHA256SUMS lists it");
          } else if (!of.equals(sum)) {
            differences.add(
                "%s: its SHA-256 is %s, expected %s".formatted(path.resolve(name), of, sum));
          }
        });
    return differences;
  }

  /** Returns what differs from the sums. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    try {
      Map<String, String> expected = ChecksumFile.read(file());
      SortedMap<String, String> found = found(any -> true);
      problems.addAll(differences(expected, found));
      found.keySet().stream()
          .filter(name -> !expected.containsKey(name))
          .forEach(name -> problems.add(path.resolve(name) + ": is not listed in SHA256SUMS"));
    } catch (NoSuchFileException missing) {
      problems.add(file() + ": is missing: run './quorate report' with its directory");
    } catch (IOException failure) {
      problems.add(FileFailure.unreadable(path, failure).getMessage());
    } catch (QuorateException wrong) {
      problems.add(wrong.getMessage());
    }
    return problems;
  }

  /**
   * Returns why nobody has signed the archives and scenarios; empty if somebody has, or if nobody
   * has to.
   *
   * @param signers file with the keys that are trusted, as {@code ssh-keygen} reads it; without it,
   *     a signature by any key holds
   */
  Optional<String> signatureProblem(Optional<Path> signers) {
    if (!Files.exists(signature())) {
      return signers.map(any -> signature() + ": is missing, so nobody has signed the results");
    }
    try {
      return unsigned(signers).map(why -> signature() + ": " + why);
    } catch (QuorateException impossible) {
      return Optional.of(impossible.getMessage());
    }
  }

  private Optional<String> unsigned(Optional<Path> signers) {
    List<String> check = List.of("-n", NAMESPACE, "-s", signature().toString());
    Output output;
    if (signers.isEmpty()) {
      output = sshKeygen("check-novalidate", check);
    } else {
      List<String> trusted = List.of("-f", signers.get().toString());
      Output signer = sshKeygen("find-principals", joined(trusted, check.subList(2, 4)));
      if (signer.code != 0) {
        return Optional.of("no key of " + signers.get() + " has signed it: " + signer.said());
      }
      // a key may have several names, a line each
      List<String> name = List.of("-I", signer.output.lines().findFirst().orElse(""));
      output = sshKeygen("verify", joined(joined(trusted, name), check));
    }
    return output.code == 0
        ? Optional.empty()
        : Optional.of("does not hold: %s; sign again with --sign".formatted(output.said()));
  }

  /**
   * Signs the sums of archives and scenarios.
   *
   * @param key file with a private key, or with the public key of one in an agent
   */
  void sign(Path key) {
    Output signed = sshKeygen("sign", List.of("-n", NAMESPACE, "-f", key.toString()));
    if (signed.code != 0) {
      throw new QuorateException(
          "cannot sign with %s: %s".formatted(VisibleText.of(key.toString()), signed.said()));
    }
    AtomicFile.write(signature(), signed.output);
  }

  private static List<String> joined(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private record Output(int code, String output, String errors) {
    String said() {
      return (errors.isBlank() ? output : errors)
          .lines()
          .map(VisibleText::line)
          .collect(Collectors.joining("; "));
    }
  }

  private String lines() {
    try {
      return ChecksumFile.text(facts());
    } catch (IOException failure) {
      throw FileFailure.unreadable(file(), failure);
    }
  }

  /**
   * Runs a command of {@code ssh-keygen -Y} on the lines that are signed; a passphrase is asked for
   * at a terminal.
   */
  private Output sshKeygen(String command, List<String> arguments) {
    String lines = lines();
    try {
      Process process =
          new ProcessBuilder(joined(List.of("ssh-keygen", "-Y", command), arguments)).start();
      try (InputStream output = process.getInputStream();
          InputStream errors = process.getErrorStream()) {
        try (OutputStream input = process.getOutputStream()) {
          input.write(lines.getBytes(StandardCharsets.UTF_8));
        } catch (IOException notRead) {
          // the command has ended already, and says why
        }
        String printed = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        String said = new String(errors.readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), printed, said);
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
