// Package ignore decides which files of a folder the person does not want
// indexed, by the rules that are already written down for git and for other
// search tools.
//
// # Basics
//
// A Matcher stands for one directory. New makes the one of the folder that is
// indexed, Child the one of a sub-directory, and Check asks about an entry:
//
//	m := ignore.New("/home/ann/notes")
//	m.Check("drafts", true)          // may the directory be entered?
//	m.Child("drafts").Check("a.md", false)
//
// Matchers never change, so a parallel walk hands them from directory to
// directory. A Tree answers the same question for a single path, as a watcher
// asks it, and remembers the directories on the way.
//
// # Where rules come from
//
// From the strongest to the weakest; the first that has something to say about
// an entry decides:
//
//  1. .dowseignore, the nearest directory first
//  2. .ignore, the nearest directory first
//  3. .gitignore, the nearest directory first
//  4. info/exclude of the repository
//  5. in repositories, what core.excludesFile of git's settings names
//  6. the defaults of this package: caches, dependencies, generated files
//
// All use the syntax of gitignore(5), and within one file the last matching
// rule wins. Sources 3 to 5 decide exactly as git does; the tests compare them
// with git on thousands of random paths.
//
// A rule beginning with "!" in .dowseignore or .ignore is the word of the
// person: it overrides every weaker source, the defaults, and the rule that
// hidden files are not indexed (Check returns Kept). A "!" rule in .gitignore
// overrides git's rules alone: it says what is versioned, not what is worth
// searching, so that the common "*" and "!*/" do not bring caches back.
//
// # Invariants
//
//   - A directory that is ignored is not entered, so nothing in it can be kept.
//   - ".git" is never entered, whatever the rules say.
//   - The folder that was asked for is never ignored itself.
//   - Matching takes polynomial time for every rule and path.
//
// # Caveats
//
// .gitignore counts outside of a repository too: a folder of notes need not be
// one. Rules above the indexed folder count: .ignore and .dowseignore from every
// parent, .gitignore from the parents up to the top of the repository. A
// repository inside another one is entered, unlike by git; from its top on only
// its own .gitignore and info/exclude hold, as they do for git started there.
// Rule files that are symbolic links are not read, as in git; the one that core.excludesFile names may
// be one, and a change of it counts from the next look at the folders on. One that cannot be
// read is reported, as nobody knows what it leaves out. Case always
// matters.
package ignore
