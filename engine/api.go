package engine

import (
	"errors"
	"slices"
	"time"
)

// Forgotten counts past answers that were erased.
type Forgotten struct {
	Answers int   `json:"answers"`
	Tokens  int   `json:"tokens"`
	Models  int   `json:"models"` // that had written them
	Bytes   int64 `json:"bytes"`  // on disk
}

// CheckReport is what a check of the index looked at.
type CheckReport struct {
	Files    int   `json:"files"`
	Chunks   int   `json:"chunks"`
	Blocks   int   `json:"blocks"` // of postings
	Bytes    int64 `json:"bytes"`
	Problems int   `json:"problems"`
	// Keys is what was looked at of conversations; nil where none has keys and values, or
	// another process has them.
	Keys *KeysReport `json:"keys,omitempty"`
}

// KeysReport is what a check of the keys and values of conversations looked at. What is
// damaged of them is computed again when it is needed.
type KeysReport struct {
	Conversations int   `json:"conversations"`
	Chunks        int   `json:"chunks"` // on the disk
	Bytes         int64 `json:"bytes"`
	Damaged       int   `json:"damaged"` // chunks
}

// IndexReport is what one run of indexing did.
type IndexReport struct {
	Files     int            `json:"files"`             // files in the index under the folders, afterwards
	Chunks    int            `json:"chunks"`            // chunks of those files
	TextBytes int64          `json:"text_bytes"`        // text of those files
	Skipped   map[string]int `json:"skipped"`           // reason -> files and folders left out
	Partial   int            `json:"partial,omitempty"` // files of which a part is not in the index
	Seconds   float64        `json:"seconds"`
	Rate      float64        `json:"chunks_per_second"` // Embedded by Seconds: of wall clock, reading and writing included

	Added    int `json:"added"` // files new, changed or gone since the last run
	Updated  int `json:"updated"`
	Removed  int `json:"removed"`
	Embedded int `json:"embedded"` // chunks embedded meanwhile; the others kept their vectors
}

// Mode chooses the retrieval that ranks the passages.
type Mode string

// The modes of a search.
const (
	Hybrid  Mode = "hybrid"  // lexical and vector lists, fused
	Lexical Mode = "lexical" // BM25 alone
	Vector  Mode = "vector"  // cosine similarity alone
	// Reranked is Hybrid with its best candidates put in order by the reranker.
	Reranked Mode = "rerank"
	// RRF is reciprocal-rank fusion of the two lists: the reference that Hybrid is
	// measured against.
	RRF Mode = "rrf"
)

// NoReranker is the name that stands for none in the settings and in messages.
const NoReranker = "off"

// Request is one search.
type Request struct {
	Query string   `json:"query"`          // as typed, in the syntax of Parse
	K     int      `json:"k"`              // passages wanted; 0 means DefaultK
	Mode  Mode     `json:"mode,omitempty"` // "" means Reranked where there is a reranker, and Hybrid otherwise
	In    []string `json:"in,omitempty"`   // absolute folders to search; empty means all
	// Hosts are the machines that are searched, by their names in the settings, this one included only where it is named;
	// none means this one.
	Hosts []string `json:"hosts,omitempty"`
	// Estimate ranks by what the index holds alone: no text is read and
	// nothing embedded but the query. It is for the time that the person types.
	Estimate bool `json:"estimate,omitempty"`
	// RerankMillis bounds the time that reranking may take; 0 is no bound. The
	// best ranking known by then is the answer, and Stats say so.
	RerankMillis int `json:"rerank_ms,omitempty"`
	// Trace reranks without pruning and keeps what pruning can be calibrated by.
	Trace bool `json:"trace,omitempty"`
	// Fold asks for K passages that say different things: those that repeat a better
	// one come besides.
	Fold bool `json:"fold,omitempty"`
	// Files asks for K files: of each its best passage.
	Files bool `json:"files,omitempty"`
	// Answer asks for an answer to the query, made from the first AnswerPassages
	// of the passages that say different things, and so from K where that is fewer.
	Answer bool `json:"answer,omitempty"`
	// Context is the name of the conversation that the query goes on with. A request that
	// is kept begins one that does not exist yet.
	Context string `json:"context,omitempty"`
	// Keep makes the request a turn of the conversation. One for an answer is a turn
	// anyway, and an estimate never is.
	Keep bool `json:"keep,omitempty"`
}

// DefaultK is the number of passages returned when a request names none.
const DefaultK = 10

