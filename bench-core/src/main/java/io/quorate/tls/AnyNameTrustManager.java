package io.quorate.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts the certificates that another trust manager trusts, for any host. */
final class AnyNameTrustManager extends X509ExtendedTrustManager {
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
