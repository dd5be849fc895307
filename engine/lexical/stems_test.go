package lexical_test

import (
	"slices"
	"testing"

	"dowse/engine/lexical"
)

// TestFormsOfWords: each query finds the texts that hold another form of its word, and not
// those that hold a word that is only spelt like it.
func TestFormsOfWords(t *testing.T) {
	texts := []string{
		0:  "A note was added to the wall.",
		1:  "We are adding a user.",
		2:  "The ad was in the papers.",
		3:  "In the past we walked there.",
		4:  "Cut the region and paste it below.",
		5:  "An even number of bolts.",
		6:  "The evening was quiet.",
		7:  "De huizen in deze straat zijn niet meer te koop, want ze waren al van ons.",
		8:  "Die Schülerinnen haben das nicht gewusst, aber sie sind mit dem Bus gekommen.",
		9:  "Nie ma już obok siebie książki na tej półce, bo są u mnie i tylko ona to wie, jak było.",
		10: "Už jsme si koupili nové knihy, ale není to tak, jak jsme chtěli, protože byly tam.",
		11: "Οι ποδηλάτες της γειτονιάς ήρθαν χθες το πρωί.",
		12: "पुरानी किताबें अलमारी में रखी हैं।",
	}
	c, store := indexOf(t, texts...)
	for query, want := range map[string][]uint32{
		"add":       {0, 1},
		"paste":     {4},
		"evening":   {6},
		"even":      {5},
		"huis":      {7},
		"Schüler":   {8},
		"Schueler":  {8},
		"schuler":   {8},
		"książka":   {9},
		"ksiazka":   {9},
		"kniha":     {10},
		"ποδηλάτης": {11},
		"ποδηλατης": {11},
		"किताब":     {12},
	} {
		got := slices.Sorted(slices.Values(ask(t, c, store, query)))
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", query, got, want)
		}
	}
}

// TestWordsTypedPlainly: words typed without marks meet the stems of those with marks.
func TestWordsTypedPlainly(t *testing.T) {
	for _, test := range []struct {
		language    lexical.Language
		text, typed string
	}{
		{lexical.Polish, "została książkę zdjęcie", "zostala ksiazke zdjecie"},
		{lexical.Czech, "můžete dalších", "muzete dalsich"},
		{lexical.Spanish, "canción después jamás", "cancion despues jamas"},
		{lexical.French, "première journée déjà", "premiere journee deja"},
		{lexical.Hungarian, "köszönöm saját", "koszonom sajat"},
		{lexical.Italian, "qualità verità", "qualita verita"},
		{lexical.Portuguese, "informação informações ninguém", "informacao informacoes ninguem"},
		{lexical.Turkish, "arasında olduğu", "arasinda oldugu"},
		{lexical.Danish, "populær", "populaer"},
		{lexical.German, "Übung Schülerinnen", "Uebung Schulerinnen"},
	} {
		a, only := lexical.NewAnalyzer(), lexical.Languages(0).With(test.language)
		words, typed := a.Words(test.text, only), a.QueryIn(test.typed, only)
		if len(words) != len(typed) {
			t.Fatalf("%q has %d words, %q %d", test.text, len(words), test.typed, len(typed))
		}
		for i := range words {
			term := words[i].Terms[0].Term
			if typed[i].Term != term && !slices.ContainsFunc(typed[i].Also, func(f lexical.Form) bool { return f.Term == term }) {
				t.Errorf("%q, indexed as %q, is not meant by %q", test.text, term, typed[i].Word)
			}
		}
	}
}
