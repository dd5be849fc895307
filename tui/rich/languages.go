package rich

import "strings"

// pair encloses a comment or a string that may take several lines.
type pair struct{ open, close string }

// language is what colours code.
type language struct {
	comments []string // begin a comment that ends with the line
	blocks   []pair   // enclose comments
	texts    []pair   // enclose strings of several lines
	ticks    bool     // ` quotes, and ' is no quotation mark
	folded   bool     // keywords in any case
	keywords map[string]bool
}

var (
	slashes = []string{"//"}
	hashes  = []string{"#"}
	starred = []pair{{"/*", "*/"}}
)

func words(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}

// languageOf returns the language of a name or an extension without its dot. It
// is made when it is asked for, so that no start of a program pays for it.
func languageOf(name string) (language, bool) {
	switch strings.ToLower(name) {
	case "go", "golang":
		return language{comments: slashes, blocks: starred, texts: []pair{{"`", "`"}}, keywords: words(`break case chan
			const continue default defer else fallthrough for func go goto if import interface map package range return
			select struct switch type var nil true false iota`)}, true
	case "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "c++", "ino":
		return language{comments: slashes, blocks: starred, keywords: words(`auto bool break case catch char class const
			constexpr continue default delete do double else enum extern false float for friend goto if inline int long
			namespace new nullptr operator private protected public return short signed sizeof static struct switch
			template this throw true try typedef typename union unsigned using virtual void volatile while NULL`)}, true
	case "java", "kt", "kts", "kotlin", "scala", "cs", "csharp", "swift", "dart", "groovy", "gradle":
		return language{comments: slashes, blocks: starred, texts: []pair{{`"""`, `"""`}}, keywords: words(`abstract as async
			await boolean break case catch char class const continue data def default defer do double else enum extends
			extension false final finally float for foreach fun func get guard if implements import in int interface
			internal is let long namespace new nil null object open out override package private protected public
			return set short static string struct super switch this throw throws trait true try type typealias using
			val var virtual void when where while yield`)}, true
	case "js", "jsx", "mjs", "cjs", "javascript", "ts", "tsx", "mts", "typescript", "vue", "svelte":
		return language{comments: slashes, blocks: starred, texts: []pair{{"`", "`"}}, keywords: words(`as async await
			break case catch class const continue default delete do else enum export extends false finally for from
			function get if implements import in instanceof interface let new null of private protected public readonly
			return set static super switch this throw true try type typeof undefined var void while yield`)}, true
	case "rs", "rust":
		return language{comments: slashes, blocks: starred, ticks: true, keywords: words(`as async await break const
			continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self
			Self static struct super trait true type unsafe use where while`)}, true
	case "py", "python", "pyi", "pyw":
		return language{comments: hashes, texts: []pair{{`"""`, `"""`}, {"'''", "'''"}}, keywords: words(`and as assert
			async await break case class continue def del elif else except finally for from global if import in is
			lambda match nonlocal not or pass raise return try while with yield None True False self`)}, true
	case "rb", "ruby", "ex", "exs", "elixir", "cr":
		return language{comments: hashes, keywords: words(`alias and begin break case class def defmodule defp do else
			elsif end ensure false fn for if import in module next nil not or redo require rescue retry return self
			super then true undef unless until use when while with yield`)}, true
	case "sh", "bash", "zsh", "shell", "fish", "console", "ksh":
		return language{comments: hashes, keywords: words(`case do done elif else esac export fi for function if in local
			read return select set shift source then trap unset until while cd echo exit sudo test`)}, true
	case "sql", "psql":
		return language{comments: []string{"--"}, blocks: starred, folded: true, keywords: words(`add all alter and as
			asc between by case create default delete desc distinct drop else end exists foreign from full group having
			in index inner insert into is join key left like limit not null on or order outer primary references right
			select set table then union unique update values view when where with`)}, true
	case "lua", "hs", "haskell", "elm":
		return language{comments: []string{"--"}, blocks: []pair{{"{-", "-}"}}, texts: []pair{{"[[", "]]"}}, keywords: words(`and
			case class data deriving do else elseif end false for function if import in instance let local module
			newtype nil not of or repeat return then true type until where while`)}, true
	case "php":
		return language{comments: []string{"//", "#"}, blocks: starred, keywords: words(`abstract array as break case catch
			class const continue default do echo else elseif extends false final for foreach function if implements
			include interface namespace new null private protected public require return static switch throw true try
			use var while`)}, true
	case "yaml", "yml", "toml", "ini", "conf", "cfg", "env", "properties", "service", "desktop", "tf", "hcl", "nix", "dockerfile", "make", "makefile", "mk", "cmake", "r", "jl", "julia", "pl", "perl", "tcl":
		return language{comments: []string{"#"}, keywords: words(`true false yes no null on off if else elsif end for
			foreach function in let local my return sub then use while with FROM RUN COPY ENV CMD WORKDIR ENTRYPOINT`)}, true
	case "json", "json5", "jsonc", "ndjson", "jsonl":
		return language{comments: slashes, blocks: starred, keywords: words("true false null")}, true
	case "css", "scss", "less":
		return language{blocks: starred, keywords: words("important media import charset keyframes supports")}, true
	case "xml", "html", "htm", "svg", "xhtml", "xsl", "plist":
		return language{blocks: []pair{{"<!--", "-->"}}}, true
	case "el", "lisp", "clj", "scm", "asm", "s":
		return language{comments: []string{";"}, ticks: true, keywords: words(`def defn defun defvar defmacro fn if lambda
			let loop ns progn quote recur require setq when cond`)}, true
	case "tex", "erl", "latex", "sty", "bib", "m":
		return language{comments: []string{"%"}, ticks: true}, true
	}
	return language{}, false
}
