// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientTlsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir private Path directory;
  private Path keys;

  @BeforeEach
  void make() throws IOException {
    keys = write("keys", NOW);
  }

  private Path write(String name, Instant now) throws IOException {
    CertificateAuthority authority = new CertificateAuthority("test", now, Duration.ofDays(9));
    authority
        .issue("CN=me", CertificateAuthority.Purpose.CLIENT, List.of())
        .write(directory.resolve(name), "client");
    return directory.resolve(name);
  }

  @Test
  void good_files_make_a_client_with_an_identity_that_checks_names() {
    ClientTls tls = ClientTls.load(TlsFiles.in(keys, "client"), NOW);

    assertThat(tls.hasIdentity()).isTrue();
    assertThat(tls.files().checksName()).isTrue();
    assertThat(tls.identity().orElseThrow())
        .startsWith("-----BEGIN PRIVATE KEY-----\n")
        .endsWith("\n-----END CERTIFICATE-----\n");
  }

  @Test
  void only_the_owner_may_read_what_is_written() throws IOException {
    assertThat(permissions(keys)).isEqualTo("rwx------");
    assertThat(permissions(keys.resolve("client.key"))).isEqualTo("rw-------");
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void a_key_that_others_may_read_is_refused() throws IOException {
    Path key = keys.resolve("client.key");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));

    assertRefused(
        TlsFiles.in(keys, "client"),
        key + " has a private key, but others may read or write it: chmod 600 " + key);
  }

  @Test
  void a_missing_file_is_named() throws IOException {
    Files.delete(keys.resolve("ca.crt"));

    assertRefused(TlsFiles.in(keys, "client"), keys.resolve("ca.crt") + " is missing");
  }

  @Test
  void an_expired_certificate_is_refused_with_its_date() throws IOException {
    Path old = write("old", NOW.minus(Duration.ofDays(10)));

    assertRefused(
        TlsFiles.in(old, "client"),
        """
        %s has a certificate that expired on 2029-12-31T00:00:00Z: get a new one
        %s has a certificate that expired on 2029-12-31T00:00:00Z: get a new one\
        """
            .formatted(old.resolve("ca.crt"), old.resolve("client.crt")));
  }

  @Test
  void expired_authorities_of_a_bundle_are_left_out() throws IOException {
    Path old = write("old", NOW.minus(Duration.ofDays(10)));
    Path bundle = directory.resolve("bundle.crt");
    Files.writeString(
        bundle, Files.readString(old.resolve("ca.crt")) + Files.readString(keys.resolve("ca.crt")));

    ClientTls tls = ClientTls.load(new TlsFiles(bundle, Optional.empty(), true), NOW);

    assertThat(tls.trustManager().getAcceptedIssuers())
        .extracting(each -> each.getNotAfter().toInstant())
        .allMatch(NOW::isBefore)
        .hasSize(1);
  }

  @Test
  void the_certificate_of_an_issuer_may_have_expired() throws IOException {
    Path old = write("old", NOW.minus(Duration.ofDays(10)));
    Path chain = keys.resolve("client.crt");
    Files.writeString(chain, Files.readString(chain) + Files.readString(old.resolve("ca.crt")));

    assertThat(ClientTls.load(TlsFiles.in(keys, "client"), NOW).hasIdentity()).isTrue();
  }

  @Test
  void marks_of_editors_of_Windows_and_UTF_16_are_read() throws IOException {
    Path authority = keys.resolve("ca.crt");
    String another = Files.readString(write("more", NOW).resolve("ca.crt"));
    String marked = "\uFEFF" + Files.readString(authority) + "\uFEFF" + another;
    Files.writeString(authority, marked.replace("\n", "\r\n"));
    Path key = keys.resolve("client.key");
    Files.writeString(key, "\uFEFF" + Files.readString(key), StandardCharsets.UTF_16LE);

    ClientTls tls = ClientTls.load(TlsFiles.in(keys, "client"), NOW);

    assertThat(tls.trustManager().getAcceptedIssuers()).hasSize(2);
    assertThat(tls.hasIdentity()).isTrue();
  }

  @Test
  void a_certificate_of_the_future_is_refused() throws IOException {
    Path early = write("early", NOW.plus(Duration.ofDays(1)));

    assertRefused(
        TlsFiles.in(early, "client"),
        """
        %s has a certificate that is not valid before 2030-01-01T23:00:00Z: look at the clock of this machine
        %s has a certificate that is not valid before 2030-01-01T23:00:00Z: look at the clock of this machine\
        """
            .formatted(early.resolve("ca.crt"), early.resolve("client.crt")));
  }

  @Test
  void what_is_wrong_is_said_of_all_files_at_once() throws IOException {
    Files.delete(keys.resolve("ca.crt"));
    Files.writeString(keys.resolve("client.crt"), "garbage");
    Path key = keys.resolve("client.key");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-rw-rw-"));

    assertRefused(
        TlsFiles.in(keys, "client"),
        """
        %1$s/ca.crt is missing
        %1$s/client.crt has no certificate: expected certificates in PEM (-----BEGIN CERTIFICATE-----)
        %1$s/client.key has a private key, but others may read or write it: chmod 600 %1$s/client.key\
        """
            .formatted(keys));
  }

  @Test
  void the_key_of_another_certificate_is_refused() throws IOException {
    Path others = write("others", NOW);
    TlsFiles.Identity mixed =
        new TlsFiles.Identity(keys.resolve("client.crt"), others.resolve("client.key"));

    assertRefused(
        new TlsFiles(keys.resolve("ca.crt"), Optional.of(mixed), true),
        "%s is not the private key of the certificate %s"
            .formatted(others.resolve("client.key"), keys.resolve("client.crt")));
  }

  @Test
  void a_key_of_a_kind_that_no_server_knows_is_named() throws Exception {
    Path key = directory.resolve("pss.key");
    PrivateFiles.write(
        key,
        CertificateAuthority.pem(
            KeyPairGenerator.getInstance("RSASSA-PSS").generateKeyPair().getPrivate()));

    assertRefused(
        new TlsFiles(
            keys.resolve("ca.crt"),
            Optional.of(new TlsFiles.Identity(keys.resolve("client.crt"), key)),
            true),
        key
            + " has a private key of a kind that cannot be used (RSASSA-PSS): expected RSA, P-256, P-384, P-521 or Ed25519");
  }

  @Test
  void damaged_files_are_refused_without_their_content() throws IOException {
    String expected = "expected certificates in PEM (-----BEGIN CERTIFICATE-----)";
    String authority = Files.readString(keys.resolve("ca.crt"));

    assertDamaged("empty", "", " has no certificate: " + expected);
    assertDamaged("text", "hunter2", " has no certificate: " + expected);
    assertDamaged("key", Files.readString(keys.resolve("client.key")), " has no certificate: ");
    assertDamaged(
        "garbage",
        "-----BEGIN CERTIFICATE-----\nhunter2hunter2\n-----END CERTIFICATE-----\n",
        " is damaged: " + expected);
    assertDamaged(
        "cut", authority.substring(0, authority.length() / 2), " is damaged: " + expected);
  }

  private void assertDamaged(String name, String content, String problem) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, content);
    assertThatThrownBy(() -> ClientTls.load(new TlsFiles(file, Optional.empty(), true), NOW))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(file + problem)
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
  }

  @Test
  void a_key_with_a_passphrase_is_refused() throws IOException {
    Path key = directory.resolve("secret.key");
    PrivateFiles.write(
        key,
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF

        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        -----END EC PRIVATE KEY-----
        """);

    assertRefused(
        new TlsFiles(
            keys.resolve("ca.crt"),
            Optional.of(new TlsFiles.Identity(keys.resolve("client.crt"), key)),
            true),
        key
            + " is encrypted with a passphrase, which cannot be given: expected a key without one,"
            + " that only you may read");
  }

  private static void assertRefused(TlsFiles files, String problem) {
    assertThatThrownBy(() -> ClientTls.load(files, NOW))
        .isInstanceOf(QuorateException.class)
        .hasMessage(problem);
  }
}
