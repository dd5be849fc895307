// Package eval is the ruler: it measures ranking quality and latency on a
// judged collection, so that a change of ranking is a figure and not a feeling.
//
// A collection is a folder in BEIR layout: corpus.jsonl ({_id, title, text}),
// queries.jsonl ({_id, text}) and qrels/*.tsv (query-id, corpus-id, score).
// Every judged query is asked; documents are title and text as one passage,
// which the embedder cuts at its sequence length, as the published figures do.
//
// A Parallel is the same paragraphs and questions in several languages, from which
// collections are paired: a language about its own paragraphs, English about each
// language, each about English, and each about all of them together.
//
// The metrics are those of trec_eval: nDCG@10 with the judged grades as linear
// gains, recall@k over documents of grade 1 and more, and the reciprocal rank
// of the first such document within ten, each averaged over queries.
//
// Questions about a folder of notes are read by ReadNoteQuestions. BM25 ranks documents
// in memory, by the formula that dowse searches with, where a measurement wants
// candidates and no index.
package eval
