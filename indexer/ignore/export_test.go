package ignore

// NewGitTree returns a Tree that decides by .gitignore and info/exclude alone, as git
// does.
func NewGitTree(root string) *Tree {
	t := NewTree(root)
	t.gitOnly = true
	return t
}
