package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf is one definition of the schema in the documentation. A key that it does not name fails here,
// though readers are told to pass over such.
func schemaOf(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	closeObjects(document)
	document["$ref"] = "#/$defs/" + name
	if text, err = json.Marshal(document); err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// closeObjects lets no object have keys that its schema does not name, unless that says so.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, names := v["properties"]
		if _, says := v["additionalProperties"]; names && !says && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

// TestOutputHoldsTheSchema: what commands print as JSON is what the documentation says.
func TestOutputHoldsTheSchema(t *testing.T) {
	home, cache, notes := agentHome(t)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"search", []string{"-q", "what do the slates cost", "--json"}},
		{"search", []string{"-q", "why did resolvr names stop resolving", "--json", "-k", "1", "--lines", "1"}},
		{"search", []string{"-q", "what do the slates cost", "--json", "--answer"}},
		{"search", []string{"-q", "slates type:mail", "--json", "--budget", "2000"}},
		{"related", []string{"related", filepath.Join(notes, "dns.md"), "--json", "-k", "1"}},
		{"list", []string{"list", "--json"}},
		{"left_out", []string{"list", "--skipped", "--json"}},
		{"read", []string{"read", filepath.Join(notes, "box.mbox"), "--json"}},
		{"read", []string{"read", filepath.Join(notes, "dns.md"), "--json", "--budget", "9"}},
	} {
		out, err := dowse(home, cache, c.args...).Output()
		var value any
		if err == nil {
			err = json.Unmarshal(out, &value)
		}
		if err == nil {
			err = schemaOf(t, c.name).Validate(value)
		}
		if err != nil {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
	if schemaOf(t, "list").Validate(map[string]any{"files": []any{map[string]any{"pth": "x"}}, "version": 1}) == nil {
		t.Error("the schema takes anything")
	}
}
