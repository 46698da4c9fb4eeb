// SPDX-License-Identifier: Apache-2.0

// A gRPC proxy between API servers and etcd that counts requests by kind and resource. It forwards the bytes of all
// messages as they are.
//
//	counter LISTEN ETCD COUNTS
//
// GET http://COUNTS/ answers the counts since the last GET as JSON, and begins anew.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// largestMessage is above the 31 MB that an API server 1.36 reads at once.
const largestMessage = 1 << 30

// count is what one kind of request on one resource caused.
type count struct {
	Method   string `json:"method"`
	Kind     string `json:"kind"`
	Resource string `json:"resource"`
	Requests int    `json:"requests"`
	// Bytes of messages, without those of gRPC and HTTP/2.
	RequestBytes int `json:"requestBytes"`
	AnswerBytes  int `json:"answerBytes"`
	// ValueBytes is the size of all written values.
	ValueBytes int `json:"valueBytes"`
	// Micros has the time until the last answer of each request; of watches there is none.
	Micros []int64 `json:"micros"`
}

type counts struct {
	mutex sync.Mutex
	all   map[string]*count
}

func (c *counts) add(one count) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	key := one.Method + " " + one.Kind + " " + one.Resource
	sum := c.all[key]
	if sum == nil {
		sum = &count{Method: one.Method, Kind: one.Kind, Resource: one.Resource, Micros: []int64{}}
		c.all[key] = sum
	}
	sum.Requests += one.Requests
	sum.RequestBytes += one.RequestBytes
	sum.AnswerBytes += one.AnswerBytes
	sum.ValueBytes += one.ValueBytes
	sum.Micros = append(sum.Micros, one.Micros...)
}

func (c *counts) ServeHTTP(answer http.ResponseWriter, _ *http.Request) {
	c.mutex.Lock()
	taken := c.all
	c.all = map[string]*count{}
	c.mutex.Unlock()
	list := []*count{}
	for _, each := range taken {
		list = append(list, each)
	}
	if err := json.NewEncoder(answer).Encode(list); err != nil {
		log.Print(err)
	}
}

// resource returns the part of a key that names its resource, with the group of a custom resource.
func resource(key []byte) string {
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(string(key), "/registry/"), "quorate/"), "/")
	if len(parts) > 1 && strings.Contains(parts[0], ".") {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func parse(bytes []byte, message proto.Message) {
	if err := proto.Unmarshal(bytes, message); err != nil {
		log.Fatalf("a message that etcd does not know: %v", err)
	}
}

// describe says what a request asks for; answer is the last one.
func describe(method string, request, answer []byte) (one count) {
	one.Method, one.Kind = method, "other"
	switch method {
	case "Range", "RangeStream":
		in := &pb.RangeRequest{}
		parse(request, in)
		one.Resource = resource(in.Key)
		switch {
		case in.CountOnly:
			one.Kind = "count"
		case len(in.RangeEnd) > 0 && in.Revision > 0:
			one.Kind = "list at a revision"
		case len(in.RangeEnd) > 0:
			one.Kind = "list"
		default:
			out := &pb.RangeResponse{}
			parse(answer, out)
			one.Kind = "get"
			if len(out.Kvs) == 0 {
				one.Kind = "get of nothing"
			}
		}
	case "Txn":
		in, out := &pb.TxnRequest{}, &pb.TxnResponse{}
		parse(request, in)
		parse(answer, out)
		transaction(in, out.Succeeded, &one)
	case "LeaseGrant":
		in := &pb.LeaseGrantRequest{}
		parse(request, in)
		one.Kind = "ttl " + (time.Duration(in.TTL) * time.Second).String()
	}
	return one
}

func transaction(in *pb.TxnRequest, succeeded bool, one *count) {
	if len(in.Compare) != 1 || len(in.Success) != 1 {
		return
	}
	put, deletion := in.Success[0].GetRequestPut(), in.Success[0].GetRequestDeleteRange()
	one.Resource = resource(in.Compare[0].Key)
	switch {
	case put != nil && in.Compare[0].Target == pb.Compare_MOD && in.Compare[0].GetModRevision() == 0:
		one.Kind = "create"
		one.ValueBytes = len(put.Value)
	case put != nil:
		one.Kind = "update"
		one.ValueBytes = len(put.Value)
	case deletion != nil:
		one.Kind = "delete"
	}
	if !succeeded {
		one.Kind += " with a conflict"
	}
}

// watched counts a message of a watch when it passes: a stream has no end that could be waited for.
func watched(message []byte, fromClient bool) count {
	if fromClient {
		in := &pb.WatchRequest{}
		parse(message, in)
		one := count{Method: "Watch", Kind: "cancel", Requests: 1, RequestBytes: len(message)}
		if in.GetCreateRequest() != nil {
			one.Kind = "create"
			one.Resource = resource(in.GetCreateRequest().Key)
		} else if in.GetProgressRequest() != nil {
			one.Kind = "progress request"
		}
		return one
	}
	out := &pb.WatchResponse{}
	parse(message, out)
	one := count{Method: "Watch", Kind: "answer without events", AnswerBytes: len(message)}
	if len(out.Events) > 0 {
		one.Kind, one.Resource = "events", resource(out.Events[0].Kv.Key)
	}
	return one
}

// codec leaves messages as they are.
type codec struct{}

func (codec) Marshal(message any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(*message.(*[]byte))}, nil
}

