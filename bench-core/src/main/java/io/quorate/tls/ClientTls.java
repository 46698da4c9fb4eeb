package io.quorate.tls;

import io.netty.handler.ssl.SslContextBuilder;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * The TLS settings of a client, in the forms that its libraries want: which authorities it trusts,
 * and its own certificate and key, if it has them. Safe for several threads.
 */
public final class ClientTls {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private final TlsFiles files;
  private final X509ExtendedTrustManager trusted;
  private final Optional<KeyManagerFactory> keys;
  private final SSLContext context;

  /** The key and its certificates in PEM; empty for a client without one. */
  private final Optional<String> identity;

  private ClientTls(TlsFiles files, X509ExtendedTrustManager trusted, Optional<Identity> identity) {
    this.files = files;
    this.trusted = files.checksName() ? trusted : new AnyNameTrustManager(trusted);
    this.identity = identity.map(Identity::pem);
    try {
      this.keys = identity.isPresent() ? Optional.of(identity.get().manager()) : Optional.empty();
      this.context = SSLContext.getInstance("TLS");
      KeyManager[] managers = keys.map(KeyManagerFactory::getKeyManagers).orElse(null);
      context.init(managers, new X509TrustManager[] {this.trusted}, null);
    } catch (GeneralSecurityException | IOException unusable) {
      throw new QuorateException("the TLS settings cannot be used: " + kind(unusable));
    }
  }

  /**
   * Loads and checks the files.
   *
   * @throws QuorateException if one is missing, damaged, expired, or does not fit to another one;
   *     or if a key is open to others; with a line for each file
   */
  public static ClientTls load(TlsFiles files, Instant now) {
    List<String> problems = new ArrayList<>();
    List<X509Certificate> authorities =
        read(problems, () -> PemFile.certificates(files.authority(), now)).orElse(List.of());
    Optional<List<X509Certificate>> chain =
        files
            .identity()
            .flatMap(given -> read(problems, () -> PemFile.certificates(given.certificate(), now)));
    Optional<PrivateKey> key =
        files.identity().flatMap(given -> read(problems, () -> PemFile.key(given.key())));
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    Optional<Identity> identity = chain.map(certificates -> new Identity(certificates, key.get()));
    if (identity.isPresent() && !identity.get().fits()) {
      throw new QuorateException(
          "%s is not the private key of the certificate %s"
              .formatted(
                  shown(files.identity().get().key()),
                  shown(files.identity().get().certificate())));
    }
    try {
      return new ClientTls(files, trustManager(authorities), identity);
    } catch (GeneralSecurityException | IOException unusable) {
      throw new QuorateException(shown(files.authority()) + " cannot be used: " + kind(unusable));
    }
  }

  /** Returns what was read; empty if that is a problem, which is added to the others. */
  private static <T> Optional<T> read(List<String> problems, Supplier<T> reader) {
    try {
      return Optional.of(reader.get());
    } catch (QuorateException problem) {
      problems.add(problem.getMessage());
      return Optional.empty();
    }
  }

  private static String shown(Path file) {
    return VisibleText.of(file.toString());
  }

  /** Names a failure without its text, which may quote what was read. */
  private static String kind(Exception unusable) {
    return unusable.getClass().getSimpleName();
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

  /** Returns the files that this was loaded from. */
  public TlsFiles files() {
    return files;
  }

  /** Returns the settings for libraries that use Java's own TLS. */
  public SSLContext context() {
    return context;
  }

  /** Returns the trust manager of servers, which also checks names if that is asked for. */
  public X509TrustManager trustManager() {
    return trusted;
  }

  /** Returns whether a server's certificate must be for the host that is connected to. */
  public boolean checksName() {
    return files.checksName();
  }

  /** Returns whether the client has a certificate. */
  public boolean hasIdentity() {
    return identity.isPresent();
  }

  /** Returns the private key and its certificates in PEM; empty for a client without one. */
  public Optional<String> identity() {
    return identity;
  }

  /** Returns the settings of connections that are made with the context, but for the name check. */
  public SSLParameters parameters() {
    return new SSLParameters(null, PROTOCOLS);
  }

  /** Returns settings for Netty, to be completed with the protocols that are spoken over TLS. */
  public SslContextBuilder netty() {
    SslContextBuilder builder =
        SslContextBuilder.forClient().trustManager(trusted).protocols(PROTOCOLS);
    keys.ifPresent(builder::keyManager);
    return builder.endpointIdentificationAlgorithm(files.checksName() ? "HTTPS" : null);
  }

  /** Makes a TLS connection over one that is open; closing it closes both. */
  public SSLSocket over(Socket open, String host) throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(open, host, open.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    if (files.checksName()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    socket.setSSLParameters(parameters);
    return socket;
  }

  /** A certificate, those of its issuers, and its key. */
  private record Identity(List<X509Certificate> chain, PrivateKey key) {
    private static final char[] NO_PASSWORD = new char[0];

    KeyManagerFactory manager() throws GeneralSecurityException, IOException {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("key", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory;
    }

    /** Returns whether the key is that of the first certificate. */
    boolean fits() {
      String algorithm =
          switch (key.getAlgorithm()) {
            case "EC", "ECDSA" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key.getAlgorithm();
          };
      byte[] sample = new byte[32];
      new SecureRandom().nextBytes(sample);
      try {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(sample);
        byte[] signed = signature.sign();
        signature.initVerify(chain.get(0).getPublicKey());
        signature.update(sample);
        return signature.verify(signed);
      } catch (GeneralSecurityException differentKinds) {
        return false;
      }
    }

    String pem() {
      StringBuilder pem = new StringBuilder(block("PRIVATE KEY", key.getEncoded()));
      try {
        for (X509Certificate each : chain) {
          pem.append(block("CERTIFICATE", each.getEncoded()));
        }
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible);
      }
      return pem.toString();
    }

    private static String block(String what, byte[] content) {
      byte[] end = {'\n'};
      String lines = Base64.getMimeEncoder(64, end).encodeToString(content);
      return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
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
}
