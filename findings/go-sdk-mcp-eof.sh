#!/usr/bin/env bash
# A server by the Go SDK of the Model Context Protocol drops the call under way when its input ends.
#
# Guess: a client that writes its request and closes the input, as a pipe in a shell does, gets the reply.
# Seen, github.com/modelcontextprotocol/go-sdk v1.8.0: a tool that takes 300 ms is cancelled through its context at the end of the input,
# and its result is never written; only the reply to initialize is.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >main.go <<'GO'
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type output struct{ *bytes.Buffer }

func (output) Close() error { return nil }

func main() {
	cancelled := make(chan bool, 1)
	server := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		select {
		case <-ctx.Done():
			cancelled <- true
			return nil, nil, ctx.Err()
		case <-time.After(300 * time.Millisecond):
			cancelled <- false
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "waited"}}}, nil, nil
		}
	})
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{}}}`, "",
	}, "\n")
	reader, writer := io.Pipe()
	go func() {
		_, _ = io.WriteString(writer, in)
		time.Sleep(100 * time.Millisecond) // the call has begun
		_ = writer.Close()
	}()
	out := output{&bytes.Buffer{}}
	_ = server.Run(context.Background(), &mcp.IOTransport{Reader: reader, Writer: out})
	replies := strings.Count(out.String(), `"result"`)
	fmt.Println(<-cancelled, replies, strings.Contains(out.String(), "waited"))
	if replies != 1 || strings.Contains(out.String(), "waited") {
		panic("what was seen has changed")
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/modelcontextprotocol/go-sdk@v1.8.0 >/dev/null 2>&1
go mod tidy >/dev/null 2>&1
go run .
