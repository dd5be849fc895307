package engine

import (
	"context"
	"errors"
)

// Ranker is what a dowse does for one of another machine that searches several indexes as one. A search asks each
// machine three times: what there is (Count), what ranks best once all machines have counted (Rank), and the text of what is
// read or shown (Texts). Nothing is kept between these calls: a chunk whose text changed meanwhile is gone.
type Ranker interface {
	// Peer says who answers.
	Peer(ctx context.Context) (*Peer, error)
	// Count counts what BM25 needs to know of all indexes together.
	Count(ctx context.Context, req CountRequest) (*Counts, error)
	// Rank returns the best chunks by words and by meaning, scored with what was counted elsewhere.
	Rank(ctx context.Context, req RankRequest) (*Ranked, error)
	// Texts reads chunks that Rank returned.
	Texts(ctx context.Context, req TextsRequest) (*RankedTexts, error)
}

// ErrUnfit says that another machine sent what dowse does not.
var ErrUnfit = errors.New("it sends what dowse does not")

// ErrNobody says that no machine is left of those that were to be searched.
var ErrNobody = errors.New("no machine answered")

// Bounds of what one machine sends another.
const (
	MostNear    = 500  // terms that are spelt like a word
	MostDefined = 1000 // chunks that define a name
)

// CanRank is the ability, in Peer.Can, to rank as a part of several indexes. Its number changes when what Count, Rank or
// Texts mean does.
const CanRank = "rank 1"

// Peer is what a dowse says of itself to one of another machine.
type Peer struct {
	Can []string `json:"can,omitempty"` // abilities beyond searching and reading
	// Fingerprint names what an index is built with: indexes with equal ones rank as one. Empty where its vectors
	// are not those of its embedder.
	Fingerprint string `json:"fingerprint,omitempty"`
	Languages   uint32 `json:"languages,omitempty"` // of the index, as lexical.Languages
}

// RankTerm is a word that BM25 looks for, as lexical.QueryTerm has it.
type RankTerm struct {
	Term    string     `json:"t"`
	Weight  float64    `json:"w"`
	In      uint32     `json:"in,omitempty"`
	Also    []RankForm `json:"also,omitempty"`
	Exact   []RankForm `json:"exact,omitempty"`
	Word    string     `json:"word,omitempty"`
	Asked   uint32     `json:"asked,omitempty"`
	Guessed bool       `json:"guessed,omitempty"`
}

// RankForm is another term of a word.
type RankForm struct {
	Term string `json:"t"`
	In   uint32 `json:"in,omitempty"`
}

// CountRequest asks how often words occur.
type CountRequest struct {
	Terms []RankTerm `json:"terms"`
}

// Counts is what an index has, and of each term how much.
type Counts struct {
	Chunks    int         `json:"chunks"`
	Length    int64       `json:"length"` // terms of all chunks
	Languages uint32      `json:"languages"`
	Terms     []TermCount `json:"terms"` // one for each that was asked for
}

// TermCount is how often a word occurs, and what is spelt like it.
type TermCount struct {
	DF     int        `json:"df"`               // chunks with the word
	Near   []NearTerm `json:"near,omitempty"`   // where no chunk has it
	Longer []string   `json:"longer,omitempty"` // terms that begin with it, of one character of a script without spaces
}

// NearTerm is a term that is spelt like a word.
type NearTerm struct {
	Term     string `json:"t"`
	Distance int    `json:"d"`
	Count    int    `json:"n"`  // chunks with it in the languages of the query
	DF       int    `json:"df"` // in all
}

// RankRequest asks for the best chunks.
type RankRequest struct {
	Request Request `json:"request"` // what is sought and what filters leave; nothing is reranked or answered
	// Terms are the words that are looked for. The first Own of them are those of the query itself.
	Terms     []RankTerm `json:"terms"`
	Own       int        `json:"own"`
	Languages uint32     `json:"languages"` // of all indexes
	// What other machines counted: chunks, terms of these, and chunks with each of Terms.
	Chunks int   `json:"chunks"`
	Length int64 `json:"length"`
	DF     []int `json:"df"`
	// Earlier are questions that the query goes on with.
	Earlier []RankedQuestion `json:"earlier,omitempty"`
}

// RankedQuestion is an earlier question of a conversation.
type RankedQuestion struct {
	Text   string   `json:"text"`
	Weight float64  `json:"weight"`
	Files  []string `json:"files,omitempty"` // of the machine that is asked, which answered it
}

