package mcpserver

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dowse/internal/reply"
)

// MaxReply bounds a reply to a call, in bytes as it is sent.
const MaxReply = 16_000

// envelope is what stands around a result: the id of the call, and who serves.
const envelope = 500

// content is what a tool says: as values, and as text. Both are made of the first n of its parts.
type content interface {
	parts() int
	// first is the content with the first n parts, and how to go on.
	first(n int) (values any, text string)
}

// result makes the reply of a content, with as many of its parts as have room.
func result(c content) (*mcp.CallToolResult, error) {
	var last error
	build := func(n int) *mcp.CallToolResult {
		values, text := c.first(n)
		structured, err := reply.JSON(values)
		if err != nil {
			last = err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: structured}
	}
	size := func(n int) int {
		line, err := reply.JSON(build(n))
		if err != nil {
			last = err
		}
		return len(line)
	}
	n := reply.Fit(c.parts(), MaxReply-envelope, size)
	return build(n), last
}

// failed is the reply that tells a model what went wrong.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}

// quoteSign begins each line of text that stands in a file of the person, and no other line.
const quoteSign = "| "

// quoted writes text of a file with the sign before each line.
func quoted(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		b.WriteString(strings.TrimRight(quoteSign+strings.TrimRight(line, "\n"), " ") + "\n")
	}
	return b.String()
}

// clean makes text safe to show, line by line.
func (s *Server) clean(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = s.opts.Clean(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}
