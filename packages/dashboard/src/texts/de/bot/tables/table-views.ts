import type { tableViews as English } from '../../../en/bot/tables/table-views.ts'
import { amount, plural, thousands } from '../../amount.ts'

const rows = (count: number) => amount(count, 'Zeile', 'Zeilen')
const values = (count: number) => amount(count, 'Wert', 'Werte')

/** Filters, orders and groups of tables. */
export const tableViews: typeof English = {
  label: 'Ansicht',
  wrong: 'Der Filter in der Adresse ist kein JSON-Objekt',
  filter: {
    button: (count: number) => (count === 0 ? 'Filter' : `Filter: ${count}`),
    clear: 'Filter entfernen',
    title: 'Zeilen filtern',
    mode: 'Form des Filters',
    rules: 'Regeln',
    json: 'JSON',
    onlyJson: 'Dieser Filter lässt sich nicht als Regeln anzeigen.',
    notJson: 'Der Filter muss ein JSON-Objekt sein',
    notObject: 'Beginnen Sie mit { und enden Sie mit }.',
    match: 'Zeilen erfüllen',
    matches: {
      all: 'Alle diese Regeln',
      any: 'Mindestens eine dieser Regeln',
      notAll: 'Nicht alle diese Regeln',
      none: 'Keine dieser Regeln',
    },
    rule: (column: string) => `Regel für ${column}`,
    addRule: 'Regel hinzufügen',
    addGroup: 'Gruppe hinzufügen',
    removeRule: (column: string) => `Regel für ${column} entfernen`,
    removeGroup: 'Gruppe entfernen',
    column: 'Spalte',
    inside: 'Pfad darin',
    insideHint: 'alles, oder stadt.name',
    operator: 'Operator',
    value: 'Wert',
    time: 'Uhrzeit (freiwillig)',
    values: 'Werte',
    valuesHint: 'Nach jedem Wert Enter',
    noValue: '(leer)',
    jsonHint: 'Text, 12, true oder JSON',
    ignoreCase: 'Groß- und Kleinschreibung ignorieren',
    divisor: 'Divisor',
    remainder: 'Rest',
    yes: 'Ja',
    no: 'Nein',
    operators: {
      eq: 'ist',
      ne: 'ist nicht',
      contains: 'enthält',
      begins: 'beginnt mit',
      regex: 'passt zum Muster',
      gt: 'ist größer als',
      gte: 'ist mindestens',
      lt: 'ist kleiner als',
      lte: 'ist höchstens',
      in: 'ist einer von',
      nin: 'ist keiner von',
      mod: 'Rest der Division durch …',
      size: 'hat die Länge',
      filled: 'hat einen Wert',
      empty: 'ist leer',
    },
    dateOperators: {
      gt: 'ist nach',
      gte: 'ist ab',
      lt: 'ist vor',
      lte: 'ist bis',
    },
    removeAll: 'Alle Regeln entfernen',
    apply: 'Filter anwenden',
  },
  sort: {
    button: (count: number) => (count === 0 ? 'Sortieren' : `Sortiert: ${count}`),
    clear: 'Sortierung entfernen',
    title: 'Zeilen sortieren',
    hint:
      'Weitere Spalten sortieren Zeilen, die in den Spalten darüber gleiche Werte haben. Leere ' +
      'Zellen kommen zuletzt.',
    column: (n: number) => `Spalte ${n}`,
    direction: (n: number) => `Richtung von Spalte ${n}`,
    asc: 'Aufsteigend',
    desc: 'Absteigend',
    add: 'Spalte hinzufügen',
    remove: (n: number) => `Spalte ${n} entfernen`,
  },
  group: {
    button: 'Gruppieren',
    title: 'Zeilen gruppieren',
    hint:
      'Zeilen mit gleichen Werten bilden eine Gruppe. Die anderen Ergebnisse werden für jede ' +
      'Gruppe berechnet. Summe und Durchschnitt brauchen eine Spalte mit Zahlen.',
    column: (n: number) => `Spalte ${n}`,
    operation: (n: number) => `Ergebnis ${n}`,
    calculate: 'Berechnen',
    operations: {
      key: 'Gruppieren nach',
      count: 'Anzahl der Werte',
      sum: 'Summe',
      avg: 'Durchschnitt',
      min: 'Minimum',
      max: 'Maximum',
      unique: 'Anzahl verschiedener Werte',
    },
    rowCount: 'Anzahl der Zeilen',
    add: 'Ergebnis hinzufügen',
    remove: (n: number) => `Ergebnis ${n} entfernen`,
    apply: 'Gruppen anzeigen',
    clear: 'Zeilen anzeigen',
    empty: 'Keine Gruppen',
    list: 'Gruppen',
    sortBy: 'Gruppen sortieren nach',
    direction: 'Richtung',
    oldest: 'Älteste Zeile',
    openRows: 'Öffnen Sie eine Gruppe, um ihre Zeilen zu sehen.',
    noValue: '(leer)',
  },
  head: {
    menu: (column: string) => `Aktionen für Spalte ${column}`,
    asc: 'Aufsteigend sortieren',
    desc: 'Absteigend sortieren',
    addAsc: 'Danach aufsteigend sortieren',
    addDesc: 'Danach absteigend sortieren',
    group: 'Nach dieser Spalte gruppieren',
    rename: 'Spalte umbenennen',
    convert: 'Typ ändern',
    userId: 'IDs von Nutzern',
    delete: 'Spalte löschen',
    position: (n: number) => `Sortierebene ${n}`,
  },
  bulk: {
    button: 'Zeilen ändern',
    title: 'Mehrere Zeilen ändern',
    scope: 'Zeilen',
    chosen: (count: number) => `Ausgewählt: ${rows(count)}`,
    matching: (count: number) => `Passend: ${rows(count)}`,
    all: (count: number) => `Alle: ${rows(count)}`,
    action: 'Aktion',
    set: 'Spalte setzen',
    delete: 'Zeilen löschen',
    column: 'Spalte',
    value: 'Neuer Wert',
    clear: 'Zellen leeren',
    start: (count: number) => `${rows(count)} ändern`,
    remove: (count: number) => `${rows(count)} löschen`,
    undoable: 'Strg+Z in der Tabelle macht die Änderung rückgängig.',
    large: (max: number) =>
      `Eine Änderung von mehr als ${rows(max)} lässt sich nicht rückgängig machen.`,
    final: 'Das lässt sich nicht rückgängig machen.',
    exportFirst: 'Zuerst exportieren',
    searched:
      'Eine Suche findet nur die besten Zeilen. Wählen Sie Zeilen über ihre Nummern aus.',
    changed: (count: number) => `Geändert: ${rows(count)}`,
    deleted: (count: number) => `Gelöscht: ${rows(count)}`,
    running: 'Zeilen werden geändert …',
    closable: 'Sie können dieses Fenster schließen. Die Änderung geht weiter.',
    failed: 'Die Änderung ist fehlgeschlagen',
    leftOut: (count: number) => `Nicht geändert: ${rows(count)}`,
  },
  column: {
    add: 'Spalte hinzufügen',
    added: 'Die Spalte wurde hinzugefügt',
    name: 'Name',
    type: 'Typ',
    default: 'Wert für die Zeilen der Tabelle',
    defaultHint: (count: number) =>
      `Wird in ${rows(count)} geschrieben. Ohne Wert bleiben die Zellen leer.`,
    rename: 'Spalte umbenennen',
    renamed: 'Die Spalte wurde umbenannt',
    renameHint:
      'Alle Werte bleiben. Abläufe, Code und Filter mit dem alten Namen müssen Sie ändern.',
    userId: 'IDs von Nutzern',
    hasUserIds: (column: string) => `„${column}“ enthält IDs von Nutzern`,
    userIdHint:
      'Export und Löschung der Daten einer Person umfassen dann auch die Zeilen mit der ID ' +
      'dieser Person. Die ID steht auf der Seite des Nutzers.',
    userIdChanged: 'Die Spalte wurde geändert',
    delete: 'Spalte löschen',
    deleted: 'Die Spalte wurde gelöscht',
    deletes: (count: number) =>
      count === 0
        ? 'Keine Zeile hat einen Wert in dieser Spalte.'
        : `Gelöscht ${plural(count, 'wird', 'werden')} ${values(count)}, zum Beispiel:`,
    usedBy: (names: string[]) =>
      `Berechnete Spalten hängen davon ab: ${names.join(', ')}`,
    isKey: 'Sie ist die Schlüsselspalte der Tabelle.',
    final:
      'Das lässt sich nicht rückgängig machen. Abläufe und Code, die die Spalte verwenden, ' +
      'scheitern dann.',
    convert: 'Typ ändern',
    newType: 'Neuer Typ',
    reading: 'Die Werte werden umgewandelt, ohne sie zu speichern …',
    converted: (count: number) =>
      `${values(count)} ${plural(count, 'lässt', 'lassen')} sich umwandeln.`,
    emptied: (count: number) =>
      `${values(count)} ohne Inhalt ${plural(count, 'wird', 'werden')} geleert.`,
    failed: (count: number) =>
      count === 1
        ? '1 Wert lässt sich nicht umwandeln und wird geleert.'
        : `${thousands(count)} Werte lassen sich nicht umwandeln und werden geleert.`,
    noValues: 'Keine Zeile hat einen Wert in dieser Spalte.',
    partly: (count: number) =>
      `Die Tabelle ist groß: Nur der Anfang wurde geprüft (${rows(count)}).`,
    row: 'Zeile',
    before: 'Jetzt',
    after: 'Danach',
    notConverted: (problem: string) => `Leer (${problem})`,
    start: 'Typ ändern',
    running: 'Der Typ wird geändert …',
    done: (column: string, type: string) =>
      `Die Spalte „${column}“ hat jetzt den Typ „${type}“.`,
    notConvertible: (count: number) =>
      count === 1
        ? '1 Wert ließ sich nicht umwandeln. Seine Zelle ist jetzt leer.'
        : `${thousands(count)} Werte ließen sich nicht umwandeln. Ihre Zellen sind jetzt leer.`,
  },
  export: {
    view: (format: string) => `Diese Zeilen als ${format} exportieren`,
  },
}