// Ranked is what a machine found. Lists name chunks by their places in Chunks.
type Ranked struct {
	Files  []RankedFile  `json:"files"`
	Chunks []RankedChunk `json:"chunks"`
	Words  RankedList    `json:"words"`
	// Meaning is the list by meaning, with exact cosines; Deeper is a deeper one by codes, where many results are wanted.
	Meaning RankedList `json:"meaning"`
	Deeper  RankedList `json:"deeper,omitzero"`
	// Offset and Factor are the scale that the cosines are on: fusion.Scale.
	Offset float64 `json:"offset,omitempty"`
	Factor float64 `json:"factor,omitempty"`
	// Listed are the files of a query of filters alone, newest first, each by one of its chunks.
	Listed []int `json:"listed,omitempty"`
	// Boosted are passages of files that answered earlier questions.
	Boosted RankedList `json:"boosted,omitzero"`
	// Defined are the chunks that define each name that the query may mean.
	Defined map[string][]RankedDefinition `json:"defined,omitempty"`

	LeftFiles  int  `json:"left_files"` // by the filters
	LeftChunks int  `json:"left_chunks"`
	All        int  `json:"all"`    // chunks
	Passed     bool `json:"passed"` // filters on files leave some
	Logs       int  `json:"logs,omitempty"`
	Unread     int  `json:"unread,omitempty"`
	Postings   int  `json:"postings,omitempty"`

	Foreign bool `json:"foreign,omitempty"` // the embedder does not know the script of the query
	Lacks   bool `json:"lacks,omitempty"`   // vectors are still to come
	Tokens  int  `json:"tokens,omitempty"`  // of the query
	// Embedded is how many vectors were recomputed, Known how many were known.
	Embedded int `json:"embedded,omitempty"`
	Known    int `json:"known,omitempty"`

	Estimated bool     `json:"estimated,omitempty"`
	Away      []string `json:"away,omitempty"` // folders that cannot be read
}

// RankedFile is a file with chunks among those found.
type RankedFile struct {
	Path     string `json:"path"`
	Root     int    `json:"root"` // bytes of Path that are the indexed folder
	Kind     uint8  `json:"kind,omitempty"`
	Modified int64  `json:"modified,omitempty"` // unix nanoseconds
	Date     int64  `json:"date,omitempty"`     // unix seconds
}

// RankedChunk is a chunk that was found.
type RankedChunk struct {
	ID      uint32 `json:"id"`
	Hash    uint32 `json:"h"`
	File    int    `json:"f"`
	Listing bool   `json:"l,omitempty"` // contents or an index
}

// RankedList is a ranking.
type RankedList struct {
	Chunks  []int     `json:"c,omitempty"`
	Scores  []float64 `json:"s,omitempty"`
	Matched []int     `json:"m,omitempty"` // words of the query; of lists by words
}

// RankedDefinition is a chunk that defines a name.
type RankedDefinition struct {
	Chunk   int  `json:"c"`
	Member  bool `json:"m,omitempty"`
	Capital bool `json:"u,omitempty"`
}

// TextsRequest asks for the text of chunks.
type TextsRequest struct {
	Query     string        `json:"query"`
	In        []string      `json:"in,omitempty"`
	Languages uint32        `json:"languages"` // of all indexes
	Chunks    []RankedChunk `json:"chunks"`
}

// RankedTexts are texts, one for each chunk that was asked for.
type RankedTexts struct {
	Texts []RankedText `json:"texts"`
}

// RankedText is the text of a chunk.
type RankedText struct {
	Gone bool `json:"gone,omitempty"` // nothing can be shown: its file is, or it is another text
	// Before stands before Text where a reranker reads it, such as headings; Other is what it reads instead.
	Text      string        `json:"text"`
	Before    string        `json:"before,omitempty"`
	Other     string        `json:"other,omitempty"`
	LineStart int           `json:"line_start"`
	LineEnd   int           `json:"line_end"`
	Heading   string        `json:"heading,omitempty"`
	Columns   string        `json:"columns,omitempty"`
	Places    []LocatorMark `json:"places,omitempty"`
	Where
	About  About `json:"about,omitzero"`
	Stale  bool  `json:"stale,omitempty"`
	Secret bool  `json:"secret,omitempty"`
}
