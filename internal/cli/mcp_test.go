package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dowse/internal/mcpserver"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
	"dowse/internal/testwait"
)

// agentNotes are what agents look at in tests.
var agentNotes = map[string]string{
	"dns.md":    "# DNS\n\n## Cause\n\nThe upgrade had put the resolver behind the firewall, so names stopped resolving.\n",
	"dhcp.md":   "# DHCP\n\nThe router gives out addresses and the name of the resolver.\n",
	"mildew.md": "# Mildew\n\nOne part milk to nine of water against powdery mildew on the courgettes.\n",
	"box.mbox": "From ann@x.org Thu Jan  1 10:00:00 2026\nFrom: Ann <ann@x.org>\nTo: ben@x.org\nSubject: Roof\nDate: Thu, 1 Jan 2026 10:00:00 +0000\n\nThe slater comes on Monday to mend the roof.\n\n" +
		"From ben@x.org Fri Jan  2 10:00:00 2026\nFrom: Ben <ben@x.org>\nTo: ann@x.org\nSubject: Re: Roof\nDate: Fri, 2 Jan 2026 10:00:00 +0000\n\nHe wants four hundred for the slates, paid in cash.\n",
	"data.bin": "GIF89a no text",
}

// agentHome indexes notes into a home of its own.
func agentHome(t *testing.T) (home, cache, notes string) {
	t.Helper()
	cache = testcache.Dir(t)
	home, notes = t.TempDir(), testenv.Folder(t, agentNotes)
	index(t, home, cache, notes)
	return home, cache, notes
}

// agent connects the SDK's client to dowse mcp, by a version of the protocol.
func agent(t *testing.T, home, cache, version string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: dowse(home, cache, "mcp")}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// call calls a tool, which must succeed, and decodes what it says.
func call[T any](t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) (said T, text string) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	text = result.Content[0].(*mcp.TextContent).Text
	structured, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(structured, &said)
	}
	if err != nil || result.IsError {
		t.Fatalf("%s: %s, %v", tool, text, err)
	}
	return said, text
}

