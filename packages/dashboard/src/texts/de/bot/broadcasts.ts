import type { broadcasts as English } from '../../en/bot/broadcasts.ts'
import { amount, plural, thousands } from '../amount.ts'

export const broadcasts: typeof English = {
  title: 'Rundnachrichten',
  hint:
    'Eine Nachricht an viele. Jede Person erhält sie einmal; wer STOP geschrieben hat, erhält ' +
    'keine.',
  add: 'Neue Rundnachricht',
  empty: 'Keine Rundnachrichten',
  emptyHint: 'Schreiben Sie allen in einem Kanal, mit einem Tag oder aus einer Tabelle.',
  name: 'Name',
  channel: 'Kanal',
  integration: 'Integration',
  state: 'Status',
  states: {
    scheduled: 'Geplant',
    resolving: 'Empfänger werden ermittelt',
    sending: 'Wird gesendet',
    stopped: 'Angehalten',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
  },
  startAt: 'Beginn',
  startAtHint: 'Leer: jetzt. In Ihrer Zeitzone.',
  text: 'Nachricht',
  textHint:
    'Variablen: {{ user.tags.city }}, mit Ersatzwert {{ user.name ?? "Gast" }}, aus einer ' +
    'Zeile {{ row.city }}. Wer keinen Wert hat, erhält keine Nachricht. Andere Arten von ' +
    'Nachrichten: über die API oder die Befehlszeile.',
  userTags: 'Nur Nutzer mit Tags',
  conversationTags: 'Nur Unterhaltungen mit Tags',
  tagsHint: 'name=wert; nach jedem Enter drücken',
  invalidTag: (tag: string) => `„${tag}“ hat nicht die Form name=wert`,
  table: 'Nur Personen aus einer Tabelle',
  tableHint: 'Name der Tabelle',
  column: 'Spalte mit IDs von Nutzern oder Unterhaltungen',
  perMinute: 'Nachrichten pro Minute',
  hasQuietHours: 'Ruhezeiten',
  quietHint: 'In dieser Zeit wird keine Nachricht gesendet.',
  from: 'Von',
  to: 'Bis',
  timezone: 'Zeitzone',
  timezoneTag: 'Tag der Nutzer mit ihrer Zeitzone',
  create: 'Senden',
  createHint: 'Sendet sofort, oder zum gewählten Beginn.',
  preview: 'Probelauf',
  previewResult: (recipients: number, skipped: number) =>
    [
      `${amount(recipients, 'Person würde', 'Personen würden')} die Nachricht erhalten`,
      `${thousands(skipped)} ${plural(skipped, 'würde', 'würden')} übersprungen`,
    ].join(', '),
  atLeast: '20 Sekunden lang gezählt: Es sind noch mehr.',
  examples: 'Erste Nachrichten',
  stop: 'Anhalten',
  stopped: 'Die Rundnachricht ist angehalten',
  resume: 'Fortsetzen',
  resumed: 'Die Rundnachricht wird fortgesetzt',
  delete: 'Löschen',
  deleteEffect: (name: string) =>
    `„${name}“ und der Bericht dazu werden gelöscht. Die Nachrichten bleiben in den ` +
    'Unterhaltungen.',
  export: 'CSV herunterladen',
  file: 'empfaenger.csv',
  progress: (done: number, total: number) => `${thousands(done)} von ${thousands(total)}`,
  progressLabel: 'Fortschritt',
  report: 'Bericht',
  recipients: 'Empfänger',
  noRecipients: 'Keine Empfänger',
  noRecipientsHint: 'Der Server ermittelt sie, wenn die Rundnachricht beginnt.',
  user: 'Nutzer',
  reason: 'Grund',
  sentAt: 'Gesendet',
  conversation: 'Unterhaltung',
  unknownRows: (count: number) =>
    amount(
      count,
      'Zeile der Tabelle nennt weder Nutzer noch Unterhaltung',
      'Zeilen der Tabelle nennen weder Nutzer noch Unterhaltung',
    ),
  recipientStates: {
    waiting: 'Wartet',
    sending: 'Unterwegs',
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    read: 'Gelesen',
    failed: 'Fehlgeschlagen',
    skipped: 'Übersprungen',
  },
  reasons: {
    opted_out: 'möchte keine Rundnachrichten',
    no_conversation: 'keine Unterhaltung in diesem Kanal',
    missing_variable: 'eine Variable hat keinen Wert',
    too_long: 'die Nachricht ist zu lang',
    deleted: 'die Unterhaltung wurde gelöscht',
    rejected: 'die Nachricht wurde abgelehnt',
    not_delivered: 'der Kanal hat sie nicht angenommen',
  },
}
