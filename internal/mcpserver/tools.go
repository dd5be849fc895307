package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dowse/engine"
)

// addTools offers the tools. Clients list them by name.
func (s *Server) addTools() {
	tool(s, "search", "Search the person's files by meaning and words. Plain words, or \"exact phrase\", =AsWritten, grep:/regex/, -without, path:x, ext:md, "+
		"type:pdf, tag:x, from:ann, title:x, after:2026-01, before:7d. Says when nothing relevant is there.",
		`"query":{"type":"string"},"folder":{"type":"string","description":"absolute; below it alone"},`+
			`"limit":{"type":"integer","description":"passages, default 5"},"lines":{"type":"integer","description":"of each passage, default 10"},`+cursorSchema,
		"query", (*Server).search)
	tool(s, "read", "Read the extracted text of an indexed file, also of PDF, office and mail: all of it, from a line, or a part.",
		pathSchema+`,"from":{"type":"integer","description":"first line"},"lines":{"type":"integer","description":"how many"},`+
			`"place":{"type":"string","description":"part, as a search names it: page 7"},`+cursorSchema,
		"path", (*Server).read)
	tool(s, "related", "Find passages of other files that mean nearly the same as a passage or file.",
		pathSchema+`,"line":{"type":"integer","description":"of the passage; without it the whole file"},"limit":{"type":"integer"},`+cursorSchema,
		"path", (*Server).related)
	tool(s, "list", "List the indexed files, or with skipped those left out, and why.",
		`"folder":{"type":"string","description":"absolute"},"skipped":{"type":"boolean"},`+cursorSchema, "", (*Server).list)
	tool(s, "status", "Tell which folders are indexed and how fresh they are.", "", "", (*Server).status)
	if s.opts.Answers {
		tool(s, "answer", "Have a local model answer a question from the files, with citations. Slow: search first.",
			`"question":{"type":"string"}`, "question", (*Server).answer)
	}
}

// Schemas of arguments that several tools have.
const (
	pathSchema   = `"path":{"type":"string","description":"absolute, as search or list gives it"}`
	cursorSchema = `"cursor":{"type":"string","description":"to go on, from the last reply; repeat the rest"}`
)

// tool offers a tool whose arguments are an A.
func tool[A any](s *Server, name, description, properties, required string, call func(*Server, context.Context, engine.Service, A) (content, error)) {
	schema := `{"type":"object","properties":{` + properties + `}`
	if required != "" {
		schema += `,"required":["` + required + `"]`
	}
	closed := false
	s.mcp.AddTool(&mcp.Tool{
		Name: name, Description: description, InputSchema: json.RawMessage(schema + "}"),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		var args A
		if err := decode(req.Params.Arguments, &args); err != nil {
			return failed(err), nil
		}
		var said content
		err := s.index.With(ctx, func(service engine.Service) (err error) {
			said, err = call(s, ctx, service, args)
			return err
		})
		if err != nil {
			return failed(errText(s.clean(oneLine(err.Error())))), nil
		}
		return result(said)
	})
}

// errText is an error that is said as it stands.
type errText string

func (e errText) Error() string { return string(e) }

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "; ") }