// TestAgentsSpeakEveryProtocol: the SDK's own client, without a handshake and with the older one. The
// tools are few words, and schemas have nothing that clients refuse.
func TestAgentsSpeakEveryProtocol(t *testing.T) {
	home, cache, _ := agentHome(t)
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-03-26"} {
		session := agent(t, home, cache, version)
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		all, err := json.Marshal(tools)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range tools.Tools {
			names = append(names, tool.Name)
			if a := tool.Annotations; !a.ReadOnlyHint || *a.OpenWorldHint {
				t.Errorf("%s is annotated %+v", tool.Name, a)
			}
		}
		if len(all) > 3000 || strings.Join(names, " ") != "list read related search status" || tools.TTLMs == 0 || tools.CacheScope != "private" {
			t.Errorf("%s: %d bytes: %s", version, len(all), all)
		}
		for _, refused := range []string{"anyOf", "oneOf", "allOf", `"null"`, `"type":[`, "$ref"} {
			if strings.Contains(string(all), refused) {
				t.Errorf("%s: a schema has %s", version, refused)
			}
		}
		found, text := call[mcpserver.Found](t, session, "search", map[string]any{"query": "why did names stop resolving"})
		if len(found.Results) == 0 || !found.Relevant || filepath.Base(string(found.Results[0].Path)) != "dns.md" || !strings.Contains(text, "| The upgrade had put") {
			t.Errorf("%s: %+v\n%s", version, found, text)
		}
		if err := session.Close(); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// TestAgentSession is what an agent does with a question: it looks at what there is, searches, reads a
// message, looks for more like it, and goes on where a reply ended.
func TestAgentSession(t *testing.T) {
	home, cache, notes := agentHome(t)
	session := agent(t, home, cache, "")
	defer session.Close() //nolint:errcheck // the session has said all
	if _, text := call[mcpserver.Status](t, session, "status", nil); !strings.HasPrefix(text, "4 files, ") || !strings.Contains(text, notes) {
		t.Errorf("status: %s", text)
	}
	files, _ := call[mcpserver.Files](t, session, "list", map[string]any{"folder": notes})
	if len(files.Files) != 4 || string(files.Files[0].Path) != filepath.Join(notes, "box.mbox") {
		t.Errorf("list: %+v", files)
	}
	left, _ := call[mcpserver.Files](t, session, "list", map[string]any{"skipped": true})
	if len(left.Files) != 1 || left.Files[0].Reason == "" {
		t.Errorf("what is left out: %+v", left)
	}
	found, _ := call[mcpserver.Found](t, session, "search", map[string]any{"query": "what do the slates for the roof cost", "limit": "1"})
	hit := found.Results[0]
	if filepath.Base(string(hit.Path)) != "box.mbox" || hit.Place == "" || found.Cursor == "" || hit.Why == "" {
		t.Fatalf("search: %+v", found)
	}
	more, _ := call[mcpserver.Found](t, session, "search", map[string]any{"query": "what do the slates for the roof cost", "limit": 1, "cursor": found.Cursor})
	if len(more.Results) != 1 || more.Results[0].Rank <= hit.Rank {
		t.Errorf("behind the cursor: %+v", more)
	}
	message, text := call[mcpserver.FileText](t, session, "read", map[string]any{"path": hit.Path, "place": "message 2"})
	if !strings.Contains(message.Text, "four hundred") || strings.Contains(message.Text, "Monday") || !strings.Contains(text, "| He wants four hundred") {
		t.Errorf("read: %+v", message)
	}
	line, _ := call[mcpserver.FileText](t, session, "read", map[string]any{"path": filepath.Join(notes, "dns.md"), "from": 3, "lines": 1})
	if line.Text != "## Cause\n" || line.LineStart != 3 {
		t.Errorf("a line: %+v", line)
	}
	related, _ := call[mcpserver.Found](t, session, "related", map[string]any{"path": filepath.Join(notes, "dns.md"), "limit": 1})
	if len(related.Results) != 1 || filepath.Base(string(related.Results[0].Path)) != "dhcp.md" {
		t.Errorf("related: %+v", related)
	}
	nothing, text := call[mcpserver.Found](t, session, "search", map[string]any{"query": "when was the treaty of Utrecht signed"})
	if nothing.Relevant || !strings.Contains(text, "Nothing in these files is about this") {
		t.Errorf("nothing relevant: %s", text)
	}
	index(t, home, cache, notes) // the agent is silent, and holds nobody up
	for arguments, want := range map[string]string{"/etc/passwd": "not in the index", "dns.md": "absolute path", notes: "not in the index"} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "read", Arguments: map[string]any{"path": arguments}})
		if err != nil || !result.IsError || !strings.Contains(result.Content[0].(*mcp.TextContent).Text, want) {
			t.Errorf("read %s: %+v, %v", arguments, result, err)
		}
	}
}

// TestAgentReadsAPage of a PDF, which it could not read itself.
func TestAgentReadsAPage(t *testing.T) {
	cache, home := testcache.Dir(t), t.TempDir()
	notes := testenv.Folder(t, map[string]string{"report.pdf": twoPages("A heron stood in the reeds.", "The slater mended the roof.")})
	index(t, home, cache, notes)
	session := agent(t, home, cache, "")
	defer session.Close() //nolint:errcheck // the session has said all
	page, _ := call[mcpserver.FileText](t, session, "read", map[string]any{"path": filepath.Join(notes, "report.pdf"), "place": "page 2"})
	if strings.TrimSpace(page.Text) != "The slater mended the roof." || page.Place != "page 2" {
		t.Errorf("%+v", page)
	}
}

