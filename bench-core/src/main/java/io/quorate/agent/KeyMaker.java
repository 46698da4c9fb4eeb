package io.quorate.agent;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.HostAddress;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes the keys of one set of agents and of the load generator that may use them: {@code
 * agents/HOST/} for each agent's host and {@code client/}, each with its certificate, its private
 * key and the certificate of their common authority. The authority's own key is kept nowhere, so
 * nobody can add to the set: for another host, all are made anew.
 */
public final class KeyMaker {
  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Time by which validity starts earlier, since the clocks of hosts differ. */
  private static final Duration EARLIER = Duration.ofHours(1);

  private static final int SERIAL_BITS = 120;

  private final SecureRandom random = new SecureRandom();
  private final Date from;
  private final Date until;
  private final KeyPair authority = keyPair();
  private final X509CertificateHolder authorityCertificate;

  private KeyMaker(Instant now, Duration validity) {
    this.from = Date.from(now.minus(EARLIER));
    this.until = Date.from(now.plus(validity));
    try {
      X509v3CertificateBuilder builder = builder("Quorate agents", authority);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      this.authorityCertificate = signed(builder);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

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
      KeyMaker maker = new KeyMaker(now, validity);
      Files.createDirectories(directory.toAbsolutePath().normalize().getParent());
      if (!Files.exists(directory)) {
        Files.createDirectory(directory, PRIVATE_DIRECTORY);
      }
      Path agents = Files.createDirectory(directory.resolve("agents"), PRIVATE_DIRECTORY);
      for (String host : distinct) {
        maker.write(agents.resolve(host), KeyDirectory.AGENT, host);
      }
      maker.write(directory.resolve("client"), KeyDirectory.CLIENT, "Quorate load generator");
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

  private void write(Path directory, String name, String subject) throws IOException {
    KeyPair pair = keyPair();
    X509v3CertificateBuilder builder = builder(subject, pair);
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
    boolean agent = name.equals(KeyDirectory.AGENT);
    // so that the keys of an agent do not let anybody into another one
    KeyPurposeId purpose = agent ? KeyPurposeId.id_kp_serverAuth : KeyPurposeId.id_kp_clientAuth;
    builder.addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(purpose));
    if (agent) {
      int kind = HostAddress.isAddress(subject) ? GeneralName.iPAddress : GeneralName.dNSName;
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(new GeneralName(kind, subject)));
    }
    Files.createDirectory(directory, PRIVATE_DIRECTORY);
    write(directory.resolve(KeyDirectory.AUTHORITY), authorityCertificate);
    write(directory.resolve(name + ".crt"), signed(builder));
    write(directory.resolve(name + ".key"), new JcaPKCS8Generator(pair.getPrivate(), null));
  }

  private static void write(Path file, Object content) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
      pem.writeObject(content);
    }
    Files.createFile(file, PRIVATE_FILE);
    Files.writeString(file, text.toString(), StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
  }

  private X509v3CertificateBuilder builder(String subject, KeyPair pair) {
    return new JcaX509v3CertificateBuilder(
        new X500Name("CN=Quorate agents"),
        new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
        from,
        until,
        new X500Name("CN=" + subject),
        pair.getPublic());
  }

  private X509CertificateHolder signed(X509v3CertificateBuilder builder) {
    try {
      return builder.build(
          new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate()));
    } catch (OperatorCreationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static KeyPair keyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
