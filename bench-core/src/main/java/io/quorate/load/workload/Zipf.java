package io.quorate.load.workload;

/**
 * Draws ranks from 0 to size - 1, rank k in proportion to 1 / (k + 1) to the power of 0.99, as YCSB
 * does: the inversion of Gray et al., "Quickly Generating Billion-Record Synthetic Databases"
 * (1994). Immutable.
 */
public final class Zipf {
  static final double EXPONENT = 0.99;

  /** Terms that are summed one by one; the rest is approximated by an integral. */
  private static final long SUMMED = 10_000;

  private final long size;
  private final double zeta;
  private final double alpha;
  private final double eta;
  private final double first;

  Zipf(long size) {
    this.size = size;
    this.zeta = zeta(size);
    this.alpha = 1 / (1 - EXPONENT);
    this.first = Math.pow(0.5, EXPONENT);
    this.eta = (1 - Math.pow(2.0 / size, 1 - EXPONENT)) / (1 - zeta(Math.min(2, size)) / zeta);
  }

  /**
   * Returns the rank for a number of a uniform distribution.
   *
   * @param uniform at least 0 and below 1
   */
  long rank(double uniform) {
    double scaled = uniform * zeta;
    if (scaled < 1 || size == 1) {
      return 0;
    }
    if (scaled < 1 + first || size == 2) {
      return 1;
    }
    return Math.min(size - 1, (long) (size * Math.pow(eta * uniform - eta + 1, alpha)));
  }

  /**
   * Returns the sum of 1 / k to the power of the exponent for k from 1 to n; its tail by the
   * formula of Euler and Maclaurin, with a relative error below 1e-12.
   */
  public static double zeta(long n) {
    double sum = 0;
    long exact = Math.min(n, SUMMED);
    for (long k = exact; k >= 1; k--) {
      sum += term(k);
    }
    return exact == n
        ? sum
        : sum
            + (Math.pow(n, 1 - EXPONENT) - Math.pow(exact, 1 - EXPONENT)) / (1 - EXPONENT)
            + (term(n) - term(exact)) / 2
            + EXPONENT * (term(exact) / exact - term(n) / n) / 12;
  }

  private static double term(double k) {
    return Math.pow(k, -EXPONENT);
  }
}
