// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.install.DirectoryTree;
import io.quorate.store.HostAddress;
import io.quorate.tls.CertificateAuthority;
import io.quorate.tls.CertificateAuthority.Purpose;
import io.quorate.tls.IssuedKey;
import io.quorate.tls.PrivateFiles;
import io.quorate.tls.SafePath;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * The certificate and key of one end of a connection, and the authority that must have issued the
 * other end's certificate: {@code ca.crt} and {@code agent.crt}, {@code agent.key} or {@code
 * client.crt}, {@code client.key}.
 *
 * @param path path as the user wrote it
 */
public record KeyDirectory(Path path) {
  static final String AUTHORITY = IssuedKey.AUTHORITY;
  static final String AGENT = "agent";
  static final String CLIENT = "client";

  /**
   * Makes the keys of one set of agents and of the load generator that may use them: {@code
   * agents/HOST/} for each agent's host and {@code client/}. The key of their common authority is
   * not stored, so the set cannot be extended: another host requires a new set.
   *
   * @param directory directory that is empty or does not exist
   * @param hosts names or IPv4 addresses at which load generators reach the agents
   * @throws QuorateException if a host is invalid, or the directory is not empty; nothing is
   *     written then
   */
  public static void make(Path directory, List<String> hosts, Instant now, Duration validity) {
    Set<String> distinct = distinct(hosts);
    try {
      if (!new DirectoryTree(directory).isEmpty()) {
        throw new QuorateException(
            directory
                + " is not empty, and no key is ever overwritten: name a directory that is not"
                + " there");
      }
      CertificateAuthority authority = new CertificateAuthority("Quorate agents", now, validity);
      Files.createDirectories(directory.toAbsolutePath().normalize().getParent());
      if (!Files.exists(directory)) {
        PrivateFiles.createDirectory(directory);
      }
      Path agents = PrivateFiles.createDirectory(directory.resolve("agents"));
      for (String host : distinct) {
        // so that the keys of one agent do not give access to another one
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
    QuorateException.throwIfAny(problems);
    if (distinct.isEmpty()) {
      throw new QuorateException("no host: expected at least one, such as 127.0.0.1");
    }
    return distinct;
  }

  /**
   * Returns the TLS settings of an agent, which accepts only clients with a certificate of a load
   * generator.
   *
   * @throws QuorateException if a file is missing, wrong, expired or open to others
   */
  public SslContext forAgent() {
    return configured(
        AGENT,
        (certificate, key) ->
            SslContextBuilder.forServer(certificate, key).clientAuth(ClientAuth.REQUIRE));
  }

  /**
   * Returns the TLS settings of a load generator, which accepts only an agent with a certificate
   * for its host.
   *
   * @throws QuorateException like {@link #forAgent}
   */
  public SslContext forLoadGenerator() {
    return configured(
        CLIENT, (certificate, key) -> SslContextBuilder.forClient().keyManager(certificate, key));
  }

  private SslContext configured(String name, BiFunction<File, File, SslContextBuilder> builder) {
    try {
      return GrpcSslContexts.configure(
              builder
                  .apply(certificate(name), require(name + ".key"))
                  .trustManager(require(AUTHORITY))
                  .protocols("TLSv1.3", "TLSv1.2"),
              SslProvider.JDK)
          .build();
    } catch (IOException | IllegalArgumentException wrong) {
      // without its text: a parser of keys may quote the content
      throw new QuorateException(
          "the keys in " + path + " cannot be used: " + wrong.getClass().getSimpleName());
    }
  }

  private File certificate(String name) {
    Path file = require(name + ".crt").toPath();
    try (InputStream in = Files.newInputStream(file)) {
      ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in))
          .checkValidity();
    } catch (CertificateExpiredException expired) {
      throw new QuorateException(
          file + " has expired: make new ones with ./quorate agent keys", expired);
    } catch (IOException | CertificateException wrong) {
      throw new QuorateException(
          file + " is not a usable certificate: " + wrong.getMessage(), wrong);
    }
    return file.toFile();
  }

  /** Returns a file of this directory; fails if another user could have created or changed it. */
  private File require(String name) {
    Path file = path.resolve(name);
    if (!Files.isRegularFile(file)) {
      throw new QuorateException(
          file
              + " does not exist: pass a directory that ./quorate agent keys created, "
              + "agents/HOST for an agent, client for a load generator");
    }
    try {
      if (name.endsWith(".key") && SafePath.isOpenToOthers(file)) {
        throw new QuorateException(
            file + " is a private key, but others may read or write it: chmod 600 " + file);
      }
      SafePath.requireTrusted(path);
      SafePath.requireTrusted(file);
    } catch (IOException | UnsupportedOperationException unknown) {
      throw new QuorateException(file + ": cannot find out who may use it", unknown);
    }
    return file.toFile();
  }
}
