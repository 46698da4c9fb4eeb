// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * The TLS settings of a client, in the forms that its libraries require: trusted authorities, and
 * its certificate and key, if it has them. Safe for several threads.
 */
public final class ClientTls {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /** Size of the largest curve of which BoringSSL accepts certificates: P-384. */
  private static final int MOST_CURVE_BITS = 384;

  private final TlsFiles files;
  private final X509ExtendedTrustManager trusted;
  private final SSLContext context;

  /** The key of the client; empty without one. */
  private final Optional<PrivateKey> key;

  /** The certificates of the key and of its issuers; empty without a key. */
  private final List<X509Certificate> chain;

  private ClientTls(
      TlsFiles files,
      List<X509Certificate> authorities,
      Optional<PrivateKey> key,
      List<X509Certificate> chain)
      throws GeneralSecurityException, IOException {
    this.files = files;
    this.key = key;
    this.chain = chain;
    X509ExtendedTrustManager trusting = trustManager(authorities);
    this.trusted = files.checksName() ? trusting : new AnyNameTrustManager(trusting);
    this.context = newContext();
  }

  private SSLContext newContext() throws SSLException {
    return ((JdkSslContext) netty().sslProvider(SslProvider.JDK).build()).context();
  }

  /** Loads and checks the files; fails with a line for each file that cannot be used. */
  public static ClientTls load(TlsFiles files, Instant now) {
    List<String> problems = new ArrayList<>();
    List<X509Certificate> authorities =
        read(problems, () -> PemFile.authorities(files.authority(), now)).orElse(List.of());
    Optional<List<X509Certificate>> chain =
        files
            .identity()
            .flatMap(given -> read(problems, () -> PemFile.chain(given.certificate(), now)));
    Optional<PrivateKey> key =
        files.identity().flatMap(given -> read(problems, () -> PemFile.key(given.key())));
    QuorateException.throwIfAny(problems);
    key.ifPresent(own -> requireFit(own, chain.get().get(0), files.identity().get()));
    try {
      return new ClientTls(files, authorities, key, chain.orElse(List.of()));
    } catch (GeneralSecurityException | IOException unusable) {
      // without its text, which may quote the content
      throw new QuorateException(
          "the TLS settings cannot be used: " + unusable.getClass().getSimpleName());
    }
  }

  /** Returns the result of a reader; empty if it fails, which is added to the problems. */
  private static <T> Optional<T> read(List<String> problems, Supplier<T> reader) {
    try {
      return Optional.of(reader.get());
    } catch (QuorateException problem) {
      problems.add(problem.getMessage());
      return Optional.empty();
    }
  }

