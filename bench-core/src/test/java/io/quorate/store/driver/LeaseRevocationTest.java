// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The end of many leases at a member. */
class LeaseRevocationTest {
  private static final List<String> LEASES =
      IntStream.range(0, 100).mapToObj(String::valueOf).toList();

  private final List<String> asked = new ArrayList<>();

  @Test
  void several_are_ended_at_a_time_and_ended_ones_are_no_problem() {
    List<Completion> open = new ArrayList<>();
    int[] most = {0};
    LeaseSessions.revoke(
        member(
            (lease, completion) -> {
              open.add(completion);
              most[0] = Math.max(most[0], open.size());
              if (open.size() == 16 || lease.equals("99")) {
                open.forEach(each -> each.failed(ErrorKind.OTHER, "lease not found"));
                open.clear();
              }
            }),
        LEASES);
    assertThat(asked).isEqualTo(LEASES);
    assertThat(most[0]).isEqualTo(16);
  }

  @Test
  void a_member_that_ends_none_of_some_is_given_up() {
    assertThatThrownBy(
            () ->
                LeaseSessions.revoke(
                    member((lease, done) -> done.failed(ErrorKind.TIMEOUT, "no answer")), LEASES))
        .hasMessageStartingWith("16 of 100 leases cannot be revoked: ")
        .hasMessageContaining("no answer");
    assertThat(asked).hasSize(16);
  }

  @Test
  void one_lease_that_cannot_be_ended_does_not_keep_the_others() {
    assertThatThrownBy(
            () ->
                LeaseSessions.revoke(
                    member(
                        (lease, done) -> {
                          if (lease.equals("7")) {
                            done.failed(ErrorKind.OTHER, "no leader");
                          } else {
                            done.answered(new Answer.Missing());
                          }
                        }),
                    LEASES))
        .hasMessageStartingWith("1 of 100 leases cannot be revoked: ");
    assertThat(asked).isEqualTo(LEASES);
  }

  private LeaseSessions.Leases member(BiConsumer<String, Completion> revoke) {
    return (LeaseSessions.Leases)
        Proxy.newProxyInstance(
            LeaseSessions.Leases.class.getClassLoader(),
            new Class<?>[] {LeaseSessions.Leases.class},
            (proxy, method, arguments) -> {
              asked.add((String) arguments[0]);
              revoke.accept((String) arguments[0], (Completion) arguments[1]);
              return null;
            });
  }
}
