package secret

import (
	"encoding/csv"
	"strings"

	"dowse/indexer/skip"
)

// Names of columns, in the languages in which browsers and password managers write them.
var (
	ofPassword = setOf("password,passwd,pass,pwd,login_password,login password,passwort,kennwort,mot de passe,contraseña,senha,wachtwoord,hasło,пароль,密码,パスワード,lösenord,heslo,salasana,kodeord,şifre,passphrase,user password")
	ofAccount  = setOf("user,username,user name,login,login name,login_username,login_uri,account,email,e-mail,url,uri,web site,website,site,host,hostname,server,service,domain," +
		"matchurl,benutzername,benutzer,konto,dienst,webseite,utilisateur,identifiant,nom d'utilisateur,usuario,usuário,gebruikersnaam,utente,nome utente,логин,пользователь,用户名,网址,ユーザー名")
)

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		set[name] = true
	}
	return set
}

// maxRows is how many rows are looked at for one with a password.
const maxRows = 100

// table tells a table of passwords: a header that names a password and an account, and a row with a password.
func (f *file) table() Found {
	header, rest, found := strings.Cut(strings.TrimLeft(f.text, "\n"), "\n")
	if sep, ok := strings.CutPrefix(header, "sep="); ok && len(sep) == 1 { // for Excel
		header, rest, found = strings.Cut(rest, "\n")
	}
	if !found || len(header) > 1<<10 || !namesPassword(header) {
		return Found{}
	}
	for _, separator := range ",;\t|" {
		cells := parsed(header, separator, 1)
		if len(cells) == 0 || len(cells[0]) < 2 {
			continue
		}
		at, account := -1, false
		for i, cell := range cells[0] {
			switch name := strings.ToLower(strings.TrimSpace(cell)); {
			case ofPassword[name] && at < 0:
				at = i
			case ofAccount[name]:
				account = true
			}
		}
		if at < 0 || !account {
			continue
		}
		for _, row := range parsed(rest, separator, maxRows) {
			if at < len(row) && len(row) > 1 && password.holds(row[at]) && !strings.ContainsAny(row[at], "\n") {
				return Found{skip.Passwords, "a password table"}
			}
		}
	}
	return Found{}
}

// namesPassword reports whether the name of a column of passwords is among the words of a header.
func namesPassword(header string) bool {
	header = strings.ToLower(header)
	for name := range ofPassword {
		if strings.Contains(header, name) {
			return true
		}
	}
	return false
}

// parsed returns the first rows of a table, as far as they can be read.
func parsed(text string, separator rune, most int) (rows [][]string) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = separator, true, -1, separator != '\t'
	for len(rows) < most {
		row, err := r.Read()
		if err != nil {
			break
		}
		rows = append(rows, row)
	}
	return rows
}
