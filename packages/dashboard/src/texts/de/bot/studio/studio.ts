import type { studio as English } from '../../../en/bot/studio/studio.ts'
import { amount, plural, thousands } from '../../amount.ts'
import { languages } from '../languages.ts'
import { documentNames } from './document-names.ts'

const listWords = (words: string[]) => words.map((word) => `„${word}“`).join(', ')

export const studio: typeof English = {
  title: 'Abläufe',
  // The state of the draft.
  states: { saved: 'Gespeichert', saving: 'Wird gespeichert …' },
  offline: (count: number) =>
    `Offline: ${amount(count, 'Änderung ist', 'Änderungen sind')} in diesem Browser aufbewahrt`,
  overwritten: 'Ihre Änderung hat eine andere ersetzt, die zur selben Zeit gemacht wurde',
  lost: {
    rejected: 'Der Server hat eine Änderung abgelehnt',
    missing: 'Jemand anders hat diesen Teil gelöscht oder geändert',
  },
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  discard: 'Änderungen verwerfen',
  discardTitle: 'Alle Änderungen seit der letzten Version verwerfen?',
  discardText:
    'Der Entwurf wird wieder zu dem, was veröffentlicht ist. Die Änderungen werden für alle ' +
    'gelöscht.',
  discarded: 'Die Änderungen sind verworfen',
  moreActions: 'Weitere Aktionen',
  copilot: 'Copilot',
  versions: 'Versionen',
  noFlows: 'Dieser Bot hat keine Abläufe',
  noFlowsHint:
    'Sein Code wurde als Bundle bereitgestellt, oder er läuft unter einer URL. Hier bearbeiten ' +
    'können Sie einen Bot, den Sie „Ohne Vorlage“ erstellen.',
  // Views.
  view: 'Ansicht',
  views: { canvas: 'Diagramm', list: 'Liste' },
  parts: 'Teile des Bots',
  flows: 'Abläufe',
  ofBot: 'Bot',
  part: 'Teil',
  addFlow: 'Ablauf hinzufügen',
  addDialogue: 'Dialog hinzufügen',
  flowNamed: (name: string) => `Ablauf ${name}`,
  inFlow: (flow: string, node?: string) =>
    node ? `${flow} · ${node}` : `Ablauf ${flow}`,
  otherFlows: 'Andere Abläufe',
  steps: 'Schritte dieses Ablaufs',
  partNames: {
    texts: 'Texte',
    variables: 'Variablen',
    triggers: 'Auslöser',
    hooks: 'Hooks',
    settings: 'Einstellungen',
  },
  partHints: {
    variables:
      'Werte, die sich der Bot merkt. Texte zeigen sie in doppelten geschweiften Klammern.',
    triggers:
      'Beginnen einen Ablauf, wenn eine Unterhaltung beginnt, etwas geschieht oder eine Zeit ' +
      'erreicht ist.',
    hooks: 'Code, der vor oder nach jeder Nachricht läuft.',
    settings: 'Zeiten, Limits und Voreinstellungen aller Abläufe.',
  },
  scopes: {
    conversation: 'Pro Unterhaltung',
    user: 'Pro Person, in allen Unterhaltungen',
    bot: 'Für den ganzen Bot',
    configuration: 'Aus der Konfiguration',
  },
  newInScope: {
    conversation: 'Neue Variable pro Unterhaltung',
    user: 'Neue Variable pro Person',
    bot: 'Neue Variable des Bots',
    configuration: 'Neue Variable der Konfiguration',
  },
  // The canvas.
  canvas: (flow: string) => `Diagramm des Ablaufs ${flow}`,
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  fit: 'Alles zeigen',
  dragHint: 'Auf einen Schritt ziehen, oder auf eine freie Stelle für einen neuen',
  nodeLabel: ({ name, type, cards, problems, isPassed, counts, isUntested }) =>
    [
      name,
      type,
      amount(cards, 'Karte', 'Karten'),
      ...(isPassed ? ['durchlaufen'] : []),
      ...(counts ? [counts] : []),
      ...(isUntested ? ['kein Test'] : []),
      ...(problems > 0 ? [amount(problems, 'Fehler', 'Fehler')] : []),
    ].join(', '),
  lastDays: (days: number) => `Letzte ${days} Tage`,
  countsHint:
    'Wie viele Unterhaltungen jeden Schritt durchlaufen haben und wie viele dort endeten',
  countsDelay: 'Ohne die letzten Minuten',
  nodeCounts: ({ passed, ended }: { passed: number; ended: number }) =>
    `${thousands(passed)} durchlaufen · ${thousands(ended)} hier beendet`,
  passed: 'durchlaufen',
  isHere: 'die Unterhaltung ist hier',
  nodeTypes: {
    start: 'Start',
    entry: 'Einstieg',
    standard: 'Schritt',
    exit: 'Ausgang',
    end: 'Ende',
    trigger: 'Auslöser',
    exception: 'Nach einem Fehler',
    agent: 'Agent',
  } as Record<string, string>,
  nodeHints: {
    standard: 'Ein leerer Schritt.',
    agent: 'Ein Sprachmodell schreibt mit dem Nutzer, bis es einen Ausgang nimmt.',
    exit: 'Kehrt zu dem Ablauf zurück, der diesen gestartet hat.',
    end: 'Beendet die Unterhaltung.',
    trigger: 'Auslöser beginnen den Ablauf hier.',
    exception: 'Nach einem Fehler geht der Ablauf hier weiter.',
  } as Record<string, string>,
  exits: {
    next: 'Weiter',
    to: 'Gehe zu',
    flow: 'Führt aus',
    otherwise: 'Sonst',
    onCancel: 'Bei Abbruch',
    onTimeout: 'Ohne rechtzeitige Antwort',
    onUnknown: 'Wenn unbekannt',
    onFail: 'Bei einem Fehler',
  },
  agent: 'Agent',
  // Adding.
  addTitle: 'Karte oder Schritt hinzufügen',
  search: 'Suchen',
  nothingFound: 'Nichts gefunden',
  newStep: (type: string) => `Neuer Schritt: ${type}`,
  addStep: 'Schritt hinzufügen',
  addCard: 'Karte hinzufügen',
  addCardTo: (node: string) => `Karte zu ${node} hinzufügen`,
  cardHints: {
    send: 'Sendet einen Text, Schaltflächen oder ein Bild.',
    capture: 'Stellt eine Frage und wartet auf die Antwort.',
    transition: 'Macht anderswo weiter, wenn eine Bedingung erfüllt ist.',
    goTo: 'Macht bei einem anderen Schritt weiter.',
    callFlow: 'Führt einen anderen Ablauf aus und macht dann hier weiter.',
    code: 'Führt JavaScript aus.',
    callAction: 'Ruft eine Aktion des Bots oder einer Integration auf.',
    queryKnowledge: 'Findet Textstellen in den Dokumenten.',
    aiTask: 'Lässt ein Modell ein Ergebnis erzeugen.',
    aiTransition: 'Lässt ein Modell den nächsten Schritt wählen.',
    aiText: 'Lässt ein Modell einen Text schreiben.',
    answer: 'Beantwortet eine Frage aus den Dokumenten.',
    table: 'Liest oder ändert Zeilen einer Tabelle.',
    set: 'Gibt einer Variablen einen Wert.',
    tag: 'Setzt Tags an der Unterhaltung, am Nutzer oder an der Nachricht.',
    log: 'Schreibt eine Zeile ins Log.',
    waitForEvent: 'Wartet, bis etwas geschieht.',
    handoff: 'Ein Mensch übernimmt im Posteingang.',
    inactivityTimeout: 'Beendet die Unterhaltung, wenn eine Zeit lang niemand schreibt.',
  } as Record<string, string>,
  askFor: (answer: string) => `Fragen nach: ${answer}`,
  questionHints: {
    text: 'Stellt eine Frage, auf die man mit einem Text antwortet.',
    number: 'Stellt eine Frage, auf die man mit einer Zahl antwortet.',
    confirmation: 'Stellt eine Frage, auf die man mit Ja oder Nein antwortet.',
    email: 'Fragt nach einer Adresse wie ana@example.org.',
    phone: 'Fragt nach einer Telefonnummer.',
    url: 'Fragt nach einer Adresse wie https://example.org.',
    date: 'Fragt, wann: ein Tag, eine Uhrzeit oder beides.',
    singleChoice: 'Stellt eine Frage mit Schaltflächen.',
    multipleChoice:
      'Stellt eine Frage mit Schaltflächen, von denen man mehrere wählen kann.',
    file: 'Fragt nach einem Bild oder Dokument.',
  } as Record<string, string>,
  placeholders: {
    question: 'Frage schreiben',
    message: 'Schreiben, was der Bot sagt',
  } as Record<string, string>,
  // Forms.
  panel: 'Einstellungen der Auswahl',
  step: (name: string) => `Schritt ${name}`,
  editStep: (name: string) => `${name} bearbeiten`,
  edit: 'Bearbeiten',
  deleteStep: 'Schritt löschen',
  backTo: (name: string) => `Zurück zu ${name}`,
  duplicate: 'Duplizieren',
  up: 'Nach oben',
  down: 'Nach unten',
  moveUp: (name: string) => `${name} nach oben`,
  moveDown: (name: string) => `${name} nach unten`,
  cards: 'Karten',
  name: 'Name',
  nameTaken: 'Ein anderer Schritt heißt schon so.',
  nameForm:
    'Beginnen Sie mit einem Buchstaben. Verwenden Sie Buchstaben, Ziffern, „-“ und „_“.',
  kind: 'Art',
  variables: 'Variablen',
  declare: (name: string) => `Variable ${name} anlegen`,
  variableName: 'Name der Variablen',
  variableForm:
    'Beginnen Sie mit einem Buchstaben. Verwenden Sie Buchstaben, Ziffern und „_“, höchstens 64.',
  remembers: (title: string) => `${title}: merken für`,
  remember: 'Merken für',
  // Also the groups of variables in a menu, and in brackets after a name.
  variableScopes: {
    workflow: 'Ablauf',
    conversation: 'Unterhaltung',
    user: 'Person',
    bot: 'Bot',
    session: 'Sitzung',
    env: 'Konfiguration',
    event: 'letzte Nachricht',
  } as Record<string, string>,
  inScope: (name: string, scope: string) => `${name} (${scope})`,
  insertAnswer: 'Antwort einfügen',
  insertInto: (title: string) => `${title}: Antwort einfügen`,
  lastMessage: 'ihr Text',
  notUsed: 'nicht verwendet',
  unused: (count: number) =>
    `Nichts verwendet ${amount(count, 'Variable', 'Variablen')}:`,
  removeUnused: 'Unbenutzte entfernen',
  asCode: 'Als Code',
  /** Conditions that wizards write. */
  conditions: {
    begins: (flow: string, words: string[]) =>
      `Die Nachricht enthält eines der Wörter ${listWords(words)} oder ist die Schaltfläche von ` +
      `${flow}. Nicht, solange ein anderer Dialog auf eine Antwort wartet.`,
    isButton: (flow: string) => `Die Schaltfläche von ${flow} wurde gedrückt`,
    isYes: (variable: string) => `${variable} ist ja`,
    isNotYes: (variable: string) => `${variable} ist nicht ja`,
    isEmpty: (variable: string) => `${variable} ist leer`,
    isMissing: (variable: string) => `${variable} hat keinen Wert`,
    isPresent: (variable: string) => `${variable} hat einen Wert`,
    equals: (variable: string, value: string) => `${variable} ist „${value}“`,
    equalsVariable: (variable: string, other: string) =>
      `${variable} ist gleich ${other}`,
    isLess: (variable: string, value: number) => `${variable} ist kleiner als ${value}`,
    isAtMost: (variable: string, value: number) => `${variable} ist höchstens ${value}`,
  },
  codeFile: 'Der Code steht in dieser Datei des Dokuments.',
  addNamed: (title: string) => `${title}: hinzufügen`,
  removeNamed: (name: string) => `${name} entfernen`,
  numbered: (title: string, number: number) => `${title} ${number}`,
  newName: (title: string) => `${title}: neuer Name`,
  label: 'Beschriftung',
  value: 'Wert',
  messageKind: (title: string) => `Art von „${title}“`,
  messageKinds: {
    text: 'Text',
    markdown: 'Formatierter Text',
    image: 'Bild',
    audio: 'Audio',
    video: 'Video',
    file: 'Datei',
    location: 'Ort auf einer Karte',
    card: 'Karte',
    carousel: 'Karten nebeneinander',
    choice: 'Text mit Schaltflächen',
    dropdown: 'Text mit einer Liste',
    bloc: 'Mehrere Nachrichten',
  } as Record<string, string>,
  messageFields: {
    text: 'Text',
    markdown: 'Text',
    imageUrl: 'Adresse des Bildes',
    audioUrl: 'Adresse der Audiodatei',
    videoUrl: 'Adresse des Videos',
    fileUrl: 'Adresse der Datei',
    latitude: 'Breitengrad',
    longitude: 'Längengrad',
    title: 'Titel',
    actions: 'Schaltflächen',
    items: 'Teile',
    options: 'Schaltflächen',
  } as Record<string, string>,
  // Search and texts.
  searchAll: 'Abläufe, Schritte, Texte und Variablen durchsuchen',
  searchTexts: 'Texte durchsuchen',
  textsTitle: 'Texte des Bots',
  noTexts: 'Der Bot hat noch keine Texte',
  place: 'Stelle',
  text: 'Text',
  languages,
  names: documentNames,
  // The check.
  problemsTitle: 'Fehler und Warnungen',
  problems: (count: number) => amount(count, 'Fehler', 'Fehler'),
  warnings: (count: number) => amount(count, 'Warnung', 'Warnungen'),
  noProblems: 'Keine Fehler oder Warnungen',
  // Publishing.
  publish: 'Veröffentlichen',
  publishTitle: 'Änderungen veröffentlichen',
  publishBlocked: 'Korrigieren Sie sie zuerst: Der Bot könnte so nicht laufen.',
  published: 'Die Änderungen sind veröffentlicht',
  publishRejected: 'Der Bot kann mit diesen Änderungen nicht laufen',
  publishedState: 'Veröffentlicht',
  notStored:
    'Der Server hat noch nicht alle Änderungen. Versuchen Sie es gleich noch einmal.',
  changesAs: 'Änderungen anzeigen',
  inWords: 'In Worten',
  asText: 'Als Text',
  changed: 'Änderungen seit der letzten Version:',
  noChanges: 'Es gibt keine Änderungen.',
  onlyLayout: 'Nur Positionen von Schritten haben sich geändert.',
  message: 'Beschreibung der Version',
  messageHint: 'Ihre Kolleginnen und Kollegen sehen sie auf der Seite „Versionen“.',
  acceptWarnings: (count: number) =>
    `Mit ${amount(count, 'Warnung', 'Warnungen')} veröffentlichen`,
  tryDraft: 'Entwurf ausprobieren',
  triesBefore: 'Der Bot antwortet wie vor der letzten Änderung.',
  ownTables:
    'Der Entwurf hat eigene, anfangs leere Tabellen. Die des Bots bleiben, wie sie sind.',
  tests: {
    title: 'Tests',
    close: 'Tests schließen',
    none:
      'Der Bot hat noch keine Tests. Probieren Sie den Entwurf aus, und speichern Sie die ' +
      'Unterhaltung als Test: Er erwartet dann dieselben Antworten.',
    // Saving.
    save: 'Unterhaltung als Test speichern',
    saveHint: 'Der Test sendet dieselben Nachrichten und erwartet dieselben Antworten.',
    saved: (name: string) => `Der Entwurf hat jetzt den Test „${name}“`,
    download: 'Stattdessen eine Datei herunterladen',
    downloadHint: (link: string) =>
      `${link}. Legen Sie sie in den Ordner tests neben dem Dokument; der Befehl botstead test ` +
      'führt sie aus.',
    recorded: (time: string) => `Aufzeichnung ${time}`,
    withoutDocument:
      'Dieser Bot hat kein Dokument, das den Test aufnehmen könnte. Die Datei ist für den Ordner ' +
      'tests neben einem Dokument; der Befehl botstead test führt sie aus.',
    personHint:
      'Das Dokument behält, was die Person geschrieben hat, auch wenn die Person gelöscht wird.',
    downloadOnly: 'Herunterladen',
    tooLong: (count: number) =>
      `Die Unterhaltung hat mehr als ${count} Nachrichten. Zeichnen Sie unter „Entwurf ` +
      'ausprobieren“ eine kürzere auf.',
    noMessages: 'Die Unterhaltung hat noch keine Nachrichten.',
    name: 'Name des Tests',
    nameProblems: {
      empty: 'Geben Sie einen Namen ein.',
      long: 'Verwenden Sie höchstens 200 Zeichen.',
      taken: 'Ein anderer Test heißt schon so.',
    },
    // Running.
    runAll: 'Alle ausführen',
    run: 'Ausführen',
    runOne: (name: string) => `„${name}“ ausführen`,
    running: 'Läuft …',
    rejected: 'Der Entwurf lässt sich nicht testen: Korrigieren Sie seine Fehler',
    passed: (passed: number, all: number) =>
      `${passed} von ${amount(all, 'Test', 'Tests')} bestanden`,
    states: {
      unknown: 'Noch nicht ausgeführt',
      running: 'Läuft …',
      passed: 'Bestanden',
      failed: 'Nicht bestanden',
    },
    beforeChange: 'vor der letzten Änderung',
    // Results.
    line: (number: number) => `Zeile ${number}`,
    lines: {
      user: 'Nutzer',
      bot: 'Bot',
      variables: 'Variablen',
      wait: 'Warten',
      event: 'Ereignis',
      tables: 'Tabellen',
      handoff: 'Übergabe',
    } as Record<string, string>,
    wholeTest: 'Der Test als Ganzes',
    expected: 'Erwartet',
    actual: 'Erhalten',
    noMessage: 'keine Nachricht',
    at: 'Stelle:',
    lastTurn: 'Der letzte Durchgang',
    conversation: 'Unterhaltung',
    // Changes.
    actions: (name: string) => `Aktionen für „${name}“`,
    rename: 'Umbenennen',
    renameTitle: 'Test umbenennen',
    // Steps without a test.
    noTest: 'kein Test',
    untested: (count: number, all: number) =>
      count === 0
        ? 'Jeder Schritt hat einen Test'
        : `${count} von ${amount(all, 'Schritt', 'Schritten')} ${plural(count, 'hat', 'haben')} ` +
          'keinen Test',
    mark: 'In den Abläufen markieren',
    untestedSteps: 'Schritte ohne Test',
    moreUntested: (count: number) => `Und ${count} weitere`,
    tooManySteps: 'Die Tests durchlaufen zu viele Schritte, um die ohne Test anzuzeigen.',
  },
}
