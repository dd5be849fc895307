// Package eval is the ruler: it measures ranking quality and latency of judged queries,
// so that a change of ranking is a figure and not a feeling.
//
// The metrics are those of trec_eval: nDCG@10 with the judged grades as linear
// gains, recall@k over documents of grade 1 and more, and the reciprocal rank
// of the first such document within ten, each averaged over queries.
//
// Questions about a folder of notes are read by ReadNoteQuestions.
package eval
