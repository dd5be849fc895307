// Package measure puts the parts together for measurements, as app does for use:
// lab bench on this person's settings and models (package bench measures), and
// lab eval on judged collections and notes with questions (package eval is the
// ruler).
//
// A collection has an index of its own in the cache. Notes are indexed as a
// person's folder is, into a home that is removed afterwards.
//
// # Fitting
//
// Tests that do nothing unless asked to choose the numbers that are measured rather
// than known: TestFitFusion the weights of fusion, TestFitPruning the thresholds of
// pruning, TestFitRelevance where the relevant begins.
//
// Where the relevant begins lies with the models, as RelevantFrom of their entries in
// the catalogue or relevant_from in dowse.json: of the embedder a closeness (see
// package search), of a reranker its own score, without the score that the passage
// came with, and a quarter of its prior for each unit of closeness. A reranker without
// such a number has no line, and closeness is compared for the default embedder alone.
// What was asked to choose them are folders of synthetic notes with questions: at most
// two of a hundred questions whose evidence is among the first ten results may lose it
// below the line. Chosen on five folders and 400 how-to notes (dev, home, money, short,
// work; titles as questions), tried on four others (long, mail, study, tech):
//
//	                                            reranked from 0.4   hybrid from 0.2
//	                                            chosen   others     chosen   others
//	questions that lose their evidence          1/103    1/79       0/102    1/78
//	questions of other folders: none relevant   53/120   16/64      18/120   5/64
//	two words of a note: none relevant          0/80     0/32       0/80     1/32
//	titles of how-to notes that lose the note   0/70     -          0/70     -
//
// Many questions of other folders are about what any notes hold ("who phoned me about
// it?"). By the reranker's score alone, at the same loss, a third fewer of them find
// nothing relevant. TestFitRelevance chooses the numbers anew, on eight folders, and
// tries them on the others; it takes a quarter of an hour:
//
//	DOWSE_TEST_FIT_CACHE=~/.cache go test ./lab/measure -run TestFitRelevance -v -timeout 0 -relevance DIR
package measure
