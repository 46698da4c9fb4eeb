package io.quorate.tls;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/** Reads certificates and private keys. No message has a part of what was read. */
final class PemFile {
  private static final int MAX_CERTIFICATES = 500;

  private final String shown;
  private final List<Object> objects;

  private PemFile(Path file, String content, String expected) {
    this.shown = VisibleText.of(file.toString());
    this.objects = objects(content, expected);
  }

  /**
   * Returns the certificates of a file, at least one, in their order.
   *
   * @throws QuorateException if it has none, or one is damaged, expired or not valid yet
   */
  static List<X509Certificate> certificates(Path file, Instant now) {
    String expected = "certificates in PEM (-----BEGIN CERTIFICATE-----)";
    return new PemFile(file, PrivateFiles.readPublic(file), expected).certificates(expected, now);
  }

  /**
   * Returns the private key of a file.
   *
   * @throws QuorateException if it has none, it is damaged or encrypted, or others may read it
   */
  static PrivateKey key(Path file) {
    String expected = "a private key in PEM (-----BEGIN PRIVATE KEY-----)";
    return new PemFile(file, PrivateFiles.read(file, "a private key"), expected).key(expected);
  }

  private List<Object> objects(String content, String expected) {
    List<Object> found = new ArrayList<>();
    try (PEMParser parser = new PEMParser(new StringReader(content))) {
      for (Object each = parser.readObject(); each != null; each = parser.readObject()) {
        found.add(each);
        if (found.size() > MAX_CERTIFICATES) {
          throw new QuorateException(shown + " has more than " + MAX_CERTIFICATES + " entries");
        }
      }
      return found;
    } catch (QuorateException tooMany) {
      throw tooMany;
    } catch (IOException | RuntimeException damaged) {
      // not its text, and not as the cause: a parser may quote what it read
      throw new QuorateException(shown + " is damaged: expected " + expected);
    }
  }

  private List<X509Certificate> certificates(String expected, Instant now) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Object each : objects) {
      if (each instanceof X509CertificateHolder holder) {
        certificates.add(certificate(holder, expected));
      }
    }
    if (certificates.isEmpty()) {
      throw new QuorateException(shown + " has no certificate: expected " + expected);
    }
    certificates.forEach(each -> requireValid(each, now));
    return certificates;
  }

  private X509Certificate certificate(X509CertificateHolder holder, String expected) {
    try {
      return new JcaX509CertificateConverter().getCertificate(holder);
    } catch (CertificateException | RuntimeException damaged) {
      throw new QuorateException(shown + " is damaged: expected " + expected);
    }
  }

  private void requireValid(X509Certificate certificate, Instant now) {
    Instant end = certificate.getNotAfter().toInstant();
    if (Date.from(now).after(certificate.getNotAfter())) {
      throw new QuorateException(
          "%s has a certificate that expired on %s: get a new one".formatted(shown, end));
    }
    if (Date.from(now).before(certificate.getNotBefore())) {
      throw new QuorateException(
          "%s has a certificate that is not valid before %s: look at the clock of this machine"
              .formatted(shown, certificate.getNotBefore().toInstant()));
    }
  }

  private PrivateKey key(String expected) {
    for (Object each : objects) {
      if (each instanceof PKCS8EncryptedPrivateKeyInfo || each instanceof PEMEncryptedKeyPair) {
        throw new QuorateException(
            shown
                + " is encrypted with a passphrase, which cannot be given: expected a key without"
                + " one, that only you may read");
      }
    }
    try {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      for (Object each : objects) {
        if (each instanceof PEMKeyPair pair) {
          return converter.getKeyPair(pair).getPrivate();
        }
        if (each instanceof PrivateKeyInfo info) {
          return converter.getPrivateKey(info);
        }
      }
    } catch (IOException | RuntimeException damaged) {
      throw new QuorateException(shown + " is damaged: expected " + expected);
    }
    throw new QuorateException(shown + " has no private key: expected " + expected);
  }
}
