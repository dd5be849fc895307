package walk

import (
	"io/fs"
	"slices"
	"strings"
)

// maxStub is the size in bytes that a stub of a virtual file does not exceed.
const maxStub = 1

// stubEndings are what clients put behind the name of a file whose contents the server alone has.
// Sources: Nextcloud's and ownCloud's desktop clients, the suffix mode of their virtual files.
var stubEndings = []string{".nextcloud", ".owncloud"}

// isElsewhere recognises what a sync client has in the place of a file that it did not fetch. To read one would fetch it,
// or wait for a network.
func isElsewhere(path string, info fs.FileInfo) bool {
	return isDataless(path, info) || info.Size() <= maxStub && slices.ContainsFunc(stubEndings, func(e string) bool { return strings.HasSuffix(path, e) })
}

// isICloudStub recognises the hidden file .NAME.icloud that macOS before version 14 has for a file NAME.
func isICloudStub(name string) bool {
	return len(name) > len("..icloud") && name[0] == '.' && strings.HasSuffix(name, ".icloud")
}
