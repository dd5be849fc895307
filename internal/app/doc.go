// Package app puts the parts together: it finds the folders and settings,
// opens the model, the store, the engine and the indexer, and decides whether
// this process owns the store or asks the one that does.
//
// Open is the door. With Read it answers from the owner if there is one, and
// otherwise from the store, opened for reading. With Own it becomes the owner,
// which also serves others over a unix socket, unless there is one already.
// Everything behind the door is an engine.Service, so that no command knows
// which of the two it talks to.
//
// Reranking prunes as the model's own thresholds say (models.Pruning), which were
// chosen on judged questions by TestFitPruning. The owner refines them by this
// person's queries: a fifth of what it reranks is computed in full later, when
// nobody has searched for three seconds, and given up as soon as somebody does.
// Those traces and what they say lie in the cache, for each model and kind of
// search; from fifty on they decide.
//
// Questions are answered by the sentences of the passages that were found, or,
// where the settings name one, by a language model that reads these passages.
// It is opened by the first question. What it writes is checked as it grows;
// where it cannot be used, the sentences answer and say why. What it wrote is
// kept in the data folder, for this user alone: later answers are guessed from
// it, which makes them faster and changes nothing else.
//
// # Relevance
//
// Where the relevant begins lies with the models, as RelevantFrom of their entries in
// the catalogue or relevant_from in dowse.json: of the embedder a closeness (see
// package engine), of a reranker its own score, without the score that the passage
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
//	DOWSE_TEST_FIT_CACHE=~/.cache go test ./internal/app -run TestFitRelevance -v -timeout 0 -relevance DIR
package app
