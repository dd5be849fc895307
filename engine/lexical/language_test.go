package lexical_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"dowse/engine/lexical"
)

func TestDetect(t *testing.T) {
	for _, test := range []struct{ want, text string }{
		{"en", ""},
		{"en", "The boiler was repaired by the man who came in March."},
		{"en", "for i := range n { if de[i] == la[i] { return el } } // os.Path"},
		{"en", "Beyoncé, Zoë, São Paulo, Łódź, Kraków, Düsseldorf"}, // names
		{"en", "KFZ Golf 449,80"},
		{"en", "東京都に住んでいます"},
		{"de", "Wir haben die Heizung entlüftet, weil sie nicht mehr warm wurde."},
		{"fr", "Le plombier est venu avec une nouvelle pièce pour la chaudière."},
		{"es", "El fontanero vino con una pieza nueva para la caldera, pero no era la que pedí."},
		{"it", "L'idraulico è venuto con un pezzo nuovo per la caldaia, ma non era quello giusto."},
		{"pt", "O encanador veio com uma peça nova, mas não era a que eu tinha pedido."},
		{"nl", "De loodgieter kwam met een nieuw onderdeel, maar het was niet wat ik had besteld."},
		{"sv", "Rörmokaren kom med en ny del till pannan, men det var inte den som jag hade beställt."},
		{"da", "Blikkenslageren kom med en ny del, men det var ikke den, jeg havde bestilt af ham."},
		{"pl", "Hydraulik przyszedł z nową częścią, ale to nie była ta, którą zamówiłem."},
		{"ru", "Сантехник пришёл с новой деталью для котла."},
		{"uk", "Сантехнік прийшов з новою деталлю, але це не та, що була."},
		{"el", "Ο υδραυλικός ήρθε με ένα νέο κομμάτι."},
		{"hi", "प्लम्बर एक नया पुर्जा लेकर आया।"},
		{"ar", "جاء السباك بقطعة جديدة للغلاية"},
		{"de", "git rebase --onto main: damit werden nur die eigenen Commits auf den neuen Stand gesetzt, nicht die von den anderen"},
	} {
		if got := lexical.Detect(test.text).Code(); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

// TestEnglishDocuments: texts in English have the terms of Append and, beside annotations, nothing else.
func TestEnglishDocuments(t *testing.T) {
	a := lexical.NewAnalyzer()
	for _, text := range []string{"The quick brown foxes are jumping", "naïve Straße café of the maxConns", ""} {
		want := a.Append(a.Append(nil, text), "my notes")
		got := slices.DeleteFunc(a.Document(nil, text, "my notes"), func(term string) bool { return term[0] < ' ' })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// indexOf is a collection of texts, numbered from 0.
func indexOf(t *testing.T, texts ...string) (*lexical.Collection, *memoryStore) {
	t.Helper()
	store, b, a := newMemoryStore(), lexical.NewBuilder(), lexical.NewAnalyzer()
	for i, text := range texts {
		b.Add(uint32(i), a.Document(nil, text, ""))
	}
	if _, err := b.Write(store); err != nil {
		t.Fatal(err)
	}
	all := lexical.NewSet(uint32(len(texts)))
	all.AddRange(0, uint32(len(texts)))
	_, err := lexical.Check(context.Background(), store, all, uint32(len(texts)), func(what string) { t.Error(what) })
	if err != nil {
		t.Fatal(err)
	}
	c, err := lexical.NewCollection(store, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, store
}

// ask returns the chunks that a query finds, best first.
func ask(t *testing.T, c *lexical.Collection, store *memoryStore, query string) (chunks []uint32) {
	t.Helper()
	ctx := context.Background()
	in, err := c.Languages(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	q, err := c.Expand(ctx, store, lexical.NewAnalyzer().QueryIn(query, in))
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Search(ctx, store, q, 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		chunks = append(chunks, h.Chunk)
	}
	return chunks
}

var mixedNotes = []string{
	0: "The heating was vented by the plumber, and the exercises were done.",
	1: "Wir haben die Übungen für den Rücken gemacht, wie der Arzt es wollte.",
	2: "Il a écrit les résumés des réunions, mais il ne les a pas envoyés.",
	3: "Bitte das Resume nicht mehr an die alte Adresse schicken, sondern an mich.",
	4: "Мы купили новые книги о садах и деревьях.",
	5: "お茶を飲む。新しい茶",
	6: "Wir haben die Strasse nicht gefunden, weil sie einen anderen Namen hat.",
}

func TestLanguagesOfIndex(t *testing.T) {
	c, store := indexOf(t, mixedNotes...)
	in, err := c.Languages(context.Background(), store)
	want := lexical.OnlyEnglish.With(lexical.German).With(lexical.French).With(lexical.Russian)
	if err != nil || in != want {
		t.Errorf("languages %b, want %b, error %v", in, want, err)
	}
	live := lexical.NewSet(8)
	live.AddRange(0, 2)
	if c, err = c.Follow(store, live); err != nil {
		t.Fatal(err)
	}
	if in, err = c.Languages(context.Background(), store); err != nil || in != lexical.OnlyEnglish.With(lexical.German) {
		t.Errorf("languages %b of what is left, error %v", in, err)
	}
}

func TestQueriesInLanguages(t *testing.T) {
	c, store := indexOf(t, mixedNotes...)
	for query, want := range map[string][]uint32{
		"Übung":    {1},
		"Uebung":   {1},
		"ubung":    {1},
		"exercise": {0},
		"книга":    {4},
		"книгами":  {4},
		"résumé":   {2, 3},
		"Straße":   {6},
		"茶":        {5},
		"の":        nil,
	} {
		got := ask(t, c, store, query)
		if query == "résumé" && len(got) > 0 {
			got = got[:min(len(got), 2)]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", query, got, want)
		}
	}
}

// TestExactSpelling: of two texts that are alike but for the marks of a word, the one in
// the spelling of the query is first.
func TestExactSpelling(t *testing.T) {
	c, store := indexOf(t,
		"Wir haben die Baren gesehen, aber es war nicht das, was wir wollten.",
		"Wir haben die Bären gesehen, aber es war nicht das, was wir wollten.",
		"Wir haben die Leute gesehen, aber es war nicht das, was wir wollten.")
	if got := ask(t, c, store, "Bären"); len(got) == 0 || got[0] != 1 {
		t.Errorf("found %v, want 1 first", got)
	}
	if len(ask(t, c, store, "baren")) < 2 {
		t.Error("a query without marks finds one spelling alone")
	}
}

// TestFunctionWordsOfQuery: English stop words are no terms where a query is in English.
func TestFunctionWordsOfQuery(t *testing.T) {
	in := lexical.OnlyEnglish.With(lexical.German)
	terms := func(text string, in lexical.Languages) string {
		return strings.Join(lexical.NewAnalyzer().QueryIn(text, in).Terms(), " ")
	}
	if got := terms("was es an uns kostet", in); got != "was es an un kostet" {
		t.Errorf("terms %q", got)
	}
	if got := terms("when was the plumber in", in); got != "when plumber" {
		t.Errorf("terms %q", got)
	}
	if got, want := terms("der Klempner", lexical.OnlyEnglish), "der klempner"; got != want {
		t.Errorf("terms %q in an English index, want %q", got, want)
	}
}
