// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a range page by page, each page after the previous one has arrived. If the store has a
 * history, all pages show the state of the first one.
 */
final class PagedRange implements Completion {
  private final Connection connection;
  private final Request.Range firstPage;
  private final Completion whole;
  private final List<Answer.Entry> entries = new ArrayList<>();
  private long count = -1;
  private long revision;

  /**
   * Prepares the reads.
   *
   * @param firstPage request with the size of a page as its limit
   * @param whole receives all keys together, once
   */
  PagedRange(Connection connection, Request.Range firstPage, Completion whole) {
    this.connection = connection;
    this.firstPage = firstPage;
    this.whole = whole;
  }

  void start() {
    connection.submit(firstPage, this);
  }

  @Override
  public void sent(long sentNanos, long heldNanos) {
    whole.sent(sentNanos, heldNanos);
  }

  @Override
  public void answered(Answer answer) {
    if (!(answer instanceof Answer.Entries page)) {
      whole.answered(answer);
      return;
    }
    if (count < 0) {
      count = page.count();
      revision = Math.max(0, page.revision());
    }
    entries.addAll(page.entries());
    if (page.entries().size() < firstPage.limit() || entries.size() >= count) {
      whole.answered(new Answer.Entries(count, entries));
    } else {
      byte[] last = entries.get(entries.size() - 1).key();
      connection.submit(firstPage.behind(last, revision), this);
    }
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    whole.failed(kind, message);
  }
}
