package ignore

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// defaultRules are what nobody looks for: version control, dependencies that a
// package manager put there, caches, build products and files that a program
// writes for itself. The list is short on purpose and names nothing that could
// be a folder of notes; "!node_modules" in .ignore takes an entry back.
const defaultRules = `
.git/
.hg/
.svn/
.jj/
CVS/
node_modules/
bower_components/
__pycache__/
site-packages/
.venv/
.tox/
.cache/
.gradle/
.terraform/
.Trash/
.Trash-*/
$RECYCLE.BIN/
.DS_Store
Thumbs.db
*.min.js
*.min.css
*.js.map
*.css.map
*.pyc
*.swp
*~
\#*#
.#*
*.orig
*.rej
*.bak
*.part
*.crdownload
package-lock.json
npm-shrinkwrap.json
yarn.lock
pnpm-lock.yaml
bun.lock
Cargo.lock
composer.lock
Gemfile.lock
Pipfile.lock
poetry.lock
uv.lock
go.sum
`

// defaults parses the list once; it is never changed afterwards.
var defaults = sync.OnceValue(func() *ruleSet {
	return (*ruleSet)(nil).with(parseRules(defaultRules), 0)
})

// cacheTag begins every CACHEDIR.TAG file: the Cache Directory Tagging
// Specification asks that it be checked.
const cacheTag = "Signature: 8a477f597d28d172789f06886806bc55"

// isMarked reports whether a directory says of itself that it holds nothing
// worth keeping: a cache with its tag, or a Python virtual environment.
func isMarked(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "pyvenv.cfg")); err == nil {
		return true
	}
	text, err := readRuleFile(filepath.Join(dir, "CACHEDIR.TAG"))
	return err == nil && len(text) >= len(cacheTag) && text[:len(cacheTag)] == cacheTag
}

// maxPath is the length above which a path is no name that a person gave.
const maxPath = 4 << 10

// ByDefault reports whether a file that lies in no folder, such as a member of an archive, is left out by
// the defaults or because it or a folder on the way to it is hidden. Its path is relative, with slashes.
func ByDefault(path string) bool {
	if len(path) > maxPath {
		return true
	}
	for start := 0; start < len(path); {
		end, isDir := len(path), false
		if i := strings.IndexByte(path[start:], '/'); i >= 0 {
			end, isDir = start+i, true
		}
		name := path[start:end]
		if name != "" && name != "." && name != ".." {
			if r := defaults().find(path[:end], name, isDir); name[0] == '.' || r != nil && !r.negated {
				return true
			}
		}
		start = end + 1
	}
	return false
}
