import type { personalData as English } from '../../en/bot/personal-data.ts'
import { amount } from '../amount.ts'

export const personalData: typeof English = {
  title: 'Personenbezogene Daten',
  hint:
    'Alles, was der Server über diese Person speichert. Hier löschen Sie auch Logs, Traces und ' +
    'Tabellenzeilen, die bei „Nutzer löschen“ bleiben.',
  export: 'Daten exportieren',
  erase: 'Alle Daten löschen …',
  eraseTitle: 'Alle Daten dieser Person löschen',
  eraseNow: 'Endgültig löschen',
  eraseHint:
    'Löscht überall, was unten steht, und auch, was während der Löschung ankommt. Nachrichten ' +
    'anderer in Unterhaltungen mit mehreren Personen bleiben. Das lässt sich nicht rückgängig ' +
    'machen.',
  confirmation: 'löschen',
  wholePerson: (count: number) =>
    `Auch ${amount(count, 'anderer Nutzer', 'andere Nutzer')} derselben Person`,
  wholePersonHint: 'Sonst wird dieser Nutzer zuerst davon getrennt.',
  unsearchedTables:
    'Nicht durchsucht, weil in diesen Tabellen keine Spalte als IDs von Nutzern gekennzeichnet ' +
    'ist. Kennzeichnen Sie eine im Menü der Spalte, oder prüfen Sie die Zeilen selbst:',
  backups: 'Diese Backups enthalten die Person noch:',
  erasing: 'Daten werden gelöscht …',
  erasingHint: 'Der Server macht weiter, auch wenn Sie diese Seite verlassen.',
  erased: 'Die Daten wurden gelöscht',
  erasedHint:
    'Bewahren Sie den Nachweis auf: Er belegt die Löschung, und mit ihm lässt sie sich ' +
    'wiederholen, nachdem ein Backup wiederhergestellt wurde. Alle Nachweise finden und prüfen ' +
    'Sie auf der Seite „Datenschutz“.',
  returns:
    'Schreibt die Person dem Bot wieder, legt der Server einen neuen Nutzer an, ohne die ' +
    'gelöschten Daten.',
  download: 'Nachweis herunterladen',
  kinds: {
    addresses: 'Adressen',
    recordings: 'Aufzeichnungen von Modellaufrufen',
    traces: 'Traces',
    deliveryAttempts: 'Fehlgeschlagene Zustellversuche',
    deadLetters: 'Fehlgeschlagene Zustellungen',
    actionRuns: 'Ausführungen von Aktionen',
    logs: 'Logzeilen',
    observations:
      'Traces von Abläufen mit ihren Texten, und Messwerte aus dem Code des Bots',
    issueEvents: 'Ereignisse von Problemen',
    issues: 'Probleme ohne Ereignisse anderer Personen',
    modelCalls: 'Modellaufrufe',
    notifications: 'Benachrichtigungen von Integrationen',
    webhookRequests: 'Aufgezeichnete Webhook-Anfragen der Integration',
    storedResponses: 'Antworten, die für wiederholte Anfragen aufbewahrt sind',
    rateCounters: 'Zähler von Anfragelimits',
    feedback: 'Feedback',
    notes: 'Notizen',
    handoffs: 'Übergaben',
    broadcasts: 'Empfänger von Rundnachrichten',
    optOuts: 'Abmeldungen von Rundnachrichten',
    scheduledMessages: 'Geplante Nachrichten',
    states: 'Zustände',
    workflows: 'Workflows',
    files: 'Dateien',
    tableRows: 'Tabellenzeilen',
    signals: 'Anzeigen in Chats, zum Beispiel „schreibt …“',
    events: 'Ereignisse',
    messages: 'Nachrichten',
    conversations: 'Unterhaltungen ohne andere Personen',
    users: 'Nutzer',
  },
}
