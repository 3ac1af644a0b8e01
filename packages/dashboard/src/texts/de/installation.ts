import type { installation as English } from '../en/installation.ts'
import { amount, thousands } from './amount.ts'

const inMegabytes = new Intl.NumberFormat('de', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

export const installation: typeof English = {
  title: 'Installation',
  servers: 'Server',
  server: 'Server',
  process: (pid: number, id: string) => `Prozess ${pid}, ${id}`,
  started: 'Gestartet',
  state: 'Status',
  stateHint:
    'Jeder Server meldet sich alle paar Sekunden. Fällt einer aus, übernehmen die anderen seine ' +
    'Unterhaltungen und Aufgaben.',
  alive: 'Läuft',
  dead: 'Antwortet nicht',
  queue: 'Warteschlange',
  pending: 'Ausstehende Zustellungen',
  lanes: 'Unterhaltungen in Arbeit',
  oldest: 'Älteste Zustellung',
  seconds: (seconds: number) => `${Math.round(seconds)} s`,
  deadLetters: 'Fehlgeschlagene Zustellungen',
  database: 'Datenbank',
  size: 'Größe',
  table: 'Tabelle',
  rows: 'Zeilen (geschätzt)',
  allTables: (count: number) => `Alle ${thousands(count)} Tabellen anzeigen`,
  notCounted: 'noch nicht gezählt',
  megabytes: (bytes: number) => `${inMegabytes.format(bytes / 1_000_000)}\u00a0MB`,
  checks: 'Prüfungen',
  runChecks: 'Prüfungen ausführen',
  checksHint:
    'Dieselben Prüfungen wie mit dem Befehl `botstead doctor`. Sie dauern einige Sekunden.',
  passed: (count: number) => amount(count, 'Prüfung bestanden', 'Prüfungen bestanden'),
  states: { bad: 'Fehler', advice: 'Hinweis' },
  settings: 'Einstellungen',
  settingsHint:
    'Umgebungsvariablen des Servers. Hier können Sie sie nur lesen: Um eine zu ändern, halten ' +
    'Sie den Server an, setzen die Variable (zum Beispiel `BOTSTEAD_PORT=8080 npm start`) und ' +
    'starten ihn wieder. Einstellungen, die Sie im Browser ändern können, stehen auf der Seite ' +
    '„Server-Einstellungen“.',
  searchSettings: 'Einstellungen durchsuchen',
  noSetting: 'Keine Einstellung enthält diese Wörter.',
  groups: {
    server: 'Server und Adressen',
    storage: 'Daten und Backups',
    security: 'Anmeldung und Schlüssel',
    retention: 'Aufbewahrung',
    code: 'Code der Bots',
    models: 'Modelle',
    limits: 'Limits',
  },
  notSet: 'nicht gesetzt',
  unlimited: 'unbegrenzt',
  on: 'ein',
  off: 'aus',
  days: (days: number) => amount(days, 'Tag', 'Tage'),
  hours: (hours: number) => amount(hours, 'Stunde', 'Stunden'),
  perSecond: (count: string) => `${count} pro Sekunde`,
  perMinute: (count: string) => `${count} pro Minute`,
  characters: (count: string) => `${count} Zeichen`,
}