// Result is the answer to a Request: passages, best first.
type Result struct {
	Query    string    `json:"query"`
	Passages []Passage `json:"results"`
	Answer   *Answer   `json:"answer,omitempty"` // nil where none was asked for
	// Respelled are words that no passage holds, and what was looked for in their place.
	Respelled []Respelling `json:"respelled,omitempty"`
	// Context is nil of a request without a conversation.
	Context *ContextUse `json:"context,omitempty"`
	Stats   Stats       `json:"stats"`
}

// Respelling is a word of a query, which is taken for mistyped.
type Respelling struct {
	Word string `json:"word"` // as typed
	As   string `json:"as"`   // as passages have it
}

// Repeats counts, by the Rank of a passage, those that repeat it.
func Repeats(passages []Passage) map[int]int {
	counts := map[int]int{}
	for _, p := range passages {
		if p.SimilarTo != 0 {
			counts[p.SimilarTo]++
		}
	}
	return counts
}

// Irrelevant says that passages were found and that none is on the topic.
func (r *Result) Irrelevant() bool { return len(r.Passages) > 0 && !AnyRelevant(r.Passages) }

// AnyRelevant reports whether one of the passages is on the topic of its query.
func AnyRelevant(passages []Passage) bool {
	return slices.ContainsFunc(passages, func(p Passage) bool { return p.Relevant })
}

// Passage is a chunk of a file that answers a query.
type Passage struct {
	Rank int    `json:"rank"` // from 1
	Path string `json:"path"` // absolute
	// PathBytes are the bytes of a path that is not UTF-8, in JSON for other
	// programs. There Path has U+FFFD in the place of what is not UTF-8.
	PathBytes []byte `json:"path_bytes,omitempty"`
	LineStart int    `json:"line_start"`
	LineEnd   int    `json:"line_end"` // inclusive
	Where
	// Heading is the heading path of the passage, outermost first, joined by
	// " > "; empty when the file has no headings.
	Heading string  `json:"heading"`
	Text    string  `json:"text"`  // valid UTF-8, but not yet safe for a terminal
	Columns string  `json:"-"`     // the row that names the columns of the table within which Text begins; "" of none
	Score   float64 `json:"score"` // of the mode that ranked; comparable within one result only

	Highlights []Range `json:"highlights,omitempty"` // matched words, ascending, disjoint
	// Places are the parts of the file that begin within Text, by ascending offset.
	Places []LocatorMark `json:"places,omitempty"`
	About                // of the document, or of the entries that Text shows

	LexicalRank  int     `json:"lexical_rank,omitempty"` // from 1; 0 when BM25 did not list it
	LexicalScore float64 `json:"lexical_score,omitempty"`
	VectorRank   int     `json:"vector_rank,omitempty"`
	VectorScore  float64 `json:"vector_score,omitempty"` // cosine
	RerankScore  float64 `json:"rerank_score,omitempty"` // of the reranker, its rank before included; 0 where it did not read the passage to the end

	// Relevant says that the passage, or one that ranks below it, is on the topic of
	// the query, or that nobody can tell. Those that are not come last.
	Relevant bool `json:"relevant"`
	// SimilarTo is the Rank of a better passage that says all that this one says, in
	// nearly the same words; 0 where none does.
	SimilarTo int `json:"similar_to,omitempty"`
	// Stale says that the file changed after it was indexed and that Text is
	// what stands there now.
	Stale bool `json:"stale,omitempty"`
	// Modified is when the file was last changed, as it was indexed; zero where nobody knows.
	Modified time.Time `json:"modified,omitzero"`
	// Secret says that the file holds private keys, passwords or access tokens, which the settings have indexed. No answer
	// is made of it, and no server gets it.
	Secret bool `json:"secret,omitempty"`

	FileID  uint32 `json:"file_id,omitempty"`  // of the version of the file that was indexed
	ChunkID uint32 `json:"chunk_id,omitempty"` // stays while the text does; later another text may have it
}

// Range is a half-open range of bytes in Passage.Text.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Preview is a stretch of a file around a passage.
type Preview struct {
	Path      string   `json:"path"`
	FirstLine int      `json:"first_line"` // number of Lines[0], from 1
	Lines     []string `json:"lines"`      // without line ends; not yet safe for a terminal
	LineStart int      `json:"line_start"` // the passage itself
	LineEnd   int      `json:"line_end"`
	LineTotal int      `json:"line_total"` // lines in the whole file
}

