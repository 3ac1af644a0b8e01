import type { deliveries as English } from '../../en/bot/deliveries.ts'
import { amount, thousands } from '../amount.ts'

const failures = (count: number) =>
  amount(count, 'fehlgeschlagene Zustellung', 'fehlgeschlagene Zustellungen')

export const deliveries: typeof English = {
  title: 'Zustellungen',
  pending: 'Ausstehend',
  scheduled: 'Geplante Ereignisse',
  scheduledMessages: 'Geplante Nachrichten',
  recurring: 'Wiederkehrend',
  failed: 'Fehlgeschlagen',
  failedHint:
    'Ereignisse, die der Bot abgelehnt hat oder nicht verarbeiten konnte, und Nachrichten, die ' +
    'ein Kanal nicht gesendet hat. Einige wiederholt der Server; die anderen bleiben hier, bis ' +
    'Sie sie erneut zustellen oder verwerfen.',
  emptyFailed: 'Nichts ist fehlgeschlagen',
  emptySearch: 'Kein Grund enthält diesen Text',
  lookElsewhere: 'Wenn jemand keine Antwort erhalten hat, sehen Sie auch hier nach:',
  elsewhere: [
    {
      path: 'conversations',
      name: 'Unterhaltungen',
      about: ': Der Trace einer Nachricht zeigt, wie sie verarbeitet wurde',
    },
    {
      path: 'issues',
      name: 'Probleme',
      about: ': Fehler von Code und Karten, auch bei beantworteten Nachrichten',
    },
    { path: 'logs', name: 'Logs', about: ': Zeilen, die der Bot geschrieben hat' },
    {
      path: 'integrations',
      name: 'Integrationen',
      about: ': ob die Kanäle verbunden sind',
    },
  ],
  retried: 'Automatische Wiederholung',
  isRetried: 'Ja',
  isRetriedNext: (time: string) => `Ja, nächste: ${time}`,
  isNotRetried: 'Nein',
  choose: (reason: string) => `Auswählen: ${reason}`,
  redeliverChosen: (count: number) => `${thousands(count)} erneut zustellen`,
  discardChosen: (count: number) => `${thousands(count)} verwerfen`,
  view: 'Liste',
  depth: (pending: number, conversations: number) =>
    `${thousands(pending)} ausstehend in ` +
    `${amount(conversations, 'Unterhaltung', 'Unterhaltungen')}`,
  oldest: (seconds: number) => `die älteste seit ${seconds} s`,
  emptyPending: 'Keine ausstehenden Zustellungen',
  emptyPendingHint: 'Der Bot hat alle Ereignisse verarbeitet.',
  emptyScheduled: 'Nichts ist geplant',
  emptyRecurring: 'Keine wiederkehrenden Ereignisse',
  emptyRecurringHint: 'Die Definition des bereitgestellten Bots deklariert keine.',
  type: 'Typ',
  kind: 'Art',
  kinds: { event: 'Ereignis', message: 'Nachricht', change: 'Änderung' },
  conversation: 'Unterhaltung',
  reason: 'Grund',
  attempts: 'Versuche',
  error: 'Letzter Fehler',
  created: 'Erstellt',
  died: 'Letzter Versuch',
  due: 'Fällig',
  nextRun: 'Nächster Lauf',
  cron: 'Zeitplan',
  name: 'Name',
  failures: 'Fehler',
  searchReason: 'Gründe durchsuchen',
  cancel: 'Abbrechen',
  canceled: 'Abgebrochen',
  redeliver: 'Erneut zustellen',
  redelivered: 'Erneut zugestellt. Der Bot hat es noch nicht verarbeitet.',
  handled: 'Erneut zugestellt. Der Bot hat es verarbeitet.',
  failedAgain: 'Wieder fehlgeschlagen',
  redeliverAll: 'Alle erneut zustellen',
  discard: 'Verwerfen',
  discarded: 'Verworfen',
  discardAll: 'Alle verwerfen',
  edit: 'Bearbeiten und erneut zustellen',
  payload: 'Inhalt',
  attemptsOf: (numbers: number[]) =>
    numbers.length === 1 ? `Versuch ${numbers[0]}` : `Versuche ${numbers.join(', ')}`,
  toConversation: 'Unterhaltung öffnen',
  trace: 'Trace',
  dialog: 'Fehlgeschlagene Zustellung',
  redeliverQuestion: (count: number) => `${failures(count)} wiederholen?`,
  discardQuestion: (count: number) => `${failures(count)} verwerfen?`,
  redeliverAllQuestion:
    'Alles in dieser Liste erneut zustellen, was der Server nicht selbst wiederholt?',
  discardAllQuestion:
    'Alles in dieser Liste verwerfen, was der Server nicht selbst wiederholt?',
  redeliveredMany: (count: number) => `Erneut zugestellt: ${thousands(count)}`,
  discardedMany: (count: number) => `Verworfen: ${thousands(count)}`,
  manyHint:
    'Es gilt der Filter der Liste. Sie können jederzeit anhalten und später weitermachen.',
  stop: 'Anhalten',
}
