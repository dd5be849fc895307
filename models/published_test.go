package models

import "testing"

func TestPublishedOf(t *testing.T) {
	for name, want := range map[string]struct {
		languages string
		known     bool
	}{
		PublishedEmbedder:             {"English", true},
		DefaultEmbedder:               {"English", false},
		"BAAI/bge-small-en-v1.5":      {"English", true},
		"bge-small-en-v15":            {"English", true},
		"intfloat/e5-small-v2":        {"English", true},
		"multilingual-e5-small":       {"some hundred languages", false},
		"me/multilingual-e5-small-v2": {"some hundred languages", false},
		"mine":                        {"", false},
	} {
		p := PublishedOf("mine", name)
		if p.Languages != want.languages || (p.Retrieval > 0) != want.known || (p.Source != "") != want.known {
			t.Errorf("%s: %+v", name, p)
		}
	}
	for _, e := range Catalogue() {
		if e.Role == Embedder && PublishedOf(e.Name, e.Repository).Languages == "" {
			t.Errorf("of %s nobody says which languages it knows", e.Name)
		}
	}
}
