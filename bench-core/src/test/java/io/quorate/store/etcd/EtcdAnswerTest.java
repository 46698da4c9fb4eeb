// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static io.quorate.store.ConnectionContract.ended;
import static io.quorate.store.ConnectionContract.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.TxnResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.quorate.store.Answer;
import io.quorate.store.Operation;
import io.quorate.store.RecordedCompletion;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EtcdAnswerTest {
  private static final ResponseHeader HEADER =
      ResponseHeader.newBuilder()
          .setClusterId(-1)
          .setMemberId(Long.MAX_VALUE)
          .setRevision(2)
          .setRaftTerm(300)
          .build();

  @Test
  void an_answer_with_a_header_acknowledges_a_put_with_its_revision() {
    assertThat(revision(PutResponse.newBuilder().setHeader(HEADER).build())).isEqualTo(2);
  }

  @Test
  void fields_that_nobody_asked_for_are_passed_over() {
    KeyValue previous = KeyValue.newBuilder().setValue(ByteString.copyFrom(new byte[300])).build();
    assertThat(revision(PutResponse.newBuilder().setHeader(HEADER).setPrevKv(previous).build()))
        .isEqualTo(2);
  }

  @Test
  void an_answer_without_header_or_revision_does_not() {
    assertThat(revision(PutResponse.getDefaultInstance())).isEqualTo(Answer.NO_REVISION);
    ResponseHeader empty = ResponseHeader.getDefaultInstance();
    assertThat(revision(PutResponse.newBuilder().setHeader(empty).build()))
        .isEqualTo(Answer.NO_REVISION);
    ResponseHeader before = ResponseHeader.newBuilder().setRaftTerm(3).build();
    assertThat(revision(PutResponse.newBuilder().setHeader(before).build()))
        .isEqualTo(Answer.NO_REVISION);
  }

  @Test
  void an_answer_cut_off_anywhere_does_not() {
    ByteBuf whole = framed(PutResponse.newBuilder().setHeader(HEADER).build().toByteArray());
    for (int bytes = 0; bytes < whole.readableBytes(); bytes++) {
      assertThat(EtcdAnswer.revisionOfPut(whole.slice(0, bytes).copy()))
          .isEqualTo(Answer.NO_REVISION);
      if (bytes > 5) {
        byte[] message = new byte[bytes - 5];
        whole.getBytes(5, message);
        assertThat(EtcdAnswer.revisionOfPut(framed(message)))
            .as("cut at " + bytes)
            .isEqualTo(Answer.NO_REVISION);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "0100000004" + "0a021801", // compressed
        "0000000005" + "0a021801", // more announced than there is
        "0000000003" + "0a021801", // less announced
        "0000000004" + "0a7f1801", // a header longer than the message
        "0000000004" + "0f021801", // a type that there is not
        "000000000b" + "ffffffffffffffffffffff", // a number without end
        "0000000006" + "0a0318010a00" // a header that ends within a field
      })
  void garbage_does_not(String hex) {
    assertThat(EtcdAnswer.revisionOfPut(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex))))
        .isEqualTo(Answer.NO_REVISION);
  }

  @Test
  void a_transaction_whose_condition_did_not_hold_is_a_conflict_if_it_has_one() {
    TxnResponse refused = TxnResponse.newBuilder().setHeader(HEADER).build();
    TxnResponse done = refused.toBuilder().setSucceeded(true).build();

    assertThat(started(ended -> EtcdAnswer.compareAndSet(done, ended)).answer())
        .isEqualTo(new Answer.Written(2));
    assertThat(started(ended -> EtcdAnswer.txn(done, ended)).answer())
        .isEqualTo(new Answer.Written(2));
    assertThat(ended(ended -> EtcdAnswer.compareAndSet(refused, ended))).isEqualTo("conflict");
    assertThat(ended(ended -> EtcdAnswer.txn(refused, ended))).isEqualTo("failed:OTHER");
  }

  @Test
  void the_end_of_a_range_is_the_first_key_behind_its_prefix() {
    assertThat(EtcdOperation.endOf(new byte[] {'a', 'b'})).containsExactly('a', 'c');
    assertThat(EtcdOperation.endOf(new byte[] {'a', -1, -1})).containsExactly('b');
    assertThat(EtcdOperation.endOf(new byte[] {-1})).containsExactly(0);
    assertThat(EtcdOperation.endOf(new byte[0])).containsExactly(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STM", "CREATE", "REMOVE", "LOCK", "ELECT", "REGISTER", "EXPIRE"})
  void an_answer_without_a_header_or_that_is_no_message_is_malformed(Operation operation) {
    for (String hex : List.of("0000000000", "0000000002" + "1001", "00000000030affff", "01", "")) {
      ByteBuf data = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
      RecordedCompletion read = started(done -> EtcdOperation.of(operation).received(data, done));
      assertThat(read.outcome()).as(hex).isEqualTo("failed:OTHER");
      assertThat(read.message()).startsWith("malformed response: ");
    }
  }

  @Test
  void a_range_with_more_keys_than_it_counts_is_malformed() {
    RangeResponse answer =
        RangeResponse.newBuilder()
            .setHeader(HEADER)
            .addKvs(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8("a")))
            .build();
    assertThat(ended(done -> EtcdAnswer.range(answer, done))).isEqualTo("failed:OTHER");
    assertThat(ended(done -> EtcdAnswer.range(answer.toBuilder().setCount(1).build(), done)))
        .isEqualTo("entries:1");
  }

  @Test
  void chunks_of_a_range_are_put_together_wherever_they_are_cut() throws IOException {
    RangeResponse first =
        RangeResponse.newBuilder()
            .addKvs(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8("a")))
            .build();
    RangeResponse last =
        RangeResponse.newBuilder()
            .setHeader(HEADER)
            .addKvs(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8("b")))
            .setCount(2)
            .build();
    ByteBuf arriving = Unpooled.wrappedBuffer(chunk(first), chunk(last));
    RangeChunks chunks = new RangeChunks();
    ByteBuf arrived = Unpooled.buffer();
    while (arriving.isReadable()) {
      chunks.read(arrived.writeByte(arriving.readByte()));
    }
    assertThat(arrived.isReadable()).isFalse();
    assertThat(ended(chunks::end)).isEqualTo("entries:2");

    ByteBuf compressed = Unpooled.copiedBuffer(new byte[] {1, 0, 0, 0, 0});
    assertThatThrownBy(() -> chunks.read(compressed)).hasMessage("not one plain message");
  }

  /** Returns a message whose first field is a part of the answer, behind gRPC's five bytes. */
  private static ByteBuf chunk(RangeResponse part) {
    byte[] bytes = part.toByteArray();
    ByteBuf field =
        Unpooled.buffer().writeByte(1 << 3 | 2).writeByte(bytes.length).writeBytes(bytes);
    return framed(ByteBufUtil.getBytes(field));
  }

  private static long revision(PutResponse answer) {
    return EtcdAnswer.revisionOfPut(framed(answer.toByteArray()));
  }

  private static ByteBuf framed(byte[] message) {
    return Unpooled.buffer().writeByte(0).writeInt(message.length).writeBytes(message);
  }
}