func (codec) Unmarshal(data mem.BufferSlice, message any) error {
	*message.(*[]byte) = data.Materialize()
	return nil
}

func (codec) Name() string { return "proto" }

// forward passes a call on, in both directions.
func (c *counts) forward(client grpc.ServerStream, etcd *grpc.ClientConn) error {
	name, _ := grpc.MethodFromServerStream(client)
	method := path.Base(name)
	started := time.Now()
	header, _ := metadata.FromIncomingContext(client.Context())
	ctx, cancel := context.WithCancel(metadata.NewOutgoingContext(client.Context(), header.Copy()))
	defer cancel()
	server, err := etcd.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, name)
	if err != nil {
		return err
	}
	requests := make(chan []byte, 1) // the only request of a call that is not a watch
	go func() {
		for {
			var message []byte
			if err := client.RecvMsg(&message); err != nil {
				if errors.Is(err, io.EOF) {
					_ = server.CloseSend()
				}
				return
			}
			if method == "Watch" {
				c.add(watched(message, true))
			} else if len(requests) == 0 {
				requests <- message
			}
			if server.SendMsg(&message) != nil {
				return
			}
		}
	}()
	var last []byte
	bytes := 0
	for first := true; ; first = false {
		var message []byte
		if err := server.RecvMsg(&message); err != nil {
			client.SetTrailer(server.Trailer())
			if !errors.Is(err, io.EOF) {
				return err
			}
			break
		}
		if header, err := server.Header(); first && err == nil {
			_ = client.SendHeader(header)
		}
		if method == "Watch" {
			c.add(watched(message, false))
		}
		last = message
		bytes += len(message)
		if err := client.SendMsg(&message); err != nil {
			return err
		}
	}
	if method != "Watch" && len(requests) > 0 {
		request := <-requests
		one := describe(method, request, last)
		one.Requests, one.RequestBytes, one.AnswerBytes = 1, len(request), bytes
		one.Micros = []int64{time.Since(started).Microseconds()}
		c.add(one)
	}
	return nil
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: counter LISTEN ETCD COUNTS")
	}
	etcd, err := grpc.NewClient("passthrough:///"+os.Args[2], grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(codec{}), grpc.MaxCallRecvMsgSize(largestMessage), grpc.MaxCallSendMsgSize(largestMessage)))
	if err != nil {
		log.Fatal(err)
	}
	c := &counts{all: map[string]*count{}}
	go func() { log.Fatal(http.ListenAndServe(os.Args[3], c)) }()
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer(grpc.ForceServerCodecV2(codec{}), grpc.MaxRecvMsgSize(largestMessage), grpc.MaxSendMsgSize(largestMessage),
		grpc.UnknownServiceHandler(func(_ any, client grpc.ServerStream) error { return c.forward(client, etcd) }))
	log.Fatal(server.Serve(listener))
}
