package extract

import (
	"bytes"
	"path/filepath"
	"strings"

	"dowse/indexer/document"
)

// kindOf names the kind of a file by its name, or by its first line where the
// name says nothing.
func kindOf(path string, data []byte) (document.Kind, string) {
	name := strings.ToLower(filepath.Base(path))
	ext := strings.TrimPrefix(filepath.Ext(name), ".")
	switch ext {
	case "md", "markdown", "mdown", "mkd", "mkdn", "mdx", "rmd", "qmd":
		return document.Markdown, ""
	case "html", "htm", "xhtml", "xht", "hocr":
		return document.HTML, ""
	}
	if language, ok := languagesByName[name]; ok {
		return document.Code, language
	}
	if language, ok := languagesByExtension[ext]; ok {
		return document.Code, language
	}
	if ext == "" || newFormats[ext] != "" { // pages that Word and Excel open, as many programs give them
		return kindOfContent(data)
	}
	return document.Text, ""
}

// kindOfContent looks at the beginning of a file whose name does not say what it is.
func kindOfContent(data []byte) (document.Kind, string) {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(data[:min(len(data), 256)], []byte("\ufeff")), []byte("\n"))
	first := strings.ToLower(strings.TrimSpace(string(line)))
	switch {
	case strings.HasPrefix(first, "<!doctype html"), strings.HasPrefix(first, "<html"), strings.HasPrefix(first, "<table"):
		return document.HTML, ""
	case strings.HasPrefix(first, "#!"):
		return document.Code, interpreter(first[2:])
	}
	return document.Text, ""
}

// interpreter returns the language of a "#!" line.
func interpreter(line string) string {
	for _, field := range strings.Fields(line) {
		program := filepath.Base(field)
		if program == "env" || strings.HasPrefix(program, "-") {
			continue
		}
		program = strings.TrimRight(program, "0123456789.")
		switch program {
		case "bash", "zsh", "dash", "ksh", "fish", "sh":
			return "shell"
		case "node", "deno", "bun":
			return "javascript"
		}
		return program
	}
	return "shell"
}

var languagesByName = map[string]string{
	"makefile": "make", "gnumakefile": "make", "dockerfile": "dockerfile", "containerfile": "dockerfile",
	"jenkinsfile": "groovy", "rakefile": "ruby", "gemfile": "ruby", "vagrantfile": "ruby", "brewfile": "ruby",
	"cmakelists.txt": "cmake", "justfile": "make", "go.mod": "go", "build": "starlark", "build.bazel": "starlark",
	".bashrc": "shell", ".zshrc": "shell", ".profile": "shell", ".bash_profile": "shell", ".vimrc": "vim",
	".gitconfig": "ini", ".editorconfig": "ini",
}

var languagesByExtension = map[string]string{
	"go": "go", "py": "python", "pyi": "python", "rb": "ruby", "rs": "rust", "c": "c", "h": "c",
	"cc": "c++", "cpp": "c++", "cxx": "c++", "hpp": "c++", "hh": "c++", "hxx": "c++", "cs": "c#",
	"java": "java", "kt": "kotlin", "kts": "kotlin", "scala": "scala", "groovy": "groovy", "gradle": "groovy", "swift": "swift",
	"m": "objective-c", "mm": "objective-c", "js": "javascript", "mjs": "javascript", "cjs": "javascript",
	"jsx": "javascript", "ts": "typescript", "tsx": "typescript", "mts": "typescript", "vue": "vue", "svelte": "svelte",
	"css": "css", "scss": "scss", "sass": "sass", "less": "less", "php": "php", "pl": "perl", "pm": "perl",
	"lua": "lua", "r": "r", "jl": "julia", "hs": "haskell", "ml": "ocaml", "mli": "ocaml", "fs": "f#", "ex": "elixir",
	"exs": "elixir", "erl": "erlang", "hrl": "erlang", "clj": "clojure", "cljs": "clojure", "edn": "clojure", "lisp": "lisp",
	"el": "lisp", "scm": "scheme", "rkt": "racket", "dart": "dart", "zig": "zig", "nim": "nim", "d": "d", "v": "verilog",
	"sv": "verilog", "vhd": "vhdl", "asm": "assembly", "s": "assembly", "sql": "sql", "sh": "shell", "bash": "shell",
	"zsh": "shell", "fish": "shell", "ps1": "powershell", "bat": "batch", "cmd": "batch", "vim": "vim", "awk": "awk",
	"json": "json", "jsonl": "json", "ndjson": "json", "json5": "json", "jsonc": "json", "ipynb": "json",
	"yaml": "yaml", "yml": "yaml", "toml": "toml", "ini": "ini", "cfg": "ini", "conf": "ini", "properties": "ini",
	"env": "ini", "service": "ini", "desktop": "ini", "xml": "xml", "xsl": "xml", "xsd": "xml", "svg": "xml", "plist": "xml",
	"proto": "protobuf", "graphql": "graphql", "gql": "graphql", "tf": "terraform", "hcl": "terraform", "nix": "nix",
	"cmake": "cmake", "mk": "make", "dockerfile": "dockerfile", "bzl": "starlark", "diff": "diff", "patch": "diff",
}