  private static void requireFit(
      PrivateKey key, X509Certificate certificate, TlsFiles.Identity files) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC", "ECDSA" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    byte[] sample = new byte[32];
    new SecureRandom().nextBytes(sample);
    String shown = VisibleText.of(files.key().toString());
    Signature signature;
    byte[] signed;
    try {
      signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(sample);
      signed = signature.sign();
    } catch (GeneralSecurityException unusable) {
      throw new QuorateException(
          "%s has a private key of a kind that cannot be used (%s): expected RSA, P-256, P-384, P-521 or Ed25519"
              .formatted(shown, key.getAlgorithm()));
    }
    boolean fits;
    try {
      signature.initVerify(certificate.getPublicKey());
      signature.update(sample);
      fits = signature.verify(signed);
    } catch (GeneralSecurityException differentKinds) {
      fits = false;
    }
    if (!fits) {
      throw new QuorateException(
          "%s is not the private key of the certificate %s"
              .formatted(shown, VisibleText.of(files.certificate().toString())));
    }
  }

  private static X509ExtendedTrustManager trustManager(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }

  public TlsFiles files() {
    return files;
  }

  public SSLContext context() {
    return context;
  }

  /** Returns the trust manager of servers, which also checks names if requested. */
  public X509TrustManager trustManager() {
    return trusted;
  }

  public boolean hasIdentity() {
    return key.isPresent();
  }

  /** Returns the private key and its certificates in PEM; empty for a client without one. */
  public Optional<String> identity() {
    return key.map(
        own ->
            CertificateAuthority.pem(own)
                + chain.stream().map(CertificateAuthority::pem).collect(Collectors.joining()));
  }

  /** Returns the settings to use with the context, except for the name check. */
  public SSLParameters parameters() {
    return new SSLParameters(null, PROTOCOLS);
  }

  /**
   * Returns a provider for Netty that can use the client's certificate and the one that a server
   * shows now. BoringSSL, which needs less CPU, has neither Ed25519 nor P-521.
   *
   * @param limit how long to wait for the server, which need not be reachable
   */
  public SslProvider provider(String host, int port, Duration limit) {
    if (!OpenSsl.isAvailable() || chain.stream().anyMatch(ClientTls::needsJava)) {
      return SslProvider.JDK;
    }
    try {
      return needsJava(shownCertificate(host, port, limit)) ? SslProvider.JDK : SslProvider.OPENSSL;
    } catch (IOException unreachable) {
      return SslProvider.OPENSSL;
    }
  }

  private static boolean needsJava(Certificate certificate) {
    return certificate.getPublicKey() instanceof ECPublicKey curve
        ? curve.getParams().getOrder().bitLength() > MOST_CURVE_BITS
        : !certificate.getPublicKey().getAlgorithm().equals("RSA");
  }

  /** Returns settings for Netty, to be completed with the protocols over TLS. */
  public SslContextBuilder netty() {
    SslContextBuilder builder =
        SslContextBuilder.forClient().trustManager(trusted).protocols(PROTOCOLS);
    key.ifPresent(own -> builder.keyManager(own, chain.toArray(X509Certificate[]::new)));
    return builder.endpointIdentificationAlgorithm(files.checksName() ? "HTTPS" : null);
  }

  /** Opens a TLS connection over an open connection; closing it closes both. */
  public SSLSocket over(Socket open, String host) throws IOException {
    return over(open, host, context);
  }

  private SSLSocket over(Socket open, String host, SSLContext by) throws IOException {
    SSLSocket socket =
        (SSLSocket) by.getSocketFactory().createSocket(open, host, open.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    if (files.checksName()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    socket.setSSLParameters(parameters);
    return socket;
  }

  /**
   * Returns the certificate, in PEM, that a server shows to a new connection.
   *
   * @throws IOException if there is no connection, or no trust, within the limit
   */
  public String certificate(String host, int port, Duration limit) throws IOException {
    return CertificateAuthority.pem(shownCertificate(host, port, limit));
  }

  private Certificate shownCertificate(String host, int port, Duration limit) throws IOException {
    int millis = (int) limit.toMillis();
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      // an earlier session that is resumed would show the certificate from then
      try (SSLSocket secured = over(socket, host, newContext())) {
        secured.startHandshake();
        return secured.getSession().getPeerCertificates()[0];
      }
    }
  }

  /** Trusts the certificates that another trust manager trusts, for any host. */
  private static final class AnyNameTrustManager extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager other;

    AnyNameTrustManager(X509ExtendedTrustManager other) {
      this.other = other;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm, SSLEngine engine)
        throws CertificateException {
      other.checkServerTrusted(chain, algorithm);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm, Socket socket)
        throws CertificateException {
      other.checkServerTrusted(chain, algorithm);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm)
        throws CertificateException {
      other.checkServerTrusted(chain, algorithm);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm, SSLEngine engine)
        throws CertificateException {
      other.checkClientTrusted(chain, algorithm, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm, Socket socket)
        throws CertificateException {
      other.checkClientTrusted(chain, algorithm, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm)
        throws CertificateException {
      other.checkClientTrusted(chain, algorithm);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return other.getAcceptedIssuers();
    }
  }

  /** Reads certificates and private keys. Messages never quote the content. */
  private static final class PemFile {
    private static final int MAX_CERTIFICATES = 500;
    private static final String CERTIFICATES = "certificates in PEM (-----BEGIN CERTIFICATE-----)";

    private final String shown;
    private final String expected;
    private final List<Object> objects = new ArrayList<>();

    private PemFile(Path file, String content, String expected) {
      this.shown = VisibleText.of(file.toString());
      this.expected = expected;
      try (PEMParser parser = new PEMParser(new StringReader(content))) {
        for (Object each = parser.readObject(); each != null; each = parser.readObject()) {
          objects.add(each);
          if (objects.size() > MAX_CERTIFICATES) {
            throw new QuorateException(shown + " has more than " + MAX_CERTIFICATES + " entries");
          }
        }
      } catch (QuorateException tooMany) {
        throw tooMany;
      } catch (IOException | RuntimeException damaged) {
        throw damaged();
      }
    }

    /**
     * Returns the failure of a parser without its text or exception, which may quote the content.
     */
    private QuorateException damaged() {
      return new QuorateException(shown + " is damaged: expected " + expected);
    }

    /**
     * Returns a certificate and those of its issuers, which servers judge; fails if one is damaged,
     * or the first is not valid now.
     */
    static List<X509Certificate> chain(Path file, Instant now) {
      PemFile read = new PemFile(file, PrivateFiles.readPublic(file), CERTIFICATES);
      List<X509Certificate> certificates = read.certificates();
      read.requireValid(certificates.get(0), now);
      return certificates;
    }

    /**
     * Returns the certificates of authorities that are valid now. Bundles keep expired ones, which
     * no certificate needs; fails if there is no other one.
     */
    static List<X509Certificate> authorities(Path file, Instant now) {
      PemFile read = new PemFile(file, PrivateFiles.readPublic(file), CERTIFICATES);
      List<X509Certificate> certificates = read.certificates();
      List<X509Certificate> valid =
          certificates.stream().filter(each -> isValid(each, now)).toList();
      if (valid.isEmpty()) {
        read.requireValid(certificates.get(0), now);
      }
      return valid;
    }

    private static boolean isValid(X509Certificate certificate, Instant now) {
      return !now.isAfter(certificate.getNotAfter().toInstant())
          && !now.isBefore(certificate.getNotBefore().toInstant());
    }

    private List<X509Certificate> certificates() {
      List<X509Certificate> certificates = new ArrayList<>();
      try {
        for (Object each : objects) {
          if (each instanceof X509CertificateHolder holder) {
            certificates.add(new JcaX509CertificateConverter().getCertificate(holder));
          }
        }
      } catch (CertificateException | RuntimeException damaged) {
        throw damaged();
      }
      if (certificates.isEmpty()) {
        throw new QuorateException(shown + " has no certificate: expected " + expected);
      }
      return certificates;
    }

    private void requireValid(X509Certificate certificate, Instant now) {
      Instant begin = certificate.getNotBefore().toInstant();
      Instant end = certificate.getNotAfter().toInstant();
      if (now.isAfter(end)) {
        throw new QuorateException(
            "%s has a certificate that expired on %s: get a new one".formatted(shown, end));
      }
      if (now.isBefore(begin)) {
        throw new QuorateException(
            "%s has a certificate that is not valid before %s: look at the clock of this machine"
                .formatted(shown, begin));
      }
    }

    /** Returns the private key of a file that only this user may read. */
    static PrivateKey key(Path file) {
      String expected = "a private key in PEM (-----BEGIN PRIVATE KEY-----)";
      return new PemFile(file, PrivateFiles.read(file, "a private key"), expected).key();
    }

    private PrivateKey key() {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      try {
        for (Object each : objects) {
          if (each instanceof PKCS8EncryptedPrivateKeyInfo || each instanceof PEMEncryptedKeyPair) {
            throw new QuorateException(
                shown
                    + " is encrypted with a passphrase, which cannot be given: expected a key"
                    + " without one, that only you may read");
          }
          if (each instanceof PEMKeyPair pair) {
            return converter.getKeyPair(pair).getPrivate();
          }
          if (each instanceof PrivateKeyInfo info) {
            return converter.getPrivateKey(info);
          }
        }
      } catch (QuorateException encrypted) {
        throw encrypted;
      } catch (IOException | RuntimeException damaged) {
        throw damaged();
      }
      throw new QuorateException(shown + " has no private key: expected " + expected);
    }
  }
}
