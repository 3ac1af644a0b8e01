/** Helps of the fields of flows, by their English texts in the schema of the document. */
export const helps: Record<string, string> = {
  'Name of the card in traces and in `event.state.context`':
    'Name der Karte in Traces und in `event.state.context`',
  'Message, or the text of a text message':
    'Nachricht, oder der Text einer Textnachricht',
  'Tags of the message': 'Tags der Nachricht',
  'Conversation to send to; by default the current one':
    'Unterhaltung, an die gesendet wird; sonst die aktuelle',
  'Kind of answer': 'Art der Antwort',
  'Message that the bot sends before it waits':
    'Nachricht, die der Bot sendet, bevor er wartet',
  'Variable for the answer': 'Variable für die Antwort',
  'Choices of `singleChoice` and `multipleChoice`, or an expression in `{{ }}` that returns them':
    'Auswahl für `singleChoice` und `multipleChoice`, oder ein Ausdruck in `{{ }}`, der sie ' +
    'zurückgibt',
  'Pattern of `regex`': 'Muster für `regex`',
  'Minimum: of a number, a date, the characters of a text or the number of choices':
    'Minimum: einer Zahl, eines Datums, der Zeichen eines Textes oder der Anzahl der gewählten ' +
    'Möglichkeiten',
  'Maximum, as for `min`': 'Maximum, wie bei `min`',
  'Condition on the answer, which is the global `value`':
    'Bedingung für die Antwort; sie steht in der globalen Variablen `value`',
  'If true, a model reads answers in which the rules of the kind find nothing':
    'Wenn eingeschaltet, liest ein Modell Antworten, in denen die Regeln der Art nichts finden',
  'Model (`auto` by default), or several: the others are fallbacks':
    'Modell (sonst `auto`), oder mehrere: die anderen als Ersatz, wenn das erste ausfällt',
  'Message after an unsuitable answer': 'Nachricht nach einer unpassenden Antwort',
  'How often the bot asks again (3 by default)':
    'Wie oft der Bot erneut fragt (standardmäßig 3-mal)',
  'Words with which the user cancels': 'Wörter, mit denen der Nutzer abbricht',
  'Label of a button that cancels, below the choices or the question':
    'Beschriftung einer Schaltfläche zum Abbrechen, unter der Auswahl oder der Frage',
  'Next node after a cancel word. Without it, the next card runs and the variable is null':
    'Nächster Schritt nach einem Wort zum Abbrechen. Ohne ihn läuft die nächste Karte, und die ' +
    'Variable ist null',
  'Next node after the last retry. Without it, the next card runs and the variable is null':
    'Nächster Schritt nach der letzten erneuten Frage. Ohne ihn läuft die nächste Karte, und ' +
    'die Variable ist null',
  'Seconds to wait for an answer': 'Wie viele Sekunden der Bot auf eine Antwort wartet',
  'Next node after the timeout. Without it, the next card runs and the variable is null':
    'Nächster Schritt, wenn die Zeit abgelaufen ist. Ohne ihn läuft die nächste Karte, und die ' +
    'Variable ist null',
  'Text; {{ }} holds a JavaScript expression':
    'Text; in {{ }} steht ein JavaScript-Ausdruck',
  Condition: 'Bedingung',
  'Next node when the condition holds':
    'Nächster Schritt, wenn die Bedingung erfüllt ist',
  'Next node': 'Nächster Schritt',
  'Flow to call; this flow continues after it':
    'Ablauf, der ausgeführt wird; danach geht dieser weiter',
  'Values for the inputs of the flow, by input':
    'Werte für die Eingaben des Ablaufs, nach ihren Namen',
  'Variables for the outputs of the flow, by output':
    'Variablen für die Ausgaben des Ablaufs, nach ihren Namen',
  'Code to run': 'Code, der ausgeführt wird',
  ['Action of the bot by its name, of an integration as `integration:action`, or of an MCP ' +
    'server as `server:tool`']:
    'Aktion des Bots mit ihrem Namen, einer Integration als `integration:action` oder eines ' +
    'MCP-Servers als `server:tool`',
  'Input of the action': 'Eingabe der Aktion',
  'Variable for its output': 'Variable für ihre Ausgabe',
  'Question; by default the preview of the event':
    'Frage; sonst die Vorschau des Ereignisses',
  "Knowledge bases; by default all of the document's":
    'Wissensdatenbanken; sonst alle des Dokuments',
  'Maximum number of passages (5 by default)':
    'Höchstzahl der Textstellen (standardmäßig 5)',
  ['Minimum score of a passage (0.35 by default); a minimum score of the knowledge base ' +
    'replaces it']:
    'Mindestrelevanz einer Textstelle (standardmäßig 0,35); eine Mindestrelevanz der ' +
    'Wissensdatenbank ersetzt sie',
  'Variable for the passages, which are also in `event.kb`':
    'Variable für die Textstellen; sie stehen auch in `event.kb`',
  'Task for the model': 'Aufgabe für das Modell',
  'Values for the model to read, by name; by default `message`, the preview of the event':
    'Werte, die das Modell liest, nach ihren Namen; sonst `message`, die Vorschau des ' +
    'Ereignisses',
  'JSON Schema of the result': 'JSON-Schema des Ergebnisses',
  'Variable for the result': 'Variable für das Ergebnis',
  'How often the model may correct a result that does not match `output` (2 by default)':
    'Wie oft das Modell ein Ergebnis korrigieren darf, das nicht zu `output` passt ' +
    '(standardmäßig 2-mal)',
  'Next node after a failure of the model. Without it, the failure is an error of the card':
    'Nächster Schritt, wenn das Modell fehlschlägt. Ohne ihn ist das ein Fehler der Karte',
  'Further instructions for the model': 'Weitere Anweisungen für das Modell',
  'Descriptions in words, each with its next node; the model chooses one':
    'Beschreibungen in Worten, jede mit ihrem nächsten Schritt; das Modell wählt eine',
  'Next node if no description fits. Without it, the next card runs':
    'Nächster Schritt, wenn keine Beschreibung passt. Ohne ihn läuft die nächste Karte',
  'Instructions for the text': 'Anweisungen für den Text',
  'Variable for the text. Without it, the bot sends the text':
    'Variable für den Text. Ohne sie sendet der Bot den Text',
  "Knowledge bases to search; by default all of the document's":
    'Wissensdatenbanken, in denen gesucht wird; sonst alle des Dokuments',
  'Tags of the files to search, in place of knowledge bases; `{}` searches all files':
    'Tags der Dateien, die durchsucht werden, anstelle von Wissensdatenbanken; `{}` durchsucht ' +
    'alle Dateien',
  'Further instructions, for example on tone':
    'Weitere Anweisungen, zum Beispiel zum Ton',
  ['Whether the model checks its answer with a second request, and the bot leaves out ' +
    'sentences that no cited passage supports (true by default)']:
    'Ob das Modell seine Antwort mit einer zweiten Anfrage prüft und der Bot Sätze weglässt, ' +
    'die keine zitierte Textstelle belegt (standardmäßig ja)',
  ['Heading of the sources (`Sources:` or, without a model, `Source:` by default); an empty ' +
    'text omits them']:
    'Überschrift der Quellen (standardmäßig `Sources:` oder, ohne Modell, `Source:`); ein ' +
    'leerer Text lässt sie weg',
  'Text above buttons for equally likely answers, without a model':
    'Text über Schaltflächen für gleich wahrscheinliche Antworten, ohne Modell',
  'Message if the passages do not contain the answer':
    'Nachricht, wenn die Textstellen die Antwort nicht enthalten',
  'Next node if the passages do not contain the answer. Without it, the next card runs':
    'Nächster Schritt, wenn die Textstellen die Antwort nicht enthalten. Ohne ihn läuft die ' +
    'nächste Karte',
  'Variable for `{ answer, citations }`, or null if unknown. Without it, the bot sends a message':
    'Variable für `{ answer, citations }`, oder null, wenn unbekannt. Ohne sie sendet der Bot ' +
    'eine Nachricht',
  'Name of the table': 'Name der Tabelle',
  Operation: 'Vorgang',
  'Id of the row': 'ID der Zeile',
  'Row, in the format of the Tables API': 'Zeile, im Format der Tables-API',
  'Rows, in the format of the Tables API': 'Zeilen, im Format der Tables-API',
  'Filter, in the format of the Tables API': 'Filter, im Format der Tables-API',
  ['With `find`: texts by column that users typed. Rows fit in any capitals, codes without ' +
    'separators (`#A-1001` is `a1001`), and phone numbers in national and international form']:
    'Bei `find`: von Nutzern getippte Texte, nach Spalten. Zeilen passen trotz anderer Groß- ' +
    'und Kleinschreibung, Codes ohne Trennzeichen (`#A-1001` ist `a1001`) und Telefonnummern ' +
    'in nationaler und internationaler Form',
  'Words to search for': 'Wörter, nach denen gesucht wird',
  'Column to sort by': 'Spalte, nach der sortiert wird',
  'Sort direction': 'Sortierrichtung',
  'Maximum number of rows': 'Höchstzahl der Zeilen',
  'Column by which `upsert` finds rows': 'Spalte, über die `upsert` Zeilen findet',
  Variable: 'Variable',
  Value: 'Wert',
  'Object to tag; `message` is the message that the bot answers':
    'Was das Tag bekommt; `message` ist die Nachricht, die der Bot beantwortet',
  Tags: 'Tags',
  'Level (info by default)': 'Stufe (standardmäßig info)',
  'Text of the log line': 'Text der Zeile im Log',
  'Name of the event': 'Name des Ereignisses',
  'Condition on the event': 'Bedingung für das Ereignis',
  "Variable for the event's payload": 'Variable für den Inhalt des Ereignisses',
  'Seconds to wait': 'Wie viele Sekunden der Bot wartet',
  'Message that the bot sends before': 'Nachricht, die der Bot vorher sendet',
  'Why the bot cannot answer': 'Warum der Bot nicht antworten kann',
  'Information for the person': 'Informationen für den Menschen, der übernimmt',
  'Messages and events of the conversation that the bot receives meanwhile (`nothing` by default)':
    'Nachrichten und Ereignisse der Unterhaltung, die der Bot währenddessen erhält ' +
    '(standardmäßig `nothing`)',
  'Variable for the payload of `handoff_closed`, when the card continues':
    'Variable für den Inhalt von `handoff_closed`, wenn die Karte weitermacht',
  'Seconds without an event after which this conversation ends; 0 disables the timeout':
    'Sekunden ohne Ereignis, nach denen diese Unterhaltung endet; 0 schaltet das Zeitlimit aus',
  'Flow to start': 'Ablauf, der beginnt',
  'Node to start at; by default the node of type `trigger`, otherwise the first node of the flow':
    'Schritt, mit dem der Ablauf beginnt; sonst der Schritt vom Typ `trigger`, oder der erste ' +
    'Schritt des Ablaufs',
  'Event of the bot, or of an integration as `integration:event`':
    'Ereignis des Bots, oder einer Integration als `integration:event`',
  'Cron expression of five fields, in UTC': 'Cron-Ausdruck mit fünf Feldern, in UTC',
  'Payload of the event': 'Inhalt des Ereignisses',
  'When it runs; see Hooks': 'Wann er läuft; siehe „Hooks“ in der Dokumentation',
  'Name in traces and issues': 'Name in Traces und Problemen',
  ['If true, an error of the hook ends the turn. Otherwise the error becomes an issue and ' +
    'the turn continues']:
    'Wenn eingeschaltet, beendet ein Fehler des Hooks den Durchgang. Sonst wird der Fehler ein ' +
    'Problem, und der Durchgang geht weiter',
  ['Seconds without an event after which a conversation ends (1,800 by default); 0 disables ' +
    'the timeout']:
    'Sekunden ohne Ereignis, nach denen eine Unterhaltung endet (standardmäßig 1.800); 0 ' +
    'schaltet das Zeitlimit aus',
  'How often one turn may enter the same node (25 by default)':
    'Wie oft ein Durchgang denselben Schritt betreten darf (standardmäßig 25-mal)',
  'Maximum duration of one run of code in milliseconds (10,000 by default)':
    'Wie viele Millisekunden Code höchstens am Stück läuft (standardmäßig 10.000)',
  'Maximum duration of one call of a model in milliseconds (45,000 by default)':
    'Wie viele Millisekunden ein Aufruf eines Modells höchstens dauert (standardmäßig 45.000)',
  'Shows that the bot writes while a turn takes longer than half a second (off by default)':
    'Zeigt, dass der Bot schreibt, solange ein Durchgang länger als eine halbe Sekunde dauert ' +
    '(standardmäßig aus)',
  'Defaults of all captures': 'Vorgaben für alle Fragen',
  'IANA time zone of dates (UTC by default)':
    'IANA-Zeitzone von Datumsangaben (standardmäßig UTC)',
  ['BCP 47 tag of the language and region in which users write numbers, dates and phone ' +
    'numbers, such as `de-CH`. By default the variable `user.locale`']:
    'BCP-47-Kürzel der Sprache und Region, in der Nutzer Zahlen, Datumsangaben und ' +
    'Telefonnummern schreiben, etwa `de-CH`. Sonst die Variable `user.locale`',
  'Type of the node': 'Typ des Schritts',
  'Description for readers of the document': 'Beschreibung für Leser des Dokuments',
  'Next node after the last card. Without it, the flow ends':
    'Nächster Schritt nach der letzten Karte. Ohne ihn endet der Ablauf',
  'Position on the page Flows of the dashboard; the bot does not use it':
    'Position auf der Seite „Abläufe“; der Bot verwendet sie nicht',
  'Next node after an exit without `to`. Without it, the flow ends':
    'Nächster Schritt nach einem Ausgang ohne `to`. Ohne ihn endet der Ablauf',
  'Task, rules and style of the agent': 'Aufgabe, Regeln und Stil des Agenten',
  'Randomness of the replies': 'Zufälligkeit der Antworten',
  'Tools that the model may call': 'Werkzeuge, die das Modell aufrufen darf',
  'Variables of the model': 'Variablen des Modells',
  'Exits by name': 'Ausgänge nach Namen',
  'Limits of the work on one message of the user':
    'Grenzen für die Arbeit an einer Nachricht des Nutzers',
  ['Next node after a limit or a failure of the model; `turn.error.reason` is the reason. ' +
    'Without it, this is an error of the node']:
    'Nächster Schritt nach einer Grenze oder einem Fehlschlag des Modells; `turn.error.reason` ' +
    'ist der Grund. Ohne ihn ist das ein Fehler des Schritts',
  'When and how the model should call the tool':
    'Wann und wie das Modell das Werkzeug aufrufen soll',
  'Name of the tool; by default the name of the action, with `_` for `:`':
    'Name des Werkzeugs; sonst der Name der Aktion, mit `_` statt `:`',
  'Action of the bot with code, by its name, or of an integration as `integration:action`':
    'Aktion des Bots mit Code, mit ihrem Namen, oder einer Integration als `integration:action`',
  ["JSON Schema of the input, for an action of an integration; the bot's own actions " +
    'declare it, and tools of MCP servers have one']:
    'JSON-Schema der Eingabe, für eine Aktion einer Integration; die eigenen Aktionen des Bots ' +
    'geben sie selbst an, und Werkzeuge von MCP-Servern haben eines',
  ["If true, an interrupted call of the bot's own action runs again. Otherwise the model " +
    'learns that the result is unknown']:
    'Wenn eingeschaltet, läuft ein unterbrochener Aufruf einer eigenen Aktion des Bots noch ' +
    'einmal. Sonst erfährt das Modell, dass das Ergebnis unbekannt ist',
  'Name of the tool; by default the name of the flow':
    'Name des Werkzeugs; sonst der Name des Ablaufs',
  'Flow to run. Its inputs are the input of the tool, its outputs the result; it may ask the user':
    'Ablauf, der ausgeführt wird. Seine Eingaben sind die Eingabe des Werkzeugs, seine ' +
    'Ausgaben das Ergebnis; er darf den Nutzer fragen',
  'Name of the tool; by default `search_knowledge`':
    'Name des Werkzeugs; sonst `search_knowledge`',
  ['Operations that the model may use (`find` and `get` by default). Each is one tool, such ' +
    'as `find_OrdersTable`']:
    'Vorgänge, die das Modell verwenden darf (standardmäßig `find` und `get`). Jeder ist ein ' +
    'Werkzeug, etwa `find_OrdersTable`',
  'Variables whose values the model sees': 'Variablen, deren Werte das Modell sieht',
  'Variables that the model also may set, with the tool `set_variables`':
    'Variablen, die das Modell auch setzen darf, mit dem Werkzeug `set_variables`',
  'When the model should take this exit, by calling the tool `exit_` and its name':
    'Wann das Modell diesen Ausgang nehmen soll; es ruft dazu das Werkzeug `exit_` mit seinem ' +
    'Namen auf',
  ['Condition. With `description`, the model can take the exit only while it holds; ' +
    '`outputs` has the given values. Without, the engine takes the exit as soon as it holds']:
    'Bedingung. Mit `description` kann das Modell den Ausgang nur nehmen, solange sie erfüllt ' +
    'ist; `outputs` enthält die angegebenen Werte. Ohne nimmt der Bot den Ausgang, sobald sie ' +
    'erfüllt ist',
  'Values that the model must give, by name. Requires `description`':
    'Werte, die das Modell angeben muss, nach ihren Namen. Setzt `description` voraus',
  "Next node; by default the node's `next`":
    'Nächster Schritt; sonst `next` des Schritts',
  'Type of its value': 'Typ des Werts',
  'Meaning, for the model': 'Bedeutung, für das Modell',
  'Variable for the value': 'Variable für den Wert',
  'Calls of the model (10 by default)': 'Aufrufe des Modells (standardmäßig 10)',
  'Tokens of all calls, input and output': 'Tokens aller Aufrufe, Eingabe und Ausgabe',
  'Cost of all calls in US dollars': 'Kosten aller Aufrufe in US-Dollar',
  'Time of all calls and tools (45 by default). Tools are not interrupted':
    'Zeit aller Aufrufe und Werkzeuge (standardmäßig 45). Werkzeuge werden nicht unterbrochen',
  'Offers the flow as a tool of the MCP server of the bot':
    'Bietet den Ablauf als Werkzeug des MCP-Servers des Bots an',
  'Variables while the flow runs, as `workflow.name`':
    'Variablen, solange der Ablauf läuft, als `workflow.name`',
  'Values from the calling flow, as `workflow.name`':
    'Werte vom aufrufenden Ablauf, als `workflow.name`',
  'Values for the calling flow, as `workflow.name`':
    'Werte für den aufrufenden Ablauf, als `workflow.name`',
  'Type of its values': 'Typ der Werte',
  'Value before the first write': 'Wert, bevor zum ersten Mal einer geschrieben wird',
}
