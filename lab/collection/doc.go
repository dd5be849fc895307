// Package collection reads judged collections.
//
// A collection is a folder in BEIR layout: corpus.jsonl ({_id, title, text}),
// queries.jsonl ({_id, text}) and qrels/*.tsv (query-id, corpus-id, score).
// Documents are title and text as one passage, which the embedder cuts at its
// sequence length, as the published figures do.
//
// A Parallel is the same paragraphs and questions in several languages, from which
// collections are paired: a language about its own paragraphs, English about each
// language, each about English, and each about all of them together.
//
// BM25 ranks documents in memory, by the formula that dowse searches with, where a test
// wants candidates and no index. WriteRun writes rankings as trec_eval reads them.
// ReadNoteQuestions reads questions about notes with all that is known of their answers.
package collection
