import type { bots as English } from '../en/bots.ts'
import { amount, thousands } from './amount.ts'

export const bots: typeof English = {
  title: 'Bots',
  create: 'Bot erstellen',
  empty: 'Noch keine Bots',
  emptyHint:
    'Beginnen Sie mit einem Beispiel, oder erstellen Sie einen Bot aus eigenen Dateien.',
  emptyViewer: 'Hier erscheinen die Bots dieses Workspace.',
  search: 'Nach Namen suchen',
  nothingFound: 'Kein Bot heißt so',
  nothingFoundHint: 'Suchen Sie nach einem anderen Teil des Namens.',
  dev: 'Entwicklung',
  blocked: 'Gesperrt',
  activity: (messages: number, pending: number) =>
    `${amount(messages, 'Nachricht', 'Nachrichten')} heute, ${thousands(pending)} ausstehend`,
  name: 'Name',
  health: 'Zustand',
  pending: 'Ausstehend',
  pendingHint: 'Zustellungen, die auf den Bot warten',
  today: 'Nachrichten heute',
  deployed: 'Bereitgestellt',
  neverDeployed: 'nicht bereitgestellt',
  healths: {
    ok: 'In Ordnung',
    degraded: 'Mit Fehlern',
    failing: 'Gestört',
    undeployed: 'Nicht bereitgestellt',
  },
  mended: 'keine Fehler seit der Bereitstellung',
  broken: 'der Code lässt sich nicht laden',
  deadLetters: (count: number) => `${thousands(count)} fehlgeschlagen`,
  issues: (count: number) => amount(count, 'offenes Problem', 'offene Probleme'),
  newBot: {
    title: 'Bot erstellen',
    name: 'Name',
    namePlaceholder: 'Kundendienst',
    from: 'Grundlage',
    sources: {
      example: 'Beispiel',
      files: 'Bot-Dateien',
      builder: 'Anderer Builder',
      archive: 'Archiv',
      scratch: 'Ohne Vorlage',
      empty: 'Leerer Bot',
    },
    scratchHint:
      'Ein Bot, der grüßt. Seine Fragen und Antworten fügen Sie auf der Seite „Abläufe“ hinzu, ' +
      'ohne zu programmieren.',
    greeting: 'Hallo! Wie kann ich Ihnen helfen?',
    emptyHint:
      'Für Entwickler: ein Bot, der nichts tut, bis Sie Code für ihn bereitstellen, hier oder ' +
      'auf der Befehlszeile.',
    isArchive: (file: string) => `${file} ist das Archiv eines Workspace`,
    isArchiveHint: 'Betreiber importieren es auf dieser Seite unter „Archiv“.',
    atUrl:
      'Für Entwickler: Um einen Bot hinzuzufügen, der auf Ihrem eigenen Server läuft, rufen Sie ' +
      '`createBot` der API mit seiner `url` auf.',
    atUrlLink: 'Bots unter einer URL',
    missing: 'Das Dokument enthält nicht alles',
    setSecrets: (names: string[]) =>
      `Setzen Sie diese Geheimnisse in den Einstellungen: ${names.join(', ')}.`,
    configure: (aliases: string[]) =>
      `Konfigurieren und aktivieren Sie diese Integrationen: ${aliases.join(', ')}.`,
    created: (name: string) => `„${name}“ wurde erstellt`,
    createdBroken: (name: string) =>
      `„${name}“ wurde erstellt, aber der Code lässt sich nicht laden`,
  },
  builders: {
    drop: 'Export hier ablegen',
    hint:
      'Ein Bot aus Typebot, Dify, Flowise, Voiceflow, Botpress 12 oder dem Agent Builder von ' +
      'OpenAI.',
    docs: 'So exportieren Sie ihn',
    choose: 'Wählen Sie zuerst eine Datei',
    empty: (file: string) => `${file} ist leer. Exportieren Sie den Bot noch einmal`,
    tooLarge: (file: string) => `${file} ist größer als 10 MB`,
    report: 'Bericht',
    parts: 'Teile des Bots',
    result: 'Ergebnis',
    part: 'Teil',
    note: 'Abweichung oder nächster Schritt',
    results: {
      carried: 'Übernommen',
      changed: 'Mit Abweichung',
      omitted: 'Nicht übernommen',
    },
    found: (source: string, { carried, changed, omitted }: Record<string, number>) =>
      `${source}: ${carried} übernommen, ${changed} mit Abweichung, ${omitted} nicht übernommen.`,
    more: (count: number) => `Und ${amount(count, 'weiterer Teil', 'weitere Teile')}.`,
    secrets: 'Geheimnisse, die Sie setzen müssen',
    knowledge: 'Dokumente, die Sie hochladen müssen',
    remarks: 'Bitte beachten',
    save: (path: string) => `${path} speichern`,
    name: 'Name',
    create: 'Entwurf erstellen',
    created: (name: string) => `„${name}“ wurde als Entwurf erstellt`,
  },
  archive: {
    drop: 'Archiv hier ablegen',
    hint:
      'Eine Datei von der Seite „Archive“ oder vom Befehl export. Sie enthält einen Workspace ' +
      'mit allen seinen Bots.',
    passphrase: 'Passphrase',
    passphraseHint: 'Die des Archivs. Leer bei einem Archiv ohne Geheimnisse.',
    import: 'Importieren',
    progress: 'An den Server gesendet',
    tooLarge: 'Das Archiv ist zu groß für einen Proxy',
    interrupted: 'Die Verbindung brach ab, bevor das Archiv gesendet war',
    tooLargeHint:
      'Ein Proxy vor dem Server begrenzt vielleicht die Größe von Anfragen. Erhöhen Sie seine ' +
      'Grenze, oder importieren Sie das Archiv auf dem Rechner des Servers: ' +
      '`npm run botstead -- import <archive>`',
    checking: 'Der Server prüft das Archiv und speichert den Inhalt …',
    done: (workspace: string, rows: number) =>
      `„${workspace}“ wurde importiert: ${amount(rows, 'Zeile', 'Zeilen')}`,
    signer: (signer: string) => `Signiert von ${signer}`,
    noSecrets:
      'Das Archiv hat keine Geheimnisse: Setzen Sie die der Bots und Integrationen, und ' +
      'konfigurieren Sie die installierten Integrationen.',
    open: 'Workspace öffnen',
    notMember:
      'Sie sind kein Mitglied. Die Mitglieder sehen ihn, wenn sie sich anmelden.',
  },
  examples: {
    create: 'Erstellen',
    createNamed: (title: string) => `„${title}“ erstellen`,
    needsModel: 'Braucht ein Modell',
    noModel:
      'Es ist kein Modell eingerichtet. Ein Inhaber kann es in den Server-Einstellungen hinzufügen.',
  },
  files: {
    drop: 'Bot hier ablegen',
    hint:
      'Eine bot.json oder bot.yaml, ein Ordner mit einer solchen Datei und dem Code, oder ein ' +
      'Bundle: eine .cjs- oder .js-Datei, die eine Funktion mit dem Namen handler exportiert.',
    sdkHint:
      'Bei einem Projekt mit @botpress/sdk führen Sie zuerst `bp build` (offizielle Befehlszeile) aus ' +
      'und wählen dann `.botpress/dist/index.cjs`.',
    examples: 'Beispiel herunterladen:',
    exampleFiles: {
      document: (size: string) => `eine bot.json${size && ` (${size})`}`,
      bundle: (size: string) => `ein Bundle${size && ` (${size})`}`,
    },
    bundle: (size: string) => `Bundle, ${size}`,
    document: 'Bot-Dokument',
    codeFiles: (count: number) =>
      count === 1 ? 'mit 1 Code-Datei' : `mit ${count} Code-Dateien`,
    none: 'In diesen Dateien ist kein Bot',
    noneHint: 'Wählen Sie eine bot.json, eine bot.yaml oder ein Bundle.',
    several: 'Es sind mehrere Bots. Wählen Sie einen davon.',
    notDocument: (file: string) => `${file} ist kein Bot-Dokument`,
    invalid: (file: string) => `${file} ist nicht lesbar`,
    tooLarge: (file: string) => `${file} ist größer als 50 MB`,
    problems: (file: string, count: number) =>
      count === 1 ? `${file} hat einen Fehler` : `${file} hat ${count} Fehler`,
    correct:
      'So lässt sich die Datei nicht bereitstellen. Korrigieren Sie sie, und wählen Sie sie ' +
      'erneut.',
    correctPartly:
      'So lässt sich die Datei nicht bereitstellen. Korrigieren Sie sie, und wählen Sie sie ' +
      'erneut: Vielleicht folgen weitere Fehler.',
    warnings: (file: string, count: number) =>
      count === 1 ? `${file} hat eine Warnung` : `${file} hat ${count} Warnungen`,
    warningsHint:
      'Wahrscheinlich ein Versehen. Bereitstellen lässt sich die Datei trotzdem.',
  },
  delete: {
    title: (name: string) => `„${name}“ löschen`,
    text:
      'Damit löschen Sie auch seine Unterhaltungen, Nutzer, Dateien und Tabellen. Das lässt sich ' +
      'nicht rückgängig machen.',
    button: 'Bot löschen',
    done: (name: string) => `„${name}“ wurde gelöscht`,
  },
  transfer: {
    title: 'An einen anderen Workspace übertragen',
    target: 'Workspace',
    text:
      'Unterhaltungen, Dateien und Tabellen ziehen mit dem Bot um. Mitglieder dieses Workspace ' +
      'verlieren den Zugriff.',
    button: 'Übertragen',
    done: 'Der Bot wurde übertragen',
    noTarget: 'Sie dürfen in keinem anderen Workspace Bots erstellen.',
  },
}
