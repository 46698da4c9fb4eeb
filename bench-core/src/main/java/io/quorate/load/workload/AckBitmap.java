// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.ErrorKind;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Remembers in two bits for each numbered request whether it was acknowledged or certainly not
 * carried out. The outcome of all other requests is unknown. It also remembers the first scheduled
 * send time and the last acknowledgment of each block of 1,024 requests. Safe for several threads;
 * memory grows with the number of sent requests.
 */
final class AckBitmap {
  private static final int BLOCK_BITS = 10;
  private static final int WORD_BITS = 6;
  private static final int WORDS = 1 << BLOCK_BITS - WORD_BITS;

  /** Exponent of the power of two that is the nanoseconds of a tick: about a millisecond. */
  private static final int TICK_BITS = 20;

  private final long originNanos = System.nanoTime();
  private final AtomicReferenceArray<Block> blocks;

  private static final class Block {
    /** Bits of the acknowledged requests, then bits of the requests that were not carried out. */
    final AtomicLongArray words = new AtomicLongArray(2 * WORDS);

    final AtomicLong firstDueTick = new AtomicLong(Long.MAX_VALUE);
    final AtomicLong lastEndTick = new AtomicLong(Long.MIN_VALUE);

    void set(int word, long bit) {
      words.accumulateAndGet(word, bit, (known, more) -> known | more);
    }
  }

  AckBitmap(long requests) {
    blocks = new AtomicReferenceArray<>((int) ((requests - 1 >> BLOCK_BITS) + 1));
  }

  private Block block(long index) {
    int number = (int) (index >> BLOCK_BITS);
    Block block = blocks.get(number);
    if (block == null) {
      blocks.compareAndSet(number, null, new Block());
      block = blocks.get(number);
    }
    return block;
  }

  /** Notes that a request is about to be sent, and its scheduled send time. */
  void due(long index, long dueNanos) {
    long tick = dueNanos - originNanos >> TICK_BITS;
    AtomicLong first = block(index).firstDueTick;
    long known = first.get();
    while (tick < known && !first.compareAndSet(known, tick)) {
      known = first.get();
    }
  }

  void acknowledged(long index, long endNanos) {
    Block block = block(index);
    long tick = (endNanos - originNanos >> TICK_BITS) + 1;
    long known = block.lastEndTick.get();
    while (tick > known && !block.lastEndTick.compareAndSet(known, tick)) {
      known = block.lastEndTick.get();
    }
    block.set(word(index), bit(index));
  }

  /** Notes that a request failed; for most kinds of errors it may have been carried out. */
  void failed(long index, ErrorKind kind) {
    switch (kind) {
      case MISSING, CONFLICT, CORRUPT -> block(index).set(WORDS + word(index), bit(index));
      case TIMEOUT, CONNECTION, NO_LEADER, REJECTED, OTHER -> {}
    }
  }

  private static int word(long index) {
    return (int) (index >> WORD_BITS) & WORDS - 1;
  }

  private static long bit(long index) {
    return 1L << index;
  }

  boolean isAcknowledged(long index) {
    return isSet(index, 0);
  }

  /** Returns whether a request was certainly not carried out. */
  boolean isRefused(long index) {
    return isSet(index, WORDS);
  }

  private boolean isSet(long index, int from) {
    Block block = blocks.get((int) (index >> BLOCK_BITS));
    return block != null && (block.words.get(from + word(index)) & bit(index)) != 0;
  }

  /** Returns a time before which a request was not due, and so not sent. */
  long dueTick(long index) {
    return block(index).firstDueTick.get();
  }

  /** Returns a time by which an acknowledged request had ended, in the same ticks. */
  long endTick(long index) {
    return block(index).lastEndTick.get();
  }

  /** Returns a number from which on a request may have been sent, and no earlier one was. */
  long skip(long index) {
    int block = (int) (index >> BLOCK_BITS);
    if (block >= blocks.length() || blocks.get(block) != null) {
      return index;
    }
    while (block < blocks.length() && blocks.get(block) == null) {
      block++;
    }
    return (long) block << BLOCK_BITS;
  }

  /** Returns a number above the numbers of all sent requests; some below it may be unsent. */
  long end() {
    int last = blocks.length() - 1;
    while (last >= 0 && blocks.get(last) == null) {
      last--;
    }
    return last + 1L << BLOCK_BITS;
  }
}
