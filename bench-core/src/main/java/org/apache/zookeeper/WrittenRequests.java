// SPDX-License-Identifier: Apache-2.0
package org.apache.zookeeper;

import io.quorate.store.driver.PendingRequest;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.Queue;
import org.apache.zookeeper.ClientCnxn.Packet;

/**
 * The queue of requests that wait for an answer. ZooKeeper's client adds a request when it writes
 * it, so the request is stamped then. Like the client, it synchronizes on the client's queue.
 */
final class WrittenRequests extends AbstractQueue<Packet> {
  private final Queue<Packet> queue;

  WrittenRequests(Queue<Packet> queue) {
    this.queue = queue;
  }

  @Override
  public boolean offer(Packet packet) {
    if (packet.ctx instanceof PendingRequest request) {
      request.sent();
    }
    synchronized (queue) {
      return queue.offer(packet);
    }
  }

  @Override
  public Packet poll() {
    synchronized (queue) {
      return queue.poll();
    }
  }

  @Override
  public Packet peek() {
    synchronized (queue) {
      return queue.peek();
    }
  }

  @Override
  public Iterator<Packet> iterator() {
    return queue.iterator();
  }

  @Override
  public int size() {
    return queue.size();
  }
}
