import type { issues as English } from '../../en/bot/issues.ts'
import { amount } from '../amount.ts'

export const issues: typeof English = {
  title: 'Probleme',
  status: 'Status',
  statuses: { open: 'Offen', resolved: 'Gelöst', muted: 'Ignoriert' },
  empty: 'Keine Probleme',
  emptyHint: 'Hier erscheinen Fehler des Bots, ein Problem für jede Ursache.',
  issue: 'Problem',
  count: 'Vorfälle',
  seen: 'Zuletzt',
  first: 'Zuerst',
  resolve: 'Als gelöst markieren',
  mute: 'Ignorieren',
  reopen: 'Wieder öffnen',
  changed: (status: string) => `Das Problem ist jetzt „${status}“`,
  occurrences: 'Letzte Vorfälle',
  resolvedByRedelivery:
    'Vom Server als gelöst markiert: Alle Ereignisse wurden erneut zugestellt und verarbeitet.',
  resolveHint:
    'Ein gelöstes Problem öffnet sich wieder, wenn es auftritt. Ein ignoriertes bleibt ignoriert.',
  /** By the code of an issue. */
  explanations: {
    event_refused:
      'Der Bot hat auf ein Ereignis mit einem Status von 400 bis 499 geantwortet, deshalb ' +
      'versucht es der Server nicht erneut. So antworten Bots mit `@botpress/sdk`, wenn ihr ' +
      'Handler einen Fehler wirft. Beheben Sie die Ursache, und stellen Sie dann das Ereignis ' +
      'auf der Seite „Zustellungen“ erneut zu.',
    register_failed:
      'Nach jeder Bereitstellung ruft der Server den Handler des Bots mit der Operation ' +
      '`register` auf, damit sich der Bot vorbereiten kann. Dieser Aufruf ist fehlgeschlagen.',
    integration_not_registered:
      'Nach einer Installation, einer neuen Konfiguration oder einer Bereitstellung ruft der ' +
      'Server den Handler der Integration mit der Operation `register` auf, damit sich die ' +
      'Integration vorbereiten kann, zum Beispiel ihren Webhook einrichten. Dieser Aufruf ist ' +
      'fehlgeschlagen.',
  } as Record<string, string>,
  trace: 'Trace',
  logged: 'Fehler im Log des letzten Vorfalls',
  conversation: 'Unterhaltung',
  user: 'Nutzer',
  stale: 'vor der letzten Bereitstellung',
  staleHint: (deployedAt: string) =>
    `Einige Probleme sind seit der Bereitstellung vom ${deployedAt} nicht aufgetreten.`,
  resolveStale: 'Als gelöst markieren',
  resolveStaleHint: 'Tritt ein Problem wieder auf, öffnet es sich wieder.',
  resolvedStale: (count: number) => amount(count, 'Problem gelöst', 'Probleme gelöst'),
}
