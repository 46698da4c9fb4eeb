package io.quorate.agent;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.HostAddress;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.CertificateAuthority.Purpose;
import io.quorate.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes the keys of one set of agents and of the load generator that may use them: {@code
 * agents/HOST/} for each agent's host and {@code client/}, each with its certificate, its private
 * key and the certificate of their common authority. The authority's own key is kept nowhere, so
 * nobody can add to the set: for another host, all are made anew.
 */
public final class KeyMaker {
  private KeyMaker() {}

  /**
   * Creates a set of keys.
   *
   * @param directory must be empty or not be there
   * @param hosts at which load generators reach the agents: names or IPv4 addresses
   * @throws QuorateException if a host is none, or the directory is not empty; nothing is written
   *     then
   */
  public static void make(Path directory, List<String> hosts, Instant now, Duration validity) {
    Set<String> distinct = distinct(hosts);
    try {
      requireEmpty(directory);
      CertificateAuthority authority = new CertificateAuthority("Quorate agents", now, validity);
      Files.createDirectories(directory.toAbsolutePath().normalize().getParent());
      if (!Files.exists(directory)) {
        PrivateFiles.createDirectory(directory);
      }
      Path agents = PrivateFiles.createDirectory(directory.resolve("agents"));
      for (String host : distinct) {
        // so that the keys of an agent do not let anybody into another one
        authority
            .issue("CN=" + host, Purpose.SERVER, List.of(host))
            .write(agents.resolve(host), KeyDirectory.AGENT);
      }
      authority
          .issue("CN=Quorate load generator", Purpose.CLIENT, List.of())
          .write(directory.resolve("client"), KeyDirectory.CLIENT);
    } catch (IOException impossible) {
      throw new QuorateException(
          VisibleText.of(directory + ": keys cannot be written: " + FileFailure.reason(impossible)),
          impossible);
    }
  }

  private static Set<String> distinct(List<String> hosts) {
    Set<String> distinct = new TreeSet<>();
    List<String> problems = new ArrayList<>();
    for (String host : hosts) {
      HostAddress.canonical(host)
          .filter(known -> known.indexOf(':') < 0)
          .ifPresentOrElse(
              distinct::add,
              () ->
                  problems.add(
                      "host %s: expected a name or an IPv4 address, without a port"
                          .formatted(VisibleText.quoted(host))));
    }
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    if (distinct.isEmpty()) {
      throw new QuorateException("no host: expected at least one, such as 127.0.0.1");
    }
    return distinct;
  }

  private static void requireEmpty(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> content = Files.list(directory)) {
      if (content.findAny().isPresent()) {
        throw new QuorateException(
            directory
                + " is not empty, and no key is ever overwritten: name a directory that is not"
                + " there");
      }
    }
  }
}
