package io.quorate.report.findings;

/**
 * A sentence of a verdict.
 *
 * @param text with its full stop
 */
record Sentence(Topic topic, String text) {
  /** The topics of sentences, the most important first. */
  enum Topic {
    OFFERED_RATE,
    THROUGHPUT,
    FAILURES,
    WATCHES,
    P99,
    MEDIAN,
    STALLS,
    THROUGHPUT_OF_OTHER_STEPS,
    REMARK
  }
}
