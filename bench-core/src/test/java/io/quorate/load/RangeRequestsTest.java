// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.workload.RequestSource;
import io.quorate.load.workload.ValueCheck;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.OperationMix.RangeShape;
import io.quorate.scenario.OperationMix.Share;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ranges, whole and page by page. */
class RangeRequestsTest extends SentRequests {
  @Test
  void all_keys_are_those_that_begin_like_the_longest_number_and_pages_come_one_by_one() {
    RequestSource requests =
        requests(
            new OperationMix(
                List.of(new Share(Operation.RANGE, 1)),
                new RangeShape(0, 0, ReturnedValue.KEYS, 200, false),
                1,
                0,
                OperationMix.USUAL_LEASES),
            KeySpace.Order.SEQUENTIAL,
            16);
    List<Answer> pages =
        new ArrayList<>(
            List.of(
                new Answer.Entries(KEYS, names(0, 200), 7),
                new Answer.Entries(KEYS - 200, names(200, 400), 9),
                new Answer.Entries(KEYS - 400, names(400, KEYS), 9)));
    List<Answer> whole = new ArrayList<>();
    requests.send(
        answering((request, completion) -> completion.answered(pages.remove(0))),
        317,
        answer(whole));

    assertThat(sent)
        .extracting(request -> text(((Request.Range) request).prefix()))
        .containsExactly("000", "000", "000");
    assertThat(sent)
        .extracting(request -> text(((Request.Range) request).after()))
        .containsExactly("", "000199", "000399");
    assertThat(sent)
        .extracting(request -> ((Request.Range) request).revision())
        .containsExactly(0L, 7L, 7L);
    assertThat(((Answer.Entries) whole.get(0)).entries()).hasSize(KEYS);
    assertThat(requests.check(317, whole.get(0))).isEqualTo(ValueCheck.INTACT);
    assertThat(requests.check(317, new Answer.Entries(KEYS, names(0, KEYS - 1))))
        .isEqualTo(ValueCheck.OTHER_KEYS);
  }

  private static List<Answer.Entry> names(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(number -> "%06d".formatted(number).getBytes(US_ASCII))
        .map(key -> new Answer.Entry(key, new byte[0]))
        .toList();
  }

  private static Completion answer(List<Answer> to) {
    return new Completion() {
      @Override
      public void answered(Answer answer) {
        to.add(answer);
      }

      @Override
      public void failed(ErrorKind kind, String message) {
        throw new AssertionError(kind + ": " + message);
      }
    };
  }

  @Test
  void a_range_reads_the_neighbours_of_its_key_and_each_of_them_is_looked_at() {
    RequestSource requests =
        requests(
            new OperationMix(
                List.of(new Share(Operation.RANGE, 1)),
                new RangeShape(100, 2, ReturnedValue.ENTRIES, 0, false),
                1,
                0,
                OperationMix.USUAL_LEASES),
            KeySpace.Order.SEQUENTIAL,
            16);
    List<byte[]> values = new ArrayList<>();
    Connection writer =
        answering((request, completion) -> values.add(((Request.Put) request).value()));
    RequestSource prepared = prepared();
    for (long key = 400; key < 402; key++) {
      prepared.send(writer, key, outcome);
    }
    sent.clear();
    requests.send(answering((request, completion) -> {}), 417, outcome);

    Request.Range range = (Request.Range) sent.get(0);
    assertThat(text(range.prefix())).isEqualTo("0004");
    assertThat(range.limit()).isEqualTo(2);
    Answer.Entry first = new Answer.Entry("000400".getBytes(US_ASCII), values.get(0));
    Answer.Entry second = new Answer.Entry("000401".getBytes(US_ASCII), values.get(1));
    Answer.Entry swapped = new Answer.Entry("000401".getBytes(US_ASCII), values.get(0));
    assertThat(requests.check(417, new Answer.Entries(100, List.of(first, second))))
        .isEqualTo(ValueCheck.INTACT);
    assertThat(requests.check(417, new Answer.Entries(99, List.of(first, second))))
        .isEqualTo(ValueCheck.OTHER_KEYS);
    assertThat(requests.check(417, new Answer.Entries(100, List.of(first))))
        .isEqualTo(ValueCheck.OTHER_KEYS);
    assertThat(requests.check(417, new Answer.Entries(100, List.of(second, first))))
        .isEqualTo(ValueCheck.OTHER_KEYS);
    assertThat(requests.check(417, new Answer.Entries(100, List.of(first, swapped))))
        .isEqualTo(ValueCheck.OF_ANOTHER_KEY);
  }
}
