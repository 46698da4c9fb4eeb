package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.quorate.store.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

  private static long revision(PutResponse answer) {
    return EtcdAnswer.revisionOfPut(framed(answer.toByteArray()));
  }

  private static ByteBuf framed(byte[] message) {
    return Unpooled.buffer().writeByte(0).writeInt(message.length).writeBytes(message);
  }
}