// twoPages is a PDF of two pages, each of a line.
func twoPages(lines ...string) string {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	for i, line := range lines {
		draw := "BT /F1 12 Tf 72 700 Td (" + line + ") Tj ET"
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", 5+2*i),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(draw), draw))
	}
	text, at := "%PDF-1.4\n", []int{}
	for i, object := range objects {
		at = append(at, len(text))
		text += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	end := len(text)
	text += fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		text += fmt.Sprintf("%010d 00000 n \n", offset)
	}
	return text + fmt.Sprintf("trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, end)
}

// TestServerEndsWithItsClient: by the end of its input, by a reader that is gone, and when what started it
// has died while its input stays open.
func TestServerEndsWithItsClient(t *testing.T) {
	home, cache, _ := agentHome(t)
	ended := dowse(home, cache, "mcp")
	ended.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n{half")
	out, err := ended.Output()
	if err != nil || !strings.Contains(string(out), `"id":1,"result":{`) || !strings.Contains(string(out), "-32700") {
		t.Errorf("%s, %v", out, err)
	}
	deaf := dowse(home, cache, "mcp")
	in, err := deaf.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	deaf.Stdout = write
	if err := deaf.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = write.Close(), read.Close()
	_, _ = io.WriteString(in, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
	if err := deaf.Wait(); err != nil {
		t.Errorf("nobody reads: %v", err)
	}
	shell := exec.Command("sh", "-c", "exec 3<&0; dowse mcp <&3 3<&- >out 2>&1 & echo $!; until [ -s out ]; do :; done") // it is up
	shell.Dir = t.TempDir()
	shell.Env = dowse(home, cache).Env
	held, keep, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close() //nolint:errcheck // it was held open long enough
	shell.Stdin = held
	if _, err := io.WriteString(keep, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"); err != nil {
		t.Fatal(err)
	}
	pidText, err := shell.Output()
	pid, wrong := strconv.Atoi(strings.TrimSpace(string(pidText)))
	if err != nil || wrong != nil {
		t.Fatalf("%s, %v", pidText, err)
	}
	testwait.Until(t, "the server outlives its client", func() bool { return syscall.Kill(pid, 0) != nil })
}

// inspector is the program of the protocol's authors that looks at servers.
const inspector = "@modelcontextprotocol/inspector@2.12.0"

// TestInspector has the inspector's command line list the tools and call one.
func TestInspector(t *testing.T) {
	if os.Getenv(testcache.FullVariable) == "" {
		t.Skipf("%s is not set, which has the inspector fetched from npm", testcache.FullVariable)
	}
	npx, err := exec.LookPath("npx")
	if err != nil {
		t.Skip("npx is not installed, which fetches the inspector")
	}
	folder := t.TempDir()
	fetch := exec.CommandContext(t.Context(), npx, "--yes", "--package", inspector, "--", "sh", "-c", "command -v mcp-inspector")
	fetch.Env, fetch.Dir = append(os.Environ(), "npm_config_cache="+filepath.Join(folder, "npm"), "npm_config_fetch_retries=0"), folder
	var said strings.Builder
	fetch.Stderr = &said
	path, err := fetch.Output()
	if err != nil {
		t.Skipf("the inspector cannot be fetched: %v, %.200s", err, &said)
	}
	home, cache, _ := agentHome(t)
	program, err := exec.LookPath("dowse")
	if err != nil {
		t.Fatal(err)
	}
	inspect := func(arguments ...string) string {
		// The program itself: npx might go to the network again.
		cmd := exec.CommandContext(t.Context(), strings.TrimSpace(string(path)), slices.Concat([]string{"--cli", program, "mcp"}, arguments)...)
		cmd.Env, cmd.Dir = fetch.Env, folder
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%q: %s, %v", arguments, out, err)
		}
		return string(out)
	}
	if out := inspect("-e", "DOWSE_HOME="+home, "-e", "XDG_CACHE_HOME="+cache, "--method", "tools/list"); !strings.Contains(out, `"readOnlyHint": true`) {
		t.Errorf("tools/list: %s", out)
	}
	out := inspect("-e", "DOWSE_HOME="+home, "-e", "XDG_CACHE_HOME="+cache, "--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=why did names stop resolving", "--tool-arg", "limit=1")
	if !strings.Contains(out, "dns.md") || strings.Contains(out, `"isError": true`) {
		t.Errorf("tools/call: %s", out)
	}
}
