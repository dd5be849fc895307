// Package lexical ranks chunks of text by the words they share with a query:
// BM25 over compact postings that live in a key-value store.
//
// # Basics
//
// An Analyzer turns text into terms, the same way for documents and queries.
// A Builder collects the terms of a batch of chunks and writes them as one
// immutable segment. A Collection, made once per state of the store, answers
// queries over all segments; MergeDue merges segments as they pile up, MergeAll
// all of them after a long run of batches.
//
//	b := lexical.NewBuilder()
//	b.Add(chunk, analyzer.Append(nil, text))
//	_, err := b.Write(postings)
//
//	c, err := lexical.NewCollection(postings, live)
//	result, err := c.Search(ctx, postings, analyzer.Query("fix dns"), 10, nil)
//
// Several collections are searched as one by a Joint, which counts over all of them.
//
// # Languages
//
// Each chunk is analysed in its own language (Document), with a stemmer for it. A query has too few words to tell its language, so it is analysed in each language
// that the index holds (Collection.Languages, QueryIn): a word then has several terms, each
// of which stands for it in chunks of its language, and counts once. Words are folded
// (package fold); short compounds are a term without their hyphens too (compound.go);
// a chunk with the spelling of the query counts 5% more (Exact). Of synopses of 19 languages
// that ask for the description of a package among 8,000, this brought MRR@10 from
// .731 to .752 without the bonus for spelling, Hungarian from .53 to .74, Russian from .67
// to .78, Finnish from .55 to .65, German from .73 to .75, English from .898 to .895. A
// bonus of .2 took .004 off. Function words of other languages than English are terms:
// without them the mean was the same, and questions in sentences lose what leads them to
// texts in their language.
//
// These figures were measured with the stemmers of Snowball 2. Those of Snowball 3.1 (package
// snowball) brought MRR@10 of XQuAD within a language, by words, from .909 to .939 in Greek,
// from .932 to .944 in Hindi, whose words had stayed as they are, from .928 to .929 in German;
// of squad from .8325 to .8328, of notes-qa from .650 to .651. A query without any marks
// also looks for its words with each mark that one letter of the ending may lack: of
// frequent words with marks typed without, .99 are found in Polish, 1 in Spanish, .96 in
// Turkish, where .69, .79 and .70 were without this. Done to queries with marks too, it took
// .0014 off Spanish.
//
// The language of a chunk and its words with accents are annotations: terms that begin
// with a byte below those of words and do not count in its length. They need no other format,
// and go where chunks go.
//
// Where no chunk holds a word of a query, a term that is spelt like it takes its place, at
// four fifths of its weight (Guess). With the longest word of each synopsis mistyped, this
// brought MRR@10 from .686 to .737, of synopses as they are from .750 to .759, since many
// words that nothing holds are other forms of words that something does; both were
// counted without the function words.
//
// # Invariants
//
//   - The ranking depends on the live chunks alone, never on how they came
//     in: counts and lengths are of live chunks, so deleting, merging and
//     rebuilding give the same scores to the last bit.
//   - A chunk is in at most one segment. Deleted chunks stay in postings,
//     skipped by the set of live ones, until a merge leaves them out. Their ids
//     must not be given to other chunks as long as Held names them.
//   - Equal scores rank by chunk id. Which of two equal chunks has the lower id
//     depends on the order in which they came, and on the ids that were free:
//     among equal scores alone an index may differ from one built afresh.
//
// # Format
//
// A segment is a header and blocks of terms. Chunks go by their place in the
// segment, so that ids left out cost nothing. Numbers outside of codes are
// unsigned varints.
//
//	header:   version, terms, postings, bytes of its blocks; the ids as runs,
//	          each its size and the ids left out before it, ended by 0; then
//	          coded the length of each chunk
//	block:    bytes carried, terms, bytes of the code; what is carried: the
//	          end, or a middle, of a long list of the block before; the code;
//	          the long lists
//	code:     of each term: the bytes shared with the term before and the
//	          characters that follow, of the first term none of this, it is
//	          the key; the number of chunks that hold it; of one its place and
//	          count, of fewer than 256 their gaps and counts, of more the bytes of
//	          its long list
//	long:     the chunks by binary interpolation, then coded the counts
//
// What is coded goes through a range coder, decision by decision, each in a
// context whose chance is fixed (model.go, prior.bin), or in lengths and long
// lists follows what came before.
//
// The key of a block is its first term, so a lookup reads one block, and the
// blocks that follow if the list goes on there. The key of a block without a
// first term, all carried, is the term of the list, a zero byte and a number.
// Blocks are cut to a size of which two fill a page of the store.
//
// # Size
//
// On 77 MB of programs, documentation and articles, none of which chances were counted
// on, in 160,000 chunks, the blocks and headers of one segment take 8.5% of the text.
// What two formats took, as a share of the text and in whole pages of the store:
//
//	              77 MB, mixed      16 MB of notes full of links
//	format        3       4         3       4
//	postings      8.61%   7.85%     11.20%  10.65%
//	dictionary    1.25%   1.11%      3.57%   1.90%
//
// On 86 MB format 3 spent 3.3% on which chunks are in long lists, 3.2% on the same of
// short ones, where 2.5% do, 1.3% on counts, .9% on terms, .15% each on numbers of
// chunks and on lengths. There is little left to gain in this form: mixing nine
// predictions of each bit, far too slow for use, took 6% off the long lists, and neither
// chances by two gaps nor places by file take off more than 1%. Fewer counts cost
// ranking: up to six of a term in a chunk take nDCG@10 on SciFact from .6785 to .6756.
//
// # Caveats
//
// The language of a text is told by its function words (Detect): of some sixty characters
// of notes it is told in half of all cases, of 150 in 95 to 99 of 100 (Polish 86, Finnish
// 72); what is not told counts as English. Ukrainian and Vietnamese have no stemmer; all
// Cyrillic but Ukrainian counts as Russian. Text without spaces between words (Chinese, Japanese, Thai and others) is
// indexed by pairs of characters; traditional and simplified characters are different ones.
// The first letter of a mistyped word has to be right, or swapped with the second.
package lexical