// ErrFileGone says that the file of a passage cannot be read any more.
var ErrFileGone = errors.New("the file is gone or cannot be read")

// Stats says what one search cost.
type Stats struct {
	Files  int `json:"files"`  // files that the filters left
	Chunks int `json:"chunks"` // chunks that the filters left
	// Unread is how many files a phrase or a negation would have to be looked
	// up in and was not, because a bound was reached: nothing of them is shown.
	Unread int `json:"unread,omitempty"`
	// Unmatched is what of the query every passage that the filters left fails: its phrases, and
	// what has a minus, as typed.
	Unmatched string `json:"unmatched,omitempty"`

	Millis   float64      `json:"ms"`   // whole search, wall clock
	Warm     bool         `json:"warm"` // answered by a process that was already running
	Stages   []StageStats `json:"stages"`
	Embedded int          `json:"embedded_tokens"` // tokens of the query
	// Vectors that were recomputed for this search, and those that were
	// known from searches before it.
	Recomputed int `json:"recomputed,omitempty"`
	Memoized   int `json:"memoized,omitempty"`
	// Estimated says that the ranking would be better with recomputed vectors
	// or a reranker, or tell what is relevant: it is set for requests to estimate,
	// where that is so.
	Estimated bool `json:"estimated,omitempty"`
	// Damage says, in a sentence, what of the index is damaged and how the
	// search did without.
	Damage string `json:"damage,omitempty"`
	// Away says of each folder that was searched and cannot be read now, in a sentence, why, and what to do.
	Away []string `json:"away,omitempty"`
	// Merged says, in a sentence, that the rankings of several machines were made one, and how; "" of one machine.
	Merged string `json:"merged,omitempty"`
	// ByWords says, in a sentence, why the search went by words alone, though it was to go
	// by meaning too.
	ByWords string `json:"by_words,omitempty"`
	// Coming says, in a sentence, that vectors of passages are still to come, so that meaning finds less than it will.
	Coming string `json:"coming,omitempty"`
	// Weights that fusion gave the two lists; zero outside Hybrid.
	LexicalWeight float64 `json:"lexical_weight,omitempty"`
	VectorWeight  float64 `json:"vector_weight,omitempty"`
	// Rerank is nil where no reranker took part.
	Rerank *RerankStats `json:"rerank,omitempty"`
	// Sent is what was sent to a server that embeds; nil where none was asked.
	Sent *Sent `json:"sent,omitempty"`
}

// StageStats are the counters of one stage of a search.
type StageStats struct {
	Name   string  `json:"name"` // parse, filter, lexical, embed, texts and recompute (both in vector), vector, fuse, rerank, read, answer
	Millis float64 `json:"ms"`
	In     int     `json:"in"`  // things looked at: postings, vectors, candidates
	Out    int     `json:"out"` // things handed on
	Bytes  int64   `json:"bytes,omitempty"`
}

// Event is what happened, when it happened. Exactly one field is set.
type Event struct {
	Stage    *StageStats  `json:"stage,omitempty"`    // a stage of a search ended
	Layer    *RerankLayer `json:"layer,omitempty"`    // the reranker ended a layer
	Found    []Passage    `json:"found,omitempty"`    // the final passages, before an answer is made from the first of them
	Answer   *Answer      `json:"answer,omitempty"`   // as far as it is written; its numbers mean Found
	Progress *Progress    `json:"progress,omitempty"` // indexing moved on
	Memory   []PoolUse    `json:"memory,omitempty"`   // the ledger, all pools
	Changed  *Changed     `json:"changed,omitempty"`  // the index now holds other files, or all of them by meaning where it counts none: search again
	Change   *ModelChange `json:"change,omitempty"`   // the index is on its way to another embedder
	Problem  string       `json:"problem,omitempty"`  // one sentence for the person
}

// Progress is how far indexing has come.
type Progress struct {
	Phase      Phase `json:"phase"`
	FilesDone  int   `json:"files_done"`
	FilesTotal int   `json:"files_total"` // 0 while still counting
	BytesDone  int64 `json:"bytes_done"`
	BytesTotal int64 `json:"bytes_total"`
	// Chunks are those that were embedded in this run, ChunksTotal those that were to be.
	Chunks      int `json:"chunks"`
	ChunksTotal int `json:"chunks_total"`

	Skipped map[string]int `json:"skipped,omitempty"` // reason -> files
	Current string         `json:"current,omitempty"` // a path, not yet safe for a terminal
	Part    string         `json:"part,omitempty"`    // of Current, where that takes long: "page 12 of 600"
	Started time.Time      `json:"started"`
}

