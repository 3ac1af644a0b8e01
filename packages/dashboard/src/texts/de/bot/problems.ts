/** Problems that the check of a document finds, by their English sentences with `{}` for each value. */
export const problems: Record<string, string> = {
  'has more than {} characters. Shorten it':
    'hat mehr als {1} Zeichen. Kürzen Sie den Text',
  'requires `flows`. Add `flows`, or remove this field':
    'setzt `flows` voraus. Ergänzen Sie `flows`, oder entfernen Sie dieses Feld',
  ['a letter, then letters, digits and "_", at most 64 characters; "-" only in names of ' +
    'flows, nodes, triggers and knowledge bases']:
    'einen Buchstaben, dann Buchstaben, Ziffern und „_“, höchstens 64 Zeichen; „-“ nur in ' +
    'Namen von Abläufen, Schritten, Auslösern und Wissensdatenbanken',
  'is not a valid name. Use {}': 'ist kein gültiger Name. Verwenden Sie {1}',
  ['is no variable. Write its scope and its name, such as `workflow.city`: the scope is ' +
    '`workflow`, `conversation`, `user` or `bot`; the name has letters, digits and "_"']:
    'ist keine Variable. Schreiben Sie Bereich und Namen, etwa `workflow.city`: Der Bereich ' +
    'ist `workflow`, `conversation`, `user` oder `bot`; der Name hat Buchstaben, Ziffern und ' +
    '„_“',
  'does not have the form of this field': 'hat nicht die Form, die dieses Feld verlangt',
  'is empty. Fill it in, or remove it':
    'ist leer. Füllen Sie das Feld aus, oder entfernen Sie es',
  'needs at least {} characters': 'braucht mindestens {1} Zeichen',
  'needs at least {} {}': 'braucht mindestens {1} {2}',
  element: 'Element',
  elements: 'Elemente',
  'has more than {} elements. Remove some':
    'hat mehr als {1} Elemente. Entfernen Sie einige',
  'has more than {} entries. Remove some':
    'hat mehr als {1} Einträge. Entfernen Sie einige',
  'must be at least {}': 'muss mindestens {1} sein',
  'must be at most {}': 'darf höchstens {1} sein',
  'is invalid': 'ist ungültig',
  'is not a known field. Correct its name, or remove it':
    'ist kein bekanntes Feld. Korrigieren Sie den Namen, oder entfernen Sie das Feld',
  'is missing. Add it': 'fehlt. Ergänzen Sie es',
  'must be {}': 'muss {1} sein',
  'must be one of {}': 'muss eines davon sein: {1}',
  'has none of the forms that this field allows. See docs/flows.md for them':
    'hat keine der Formen, die dieses Feld erlaubt. Sie stehen in docs/flows.md',
  'is empty. Write what the bot says': 'ist leer. Schreiben Sie, was der Bot sagt',
  'repeats without end: {}. Add a card that waits or decides, or lead elsewhere':
    'wiederholt sich ohne Ende: {1}. Fügen Sie eine Karte hinzu, die wartet oder entscheidet, ' +
    'oder führen Sie anderswohin',
  'has {{ }} and more than {} characters. Shorten it':
    'hat {{ }} und mehr als {1} Zeichen. Kürzen Sie den Text',
  'needs a language model, and the server has none, so it fails. Configure one, or remove it':
    'braucht ein Sprachmodell. Der Server hat keines, also schlägt es fehl. Richten Sie eines ' +
    'ein, oder entfernen Sie es',
  'was not imported, and does nothing. Build this part, or remove it':
    'wurde nicht importiert und tut nichts. Bauen Sie diesen Teil nach, oder entfernen Sie ihn',
  'has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"':
    'hat „{{“ ohne „}}“, also sehen Nutzer die Klammern. Ergänzen Sie „}}“, oder schreiben Sie ' +
    '„\\{{“',
  'names {}, which is not in {}. Add it, or correct the name':
    'nennt {1}; das gibt es nicht in {2}. Fügen Sie es hinzu, oder korrigieren Sie den Namen',
  'the node "{}"': 'den Schritt „{1}“',
  'this flow': 'diesem Ablauf',
  'the flow "{}"': '„{1}“ (Ablauf)',
  'the variable "{}"': 'die Variable „{1}“',
  '`variables`, `inputs` or `outputs` of this flow':
    '`variables`, `inputs` oder `outputs` dieses Ablaufs',
  'names the action "{}", which has no `code` in `actions`. Add it, or correct the name':
    'nennt die Aktion „{1}“, die keinen `code` in `actions` hat. Ergänzen Sie ihn, oder ' +
    'korrigieren Sie den Namen',
  'the integration "{}"': 'die Integration „{1}“',
  'the knowledge base "{}"': 'die Wissensdatenbank „{1}“',
  'names a variable of type "{}" for a value of type "{}". Change one of the two':
    'nennt eine Variable vom Typ „{1}“ für einen Wert vom Typ „{2}“. Ändern Sie eines von ' +
    'beiden',
  'names the file "{}", which does not exist. Add it beside the document, or correct the path':
    'nennt die Datei „{1}“, die es nicht gibt. Legen Sie sie neben das Dokument, oder ' +
    'korrigieren Sie den Pfad',
  'is not in `{}` of the flow "{}". Declare it there, or remove it':
    'steht nicht in `{1}` des Ablaufs „{2}“. Tragen Sie es dort ein, oder entfernen Sie es',
  'is missing. Add the flow "main", in which conversations start':
    'fehlt. Fügen Sie den Ablauf „main“ hinzu, in dem Unterhaltungen beginnen',
  'cannot be combined with `flows`. Remove one of the two':
    'geht nicht zusammen mit `flows`. Entfernen Sie eines von beiden',
  'must not begin with "{}", which is reserved for the engine. Rename it':
    'darf nicht mit „{1}“ beginnen; das ist reserviert. Ändern Sie den Namen',
  'must have exactly one node of type "{}"': 'braucht genau einen Schritt vom Typ „{1}“',
  'must have at most one node of type "exception"':
    'darf höchstens einen Schritt vom Typ „exception“ haben',
  'must be "{}": only {} a node of type "{}"':
    'muss „{1}“ sein: Einen Schritt vom Typ „{3}“ {2}',
  'the flow "main" has': 'hat nur der Ablauf „main“',
  'flows other than "main" have': 'haben nur andere Abläufe als „main“',
  'has the name of a variable of this flow. Rename one of the two':
    'heißt wie eine Variable dieses Ablaufs. Benennen Sie eines von beiden um',
  'is not allowed in a node of type "{}". Remove it, or change the type':
    'ist in einem Schritt vom Typ „{1}“ nicht erlaubt. Entfernen Sie es, oder ändern Sie den ' +
    'Typ',
  'is missing. The kind "{}" requires it': 'fehlt. Die Art „{1}“ braucht es',
  'is missing. The kind "regex" requires it': 'fehlt. Die Art „regex“ braucht es',
  'is not a valid RE2 pattern: {}': 'ist kein gültiges RE2-Muster: {1}',
  'requires `timeout`. Add `timeout`, or remove this field':
    'setzt `timeout` voraus. Ergänzen Sie `timeout`, oder entfernen Sie dieses Feld',
  ['names nothing to search. Add a knowledge base to `knowledgeBases` of the document, or ' +
    'set `tags` of the card']:
    'nennt nichts zum Durchsuchen. Fügen Sie `knowledgeBases` des Dokuments eine ' +
    'Wissensdatenbank hinzu, oder setzen Sie `tags` der Karte',
  'cannot be combined with `knowledgeBases`. Remove one of the two':
    'geht nicht zusammen mit `knowledgeBases`. Entfernen Sie eines von beiden',
  'has no effect with `into`, with which the card sends no message. Remove one of the two':
    'hat mit `into` keine Wirkung, denn dann sendet die Karte keine Nachricht. Entfernen Sie ' +
    'eines von beiden',
  'the table "{}"': 'die Tabelle „{1}“',
  'is missing. The operation "{}" requires it': 'fehlt. Der Vorgang „{1}“ braucht es',
  'is missing. The operation "{}" requires `row` or `rows`':
    'fehlt. Der Vorgang „{1}“ braucht `row` oder `rows`',
  'is missing. The operation "delete" requires `id` or `filter`':
    'fehlt. Der Vorgang „delete“ braucht `id` oder `filter`',
  'has no effect for the kind "{}". Remove it, or change `kind`':
    'hat bei der Art „{1}“ keine Wirkung. Entfernen Sie es, oder ändern Sie `kind`',
  'requires `byModel`. Add `"byModel": true`, or remove this field':
    'setzt `byModel` voraus. Ergänzen Sie `"byModel": true`, oder entfernen Sie dieses Feld',
  'must have the type of the variable, "{}"': 'muss den Typ der Variablen haben, „{1}“',
  'the node "{}" of type "trigger"': 'den Schritt „{1}“ vom Typ „trigger“',
  'must be a cron expression of five fields that matches a date, such as "0 9 * * *" (UTC)':
    'muss ein Cron-Ausdruck mit fünf Feldern sein, der zu einem Datum passt, etwa „0 9 * * *“ ' +
    '(UTC)',
  'is not a valid JSON Schema: {}': 'ist kein gültiges JSON-Schema: {1}',
  'is nested too deeply. Simplify it': 'ist zu tief verschachtelt. Vereinfachen Sie es',
  'must not contain `{}`. Write the schema in its place':
    'darf `{1}` nicht enthalten. Schreiben Sie das Schema an diese Stelle',
  'has the pattern {}, which is not valid in RE2':
    'hat das Muster {1}, das in RE2 nicht gültig ist',
  'ends a conversation': 'beendet eine Unterhaltung',
  'talks with a user': 'spricht mit einem Nutzer',
  ['cannot be in the tool "{}": it {}, and tools have no conversation. Remove it, or remove ' +
    '`tool` from the flow "{}"']:
    'kann nicht im Werkzeug „{1}“ sein: Das {2}, und Werkzeuge haben keine Unterhaltung. ' +
    'Entfernen Sie es, oder entfernen Sie `tool` aus dem Ablauf „{3}“',
  waits: 'wartet',
  'sets the timeout of a conversation': 'setzt das Zeitlimit einer Unterhaltung',
  'tags a {}': 'setzt Tags (`{1}`)',
  'sends to the current conversation': 'sendet an die aktuelle Unterhaltung',
  'sets a variable of a conversation or a user':
    'setzt eine Variable einer Unterhaltung oder eines Nutzers',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "pt-BR"':
    'ist kein Sprachkürzel nach BCP 47: „{1}“. Verwenden Sie eines wie „de“ oder „pt-BR“',
  'must be written as "{}"': 'muss „{1}“ geschrieben werden',
  'is the key of several cards: "{}". Give each another key':
    'ist der Schlüssel mehrerer Karten: „{1}“. Geben Sie jeder einen eigenen',
  'belongs to no text of the bot. Correct the key, or remove it':
    'gehört zu keinem Text des Bots. Korrigieren Sie den Schlüssel, oder entfernen Sie ihn',
  'has no {{ {} }}, which the original has. Add it':
    'hat kein {{ {1} }}, das Original aber schon. Ergänzen Sie es',
  'has {{ {} }}, which the original does not have. {}':
    'hat {{ {1} }}, das Original aber nicht. {2}',
  'Did you mean `{}`?': 'Meinten Sie `{1}`?',
  'Remove it': 'Entfernen Sie es',
  ['has no translation of {} {}: people with this language read the original. Translate ' +
    'them, or leave them']:
    'hat keine Übersetzung von {1} {2}: Wer diese Sprache spricht, liest das Original. ' +
    'Übersetzen Sie den Rest, oder lassen Sie ihn so',
  text: 'Text',
  texts: 'Texten',
  'has {} {} of an earlier original, which people read. Check whether they still fit':
    'hat {1} {2} eines früheren Originals, und diese werden gelesen. Prüfen Sie, ob sie noch ' +
    'passen',
  translation: 'Übersetzung',
  translations: 'Übersetzungen',
  'uses the variable "{}", which is not declared. {}':
    'verwendet die Variable „{1}“, die es nicht gibt. {2}',
  'Declare it, or correct the name': 'Legen Sie sie an, oder korrigieren Sie den Namen',
  'reads "{}", but a variable of type "{}" has no member "{}". {}':
    'liest „{1}“, aber eine Variable vom Typ „{2}“ hat kein „{3}“. {4}',
  'Correct the name': 'Korrigieren Sie den Namen',
  'is missing. An action of an integration requires it':
    'fehlt. Eine Aktion einer Integration braucht es',
  'is not allowed: the action of the bot declares its input. Remove it':
    'ist nicht erlaubt: Die Aktion des Bots gibt ihre Eingabe selbst an. Entfernen Sie es',
  'is not allowed: the server runs each call of an integration once. Remove it':
    'ist nicht erlaubt: Der Server führt jeden Aufruf einer Integration nur einmal aus. ' +
    'Entfernen Sie es',
  'names the action "{}", whose input schema {}':
    'nennt die Aktion „{1}“. Deren Eingabeschema {2}',
  'has nothing to search. Add a knowledge base to `knowledgeBases` of the document':
    'hat nichts zum Durchsuchen. Fügen Sie `knowledgeBases` des Dokuments eine ' +
    'Wissensdatenbank hinzu',
  'requires `keyColumn` of the table "{}". Add it there, or remove the operation':
    'setzt `keyColumn` der Tabelle „{1}“ voraus. Ergänzen Sie es dort, oder entfernen Sie den ' +
    'Vorgang',
  'is missing. Describe when the model takes this exit, or add `when`':
    'fehlt. Beschreiben Sie, wann das Modell diesen Ausgang nimmt, oder ergänzen Sie `when`',
  'requires `description`: only the model gives values. Add it, or remove this field':
    'setzt `description` voraus: Nur das Modell gibt Werte an. Ergänzen Sie es, oder entfernen ' +
    'Sie dieses Feld',
  'has the name "{}", which models reject. Set a shorter name':
    'hat den Namen „{1}“, den Modelle ablehnen. Wählen Sie einen kürzeren',
  'must not have the reserved name "{}". Set another `name`':
    'darf nicht den reservierten Namen „{1}“ haben. Wählen Sie einen anderen `name`',
  'has the name "{}", as {}. Set another `name`, or remove one':
    'hat den Namen „{1}“, wie {2}. Wählen Sie einen anderen `name`, oder entfernen Sie eines ' +
    'von beiden',
  'The text is not a JavaScript expression: {}':
    'Der Text ist kein JavaScript-Ausdruck: {1}',
  'The text in {{ }} is not a JavaScript expression: {}':
    'Der Text in {{ }} ist kein JavaScript-Ausdruck: {1}',
  'names a language without known conventions: "{}". Use one such as "de"':
    'nennt eine Sprache ohne bekannte Schreibweisen: „{1}“. Verwenden Sie eine wie „de“',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "en-GB"':
    'ist kein Sprachkürzel nach BCP 47: „{1}“. Verwenden Sie eines wie „de“ oder „en-GB“',
  '"" is empty': 'Er ist leer',
  '"{}" begins with a comment': '„{1}“ beginnt mit einem Kommentar',
  '"{}" is incomplete': '„{1}“ ist unvollständig',
  '"{}" fails with "{}"': '„{1}“ ergibt den Fehler „{2}“',
  '"{}" is not one expression': '„{1}“ ist nicht genau ein Ausdruck',
  'is not a language of the wizard. Use en, de, fr, es, it, pt or nl':
    'ist keine Sprache des Assistenten. Verwenden Sie en, de, fr, es, it, pt oder nl',
  'is empty. Fill it in': 'ist leer. Füllen Sie das Feld aus',
  'must be a whole number from {} to {}': 'muss eine ganze Zahl von {1} bis {2} sein',
  'is empty. Add a question': 'ist leer. Fügen Sie eine Frage hinzu',
  'has more than {} questions. Remove some':
    'hat mehr als {1} Fragen. Entfernen Sie einige',
  'needs the ids q1, q2 and so on': 'braucht die IDs q1, q2 und so weiter',
  'has two questions with the same id': 'hat zwei Fragen mit derselben ID',
  'needs at least two choices, a line for each':
    'braucht mindestens zwei Möglichkeiten, eine pro Zeile',
  'has more than 50 choices. Remove some':
    'hat mehr als 50 Möglichkeiten. Entfernen Sie einige',
  'has a choice that {}': 'hat eine Möglichkeit, für die gilt: {1}',
  'has the same choice twice. Remove one':
    'hat dieselbe Möglichkeit zweimal. Entfernen Sie eine',
  'must be times in their order, such as 09:00-12:00, 13:00-17:00':
    'muss Zeiten in ihrer Reihenfolge enthalten, etwa 09:00-12:00, 13:00-17:00',
  'needs seven days, from Monday to Sunday':
    'braucht sieben Tage, von Montag bis Sonntag',
  'is empty, and so are all days. Enter the times of a day':
    'ist leer, wie alle Tage. Geben Sie die Zeiten eines Tages ein',
  'is longer than the times of each day': 'ist länger als die Zeiten jedes Tages',
  'allows more than {} bookings a day. Lower it':
    'erlaubt mehr als {1} Buchungen am Tag. Verringern Sie die Zahl',
  'is not a time zone. Use a name such as Europe/Zurich':
    'ist keine Zeitzone. Verwenden Sie einen Namen wie Europe/Zurich',
  'is missing. Bookings need a table': 'fehlt. Buchungen brauchen eine Tabelle',
  'is missing. Choose a column': 'fehlt. Wählen Sie eine Spalte',
  'must be the key column of the table, whose values are unique':
    'muss die Schlüsselspalte der Tabelle sein, deren Werte eindeutig sind',
  'needs letters from A to Z': 'braucht Buchstaben von A bis Z',
  'is not a column of the table': 'ist keine Spalte der Tabelle',
  'has another type. Choose a column of texts, or a new one':
    'hat einen anderen Typ. Wählen Sie eine Spalte mit Texten, oder eine neue',
  'is already used for another answer': 'wird schon für eine andere Antwort verwendet',
  'would have more than {} columns': 'hätte dann mehr als {1} Spalten',
  'is not a table of the bot': 'ist keine Tabelle des Bots',
  'has other characters than letters, digits and "_", which flows need':
    'hat andere Zeichen als Buchstaben, Ziffern und „_“; Abläufe erlauben nur diese',
  'is missing. Choose the table with the orders':
    'fehlt. Wählen Sie die Tabelle mit den Bestellungen',
  'must be a column of texts or numbers': 'muss eine Spalte mit Texten oder Zahlen sein',
  'is the column with the number. Choose another one':
    'ist die Spalte mit der Nummer. Wählen Sie eine andere',
  'names {{}}, which is not a column. There are {}':
    'nennt {{1}}, aber das ist keine Spalte. Es gibt {2}',
  'has more than 20 entries. Remove some':
    'hat mehr als 20 Einträge. Entfernen Sie einige',
  'has an entry of more than 60 characters. Shorten it':
    'hat einen Eintrag mit mehr als 60 Zeichen. Kürzen Sie ihn',
  'is empty. Enter words with which the dialogue begins, or a button':
    'ist leer. Geben Sie Wörter ein, mit denen der Dialog beginnt, oder eine Schaltfläche',
  'has more than 60 characters. Shorten it':
    'hat mehr als 60 Zeichen. Kürzen Sie den Text',
  'needs letters or digits': 'braucht Buchstaben oder Ziffern',
  'the bot has no secret "{}"; set it first':
    'Der Bot hat kein Geheimnis „{1}“. Setzen Sie es zuerst',
  'integration "{}@{}" was not found or cannot be installed in this bot':
    'Die Integration „{1}@{2}“ gibt es nicht, oder sie lässt sich in diesem Bot nicht installieren',
  'plugin "{}@{}" was not found or cannot be installed in this bot':
    'Das Plugin „{1}@{2}“ gibt es nicht, oder es lässt sich in diesem Bot nicht installieren',
  'the bot has no knowledge base "{}": create it, or deploy with the command line':
    'Der Bot hat keine Wissensdatenbank „{1}“. Legen Sie sie an, oder verwenden Sie die Kommandozeile',
  'must have the property "flows"': 'braucht die Eigenschaft „flows“',
}
