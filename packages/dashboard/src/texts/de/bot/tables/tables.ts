import type { tables as English } from '../../../en/bot/tables/tables.ts'
import { amount, thousands } from '../../amount.ts'

const values = (count: number) => amount(count, 'Wert', 'Werte')
const rows = (count: number) => amount(count, 'Zeile', 'Zeilen')
const columns = (count: number) => amount(count, 'Spalte', 'Spalten')

export const tables: typeof English = {
  title: 'Tabellen',
  empty: 'Keine Tabellen',
  emptyReader: 'Noch hat niemand eine Tabelle erstellt.',
  emptyHint:
    'In einer Tabelle liegen Daten für den Bot: Erstellen Sie eine, oder importieren Sie eine ' +
    'Datei.',
  new: 'Neue Tabelle',
  name: 'Name',
  nameHint: (name: string) => `Abläufe und Code verwenden den Namen ${name}.`,
  columns: 'Spalten',
  columnCount: columns,
  column: 'Spalte',
  type: 'Typ',
  columnExample: 'preis',
  columnName: (n: number) => `Name von Spalte ${n}`,
  columnType: (n: number) => `Typ von Spalte ${n}`,
  addColumn: 'Spalte hinzufügen',
  removeColumn: (n: number) => `Spalte ${n} entfernen`,
  frozen: 'eingefroren',
  types: {
    string: 'Text',
    number: 'Zahl',
    boolean: 'Ja oder Nein',
    date: 'Datum und Uhrzeit',
    object: 'Objekt (JSON)',
    array: 'Liste (JSON)',
  },
  actions: 'Aktionen',
  rename: 'Tabelle umbenennen',
  renamed: 'Die Tabelle wurde umbenannt',
  delete: 'Tabelle löschen',
  deleteHint:
    'Die Tabelle wird mit allen Zeilen gelöscht. Das lässt sich nicht rückgängig machen.',
  deleted: 'Die Tabelle wurde gelöscht',
  noRows: 'Diese Tabelle hat keine Zeilen',
  noRowsHint: 'Fügen Sie eine Zeile hinzu, oder importieren Sie eine Datei.',
  noMatch: 'Keine Zeile passt',
  noMatchHint: 'Ändern Sie die Filter, oder setzen Sie sie zurück.',
  addRow: 'Zeile hinzufügen',
  newRow: 'Neue Zeile',
  rowAdded: 'Die Zeile wurde hinzugefügt',
  deleteRows: (count: number) => `${rows(count)} löschen`,
  deleteRowsHint: 'Das lässt sich nicht rückgängig machen.',
  rowsDeleted: (count: number) => `Gelöscht: ${rows(count)}`,
  search: 'Suchen',
  searchHint: 'Wörter in beliebigen Spalten',
  refresh: 'Aktualisieren',
  grid: {
    number: 'Zeile',
    rows,
    rowsOf: (count: number, total: number) => `${thousands(count)} von ${rows(total)}`,
    stale: 'Noch nicht berechnet',
    notComputed: (reason: string) => `Nicht berechnet: ${reason}`,
    failed: (count: number) =>
      `${amount(count, 'Zelle wurde', 'Zellen wurden')} nicht gespeichert.`,
    failedAt: ({
      rowId,
      column,
      error,
    }: {
      rowId: number
      column: string
      error: string
    }) => `Zeile ${rowId}, ${column}: ${error}`,
    notBoolean: 'muss Ja oder Nein sein',
    discard: 'Verwerfen',
    unsorted: 'Eine sortierte Spalte wurde geändert.',
    sortAgain: 'Neu sortieren',
    undo: 'Änderungen von Zellen rückgängig machen',
    redo: 'Änderungen von Zellen wiederholen',
    hint: 'Enter oder Doppelklick bearbeitet, Entf leert, Umschalt+Leertaste wählt eine Zeile aus',
    sortBy: (name: string) => `Nach ${name} sortieren`,
    ascending: 'aufsteigend',
    descending: 'absteigend',
    dateHint: '2026-01-31',
  },
  import: {
    button: 'Importieren',
    title: 'Datei als Tabelle importieren',
    into: (name: string) => `In „${name}“ importieren`,
    drop: 'Datei hier ablegen',
    formats:
      'CSV, JSON, XLSX oder ODS (erstes sichtbares Blatt). Die erste Zeile nennt die Spalten.',
    found: (file: string, count: number) => `${file}: ${columns(count)}.`,
    foundRows: (count: number, isComplete: boolean) =>
      isComplete ? `${rows(count)}.` : `Mehr als ${rows(count)}.`,
    check: 'Prüfen Sie, wohin die Spalten importiert werden.',
    leavesOut: 'Der Import lässt fehlerhafte Zeilen aus und listet sie am Ende auf.',
    newTable: 'Name der neuen Tabelle',
    columns: 'Spalten der Datei',
    source: 'Spalte der Datei',
    target: 'Importiert in',
    type: 'Typ',
    targetOf: (name: string) => `Ziel von ${name}`,
    typeOf: (name: string) => `Typ von ${name}`,
    nameOf: (name: string) => `Name der neuen Spalte für ${name}`,
    nameMissing: 'Geben Sie einen Namen ein.',
    nameReserved:
      'Jede Tabelle hat eine Spalte mit diesem Namen. Wählen Sie einen anderen.',
    nameTaken: 'Eine andere Spalte heißt schon so.',
    skip: 'Auslassen',
    newColumn: 'Neue Spalte',
    tooMany: (count: number) =>
      `Eine Tabelle hat höchstens ${count} Spalten. Lassen Sie einige aus.`,
    otherFile: 'Andere Datei',
    start: 'Import starten',
    running: 'Wird importiert …',
    closable:
      'Sie können dieses Fenster schließen. Die Seite der Tabelle zeigt den Fortschritt.',
    fileKept:
      'Der Server löscht die hochgeladene Datei nach einem Tag. Die Zeilen bleiben.',
    renamed: (source: string, column: string) =>
      `Jede Tabelle hat schon eine eigene Spalte „${source}“. Aus Ihrer wird „${column}“.`,
    failed: 'Der Import ist fehlgeschlagen',
    runningNow: (percent: number) => `Ein Import läuft: ${percent}\u00a0%`,
    showResult: 'Ergebnis anzeigen',
    result: 'Ergebnis des Imports',
    hideResult: 'Ausblenden',
    done: (added: number, total: number | undefined, leftOut: number) =>
      [
        `Importiert: ${rows(added)}.`,
        `Ausgelassen: ${leftOut === 0 ? 'keine' : rows(leftOut)}.`,
        ...(total === undefined ? [] : [`Die Tabelle hat ${rows(total)}.`]),
      ].join(' '),
    open: 'Tabelle öffnen',
    rejected: 'Ausgelassene Zeilen',
    rejectedHint:
      'Diese Zeilen wurden ausgelassen. Laden Sie sie herunter, korrigieren Sie sie, und ' +
      'importieren Sie diese Datei.',
    place: 'Stelle',
    problem: 'Fehler',
    extraRows: (count: number, hasMore: boolean) =>
      `${hasMore ? 'Mindestens ' : ''}${amount(count, 'Zeile hat', 'Zeilen haben')} mehr Zellen, ` +
      'als die Tabelle Spalten hat. Der Import lässt diese Zellen aus: Korrigieren Sie zuerst ' +
      'die Datei, oder wählen Sie, wohin sie kommen.',
    moreRejected: (shown: number, total: number) =>
      `Die ersten ${thousands(shown)} von ${thousands(total)} werden angezeigt.`,
    formulaHint:
      'In der Datei steht ein Apostroph vor Texten, die eine Tabellenkalkulation als Formel ' +
      'ausführen würde.',
    rejectedFile: 'ausgelassene-zeilen.csv',
    download: (count: number) => `${rows(count)} herunterladen (CSV)`,
  },
  jobs: {
    title: 'Importe, Exporte, Änderungen',
    empty: 'Keine Importe, Exporte oder großen Änderungen in den letzten 30 Tagen',
    export: (format: string) => `Als ${format} exportieren`,
    unchangedCsv: 'CSV für einen Import, mit Formeln',
    types: {
      export: 'Export',
      import: 'Import',
      clear_column: 'Bereinigung alter Werte',
      clear_vectors: 'Bereinigung des Suchindex',
      delete_rows: 'Löschen von Zeilen',
      duplicate_table: 'Kopie',
      update_rows: 'Änderung von Zeilen',
      convert_column: 'Änderung eines Typs',
    },
    states: {
      pending: 'wartet',
      in_progress: 'läuft',
      finalizing: 'wird abgeschlossen',
      completed: 'fertig',
      failed: 'fehlgeschlagen',
    },
    changed: rows,
    leftOut: (type: string, count: number) =>
      type === 'convert_column'
        ? `${values(count)} geleert`
        : `${rows(count)} ausgelassen`,
    download: 'Herunterladen',
  },
}
