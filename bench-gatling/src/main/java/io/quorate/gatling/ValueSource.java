package io.quorate.gatling;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The value of each request: random letters and digits, another piece of the same long text for
 * each request, so that a store cannot gain by storing one value many times. The same seed gives
 * the same values. Immutable.
 */
final class ValueSource {
  private static final byte[] ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
          .getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private static final int PIECES = 1 << 20;

  private final int sizeBytes;
  private final long seed;
  private final byte[] text;

  ValueSource(int sizeBytes, long seed) {
    this.sizeBytes = sizeBytes;
    this.seed = seed;
    this.text = new byte[sizeBytes + PIECES];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < text.length; i++) {
      text[i] = ALPHABET[random.nextInt(ALPHABET.length)];
    }
  }

  byte[] ofRequest(long index) {
    int from = (int) (Mix.of(seed + index) & (PIECES - 1));
    return Arrays.copyOfRange(text, from, from + sizeBytes);
  }
}
