import type { privacy as English } from '../../en/bot/privacy.ts'
import { amount } from '../amount.ts'

const days = (count: number) => amount(count, 'Tag', 'Tage')

export const privacy: typeof English = {
  title: 'Datenschutz',
  retention: 'Aufbewahrung',
  retentionHint:
    'Nach so vielen Tagen löscht der Server Daten dieses Bots. Ist ein Feld leer, bleiben die ' +
    'Daten, höchstens bis zur Grenze der Installation.',
  days,
  inDays: (kind: string) => `${kind} (Tage)`,
  limit: (count: number) => `Höchstens ${days(count)} in dieser Installation`,
  noLimit: 'Für immer behalten',
  save: 'Speichern …',
  saveTitle: 'Aufbewahrung ändern',
  saveNow: 'Speichern und löschen',
  nothing:
    'Zurzeit ist nichts älter. Der Server löscht Daten, sobald sie das Alter erreichen.',
  deletes: 'Der Server löscht jetzt, im Hintergrund:',
  inFlight:
    'Daten, die in Gebrauch sind, bleiben: ausstehende Zustellungen, offene Übergaben, laufende ' +
    'Workflows, geplante Nachrichten.',
  kinds: {
    conversations: 'Unterhaltungen',
    messages: 'Nachrichten',
    events: 'Ereignisse',
    users: 'Nutzer ohne Unterhaltungen',
    files: 'Dateien von Nutzern',
    logs: 'Logzeilen',
    traces: 'Traces',
    issues: 'Probleme',
    deadLetters: 'Fehlgeschlagene Zustellungen',
    webhookRequests: 'Aufgezeichnete Webhook-Anfragen',
    recordings: 'Aufzeichnungen von Modellaufrufen',
    tableRows: 'Tabellenzeilen von Nutzern',
  },
  hints: {
    conversations:
      'Mit Nachrichten, Ereignissen und Zuständen, nach der letzten Aktivität',
    messages: 'Nach Alter, auch in aktiven Unterhaltungen',
    events: 'Nach Alter, auch in aktiven Unterhaltungen',
    users: 'Mit ihren Zuständen, nach ihrer letzten Änderung',
    files: 'Nach ihrer letzten Änderung',
    traces:
      'Die Schritte des Bots zu jeder Nachricht, mit Messwerten und Ausführungen von Aktionen',
    issues: 'Nach ihrem letzten Ereignis',
    deadLetters: 'Ereignisse und Nachrichten, die der Server nicht zustellen konnte',
    recordings:
      'Falls der Server sie aufzeichnet, nach dem letzten Aufruf mit derselben Anfrage',
    tableRows:
      'Mit einem Nutzer in einer Spalte, die als IDs von Nutzern gekennzeichnet ist, nach ihrer ' +
      'letzten Änderung. Andere Zeilen bleiben',
  },
  redaction: {
    title: 'Schwärzung',
    hint:
      'Der Server ersetzt Treffer in neuen Daten. Speicher: Nachrichten von Personen, ' +
      'Ereignisse, Übergaben, Kommentare zum Feedback und Daten von Besuchern; auch der Bot ' +
      'erhält dann den ersetzten Text. Logs: auch Traces und Probleme. Modelle: Prompts. Braucht ' +
      'ein eigenes Muster für einen Text zu lange, ersetzt der Server den ganzen Text, und ein ' +
      'Problem nennt das Muster.',
    storageEffect:
      'Bots erhalten den ersetzten Text: Eine Frage des Bots nach solchen Daten wird dann nie ' +
      'beantwortet.',
    asksFor: (questions: string[]) =>
      `Dieser Bot fragt danach: ${questions.map((question) => `„${question}“`).join(', ')}.`,
    installation: (kinds: string[]) =>
      `Für alle Bots dieser Installation: ${kinds.join(', ')}`,
    kinds: {
      email: 'E-Mail-Adressen',
      phone: 'Telefonnummern',
      card: 'Kartennummern',
      iban: 'IBANs',
      custom: 'Eigenes Muster',
    },
    places: { storage: 'Speicher', logs: 'Logs', models: 'Modelle' },
    where: 'wo ersetzen',
    pattern: 'Muster',
    replacement: 'Ersatz',
    add: 'Muster hinzufügen',
    remove: 'Entfernen',
    try: 'Text ausprobieren',
    tryHint: 'Der Text wird nicht gespeichert.',
    show: 'Treffer anzeigen',
    noMatch: 'Keine Treffer.',
  },
  count: 'Zählen, was gelöscht würde',
  erasures: {
    title: 'Löschungen',
    hint:
      'Zu jeder Löschung der Daten einer Person gibt es einen Nachweis, den der Server signiert ' +
      'hat. Er belegt die Löschung und enthält keine personenbezogenen Daten.',
    none: 'Noch hat niemand die Daten einer Person gelöscht.',
    // Both are followed by a relative time, such as "vor 5 Min.".
    erased: 'gelöscht',
    running: 'läuft, begonnen',
    verify: 'Prüfen',
    verifyOf: (user: string) => `Nachweis prüfen: ${user}`,
    verifyFile: 'Nachweis-Datei prüfen',
    download: 'Herunterladen',
    downloadOf: (user: string) => `Nachweis herunterladen: ${user}`,
    valid: 'Gültig: Dieser Server hat den Nachweis signiert, und er ist unverändert.',
    of: (user: string) => `Gelöschte Daten von ${user}:`,
    reasons: {
      MALFORMED: 'Ungültig: Das ist kein Nachweis einer Löschung.',
      MODIFIED: 'Ungültig: Der Nachweis wurde nach dem Signieren geändert.',
      OTHER_SIGNER: 'Ungültig: Ein anderer Server hat den Nachweis signiert.',
    },
  },
  people: 'Daten einer Person',
  peopleHint:
    'Öffnen Sie einen Nutzer, um alles über diese Person zu exportieren oder zu löschen.',
  peopleReadOnly:
    'Öffnen Sie einen Nutzer, um die Daten dieser Person zu sehen. Entwickler, Manager, ' +
    'Administratoren und Inhaber des Workspace können dort alles exportieren oder löschen.',
  toUsers: 'Nutzer wählen',
  byMessage: (link: string) =>
    'Besucher haben oft keinen Namen. Über eine Nachricht, zum Beispiel mit einer E-Mail-Adresse, ' +
    `finden Sie eine Person mit „${link}“.`,
  toMessages: 'Nachrichten durchsuchen',
}
