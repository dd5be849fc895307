// Package secret tells files that hold private keys, passwords or access tokens, and files that are encrypted, by what
// is in them.
//
//	if found := secret.Of("prod.env", data); found.Reason != "" {
//		fmt.Println("left out:", found.Reason, found.Detail)
//	}
//
// # What is found
//
//   - Files that a program encrypted and marked so: OpenPGP, age, OpenSSL, Fernet, vim, Ansible Vault, SOPS, git-crypt, KeePass,
//     LUKS, rclone, sealed secrets, exports and key stores under a password.
//   - Private keys: in armour with nothing but comments and certificates around it, of PuTTY, WireGuard, age, signify, GnuPG, JSON
//     web keys, wallets.
//   - Password tables: what browsers and password managers export (a header that names a password and an account, and a row
//     with both), netrc, .pgpass, .git-credentials, htpasswd, shadow, the settings of a database in wp-config.php.
//   - Access tokens: settings in which all lines are "NAME=value" and a name says token, secret, password or key, files of kubectl,
//     docker, Google Cloud, AWS, npm and PyPI, state of Terraform, Kubernetes secrets.
//
// # What is not a secret
//
// A note. Prose that has a password, a key or a token among other words is what a person wrote and looks for; keys, ciphertext
// and tokens of a fixed form are cut out of it by package encoded, and the rest stays. So do settings of which each value is a
// placeholder ("changeme", "<your token>", "${TOKEN}"), certificates, public keys, signatures and lists of hashes.
//
// A name alone decides nothing. It tells where two kinds of file look alike: .env from other settings, .pgpass from lines of a
// compiler, a phrase of words in wallet.txt from a list.
//
// # Bounds
//
// One look at the first 64 KiB, linear in their length; a JSON file is looked through up to 1 MiB. The same bytes under the
// same name give the same answer.
package secret