// Phase is the state of the indexer.
type Phase string

// The states of the indexer.
const (
	Idle      Phase = "idle"      // everything is indexed
	Scanning  Phase = "scanning"  // walking folders
	Indexing  Phase = "indexing"  // reading files: they can be searched by words from then on
	Embedding Phase = "embedding" // computing vectors: meaning comes behind words
	Merging   Phase = "merging"   // tidying the index
)

// Changed counts what one commit changed.
type Changed struct {
	Added   int `json:"added"`
	Updated int `json:"updated"`
	Removed int `json:"removed"`
}

// PoolUse is one named pool of the memory ledger, in bytes.
type PoolUse struct {
	Pool  string `json:"pool"`
	Bytes int64  `json:"bytes"`
	Peak  int64  `json:"peak"`
}

// Status is what there is and what it costs.
type Status struct {
	Files     int                 `json:"files"`
	Chunks    int                 `json:"chunks"`
	Lacking   int                 `json:"without_vectors,omitempty"` // chunks that are found by words alone, since they have no vector yet
	TextBytes int64               `json:"text_bytes"`
	Bytes     map[string]int64    `json:"bytes"` // on disk: graph, pq, kept, postings, dictionary, chunks, text, other, total
	Graph     *GraphStatus        `json:"graph,omitempty"`
	Memory    map[string]PoolSize `json:"memory"`
	RSS       int64               `json:"rss"` // resident bytes as the system counts them; 0 where unknown
	Roots     []string            `json:"roots"`
	Named     []Folder            `json:"folders"` // the roots
	Skipped   map[string]int      `json:"skipped"`
	// SkippedFiles names some of those that somebody meant to read: encrypted, damaged, too large ones.
	SkippedFiles map[string][]string `json:"skipped_files,omitempty"`
	Partial      []PartialFile       `json:"partial,omitempty"`
	Model        string              `json:"model"`             // that searches use; "" where they go by words alone
	Index        string              `json:"index"`             // path of the database
	Watching     bool                `json:"watching"`          // a process keeps the index fresh
	Waiting      string              `json:"waiting,omitempty"` // why it cannot now, and tries again
	Owner        int                 `json:"owner,omitempty"`   // its process id
	Progress     *Progress           `json:"progress,omitempty"`
	Updated      time.Time           `json:"updated"` // last commit
	// Change is nil where the index is built with the embedder of the settings.
	Change *ModelChange `json:"model_change,omitempty"`
	// Folders are those with a model of their own, and those that move to one or back.
	Folders []FolderModel `json:"folder_models,omitempty"`
	// Conversations is nil where nobody knows.
	Conversations *ConversationsStatus `json:"conversations,omitempty"`
	// Budget is nil where models may take any number of bytes.
	Budget *Budget `json:"budget,omitempty"`
	// Writer is the model that writes answers, while it is open.
	Writer *ModelUse `json:"writer,omitempty"`
	// Servers are those that texts are sent to.
	Servers []ServerStatus `json:"servers,omitempty"`
}

// PartialFile is a file that is only partly in the index.
type PartialFile struct {
	Path    string `json:"path"`
	Lacking string `json:"lacking"` // "the oldest 300 of 900 messages"
}

// LeftOut is a file or folder that is not in the index.
type LeftOut struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`           // as Status.Skipped counts them, or "not indexed yet"
	Detail string `json:"detail,omitempty"` // what was seen in it: "control characters or zero bytes"
}

// ServerStatus is a server that the settings name, and what it gets.
type ServerStatus struct {
	For       string `json:"for"`   // embedding, reranking or answering
	Model     string `json:"model"` // as the server calls it
	Host      string `json:"host"`  // with its port
	Remote    bool   `json:"remote"`
	Encrypted bool   `json:"encrypted"`
	Gets      string `json:"gets"` // in words
}

// GraphStatus is what the index holds of a graph of chunks that resemble each other;
// what it takes stands in Bytes.
type GraphStatus struct {
	Nodes int    `json:"nodes"`
	Links int    `json:"links"` // each counted once, though it leads both ways
	Hubs  int    `json:"hubs"`  // nodes that have many more links than others
	Walks bool   `json:"walks"` // searches use it
	Why   string `json:"why"`
}

// PoolSize is what a memory pool holds now and held at most, in bytes.
type PoolSize struct {
	Bytes int64 `json:"bytes"`
	Peak  int64 `json:"peak"`
}
