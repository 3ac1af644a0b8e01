import type { bot as English } from '../../en/bot/bot.ts'
import { amount, thousands } from '../amount.ts'

export const bot: typeof English = {
  range: 'Zeitraum',
  newUsers: 'Neue Nutzer',
  returning: (count: number) =>
    `${thousands(count)} wiederkehrend. Mitglieder sind nicht mitgezählt`,
  sessions: 'Sitzungen',
  sessionsHint: 'Mitglieder sind mitgezählt',
  messages: 'Nachrichten',
  split: (user: number, bot: number) =>
    `${thousands(user)} empfangen, ${thousands(bot)} gesendet. Mitglieder sind mitgezählt`,
  failures: 'Fehlgeschlagen',
  failuresHint:
    'Ereignisse und Nachrichten dieses Zeitraums, die fehlschlugen und nicht erneut zugestellt ' +
    'wurden',
  cost: 'Kosten der Modelle',
  calls: (count: number) => `${amount(count, 'Aufruf', 'Aufrufe')}, in US-Dollar`,
  perDay: 'Nachrichten pro Tag',
  received: 'Empfangen',
  sent: 'Gesendet',
  noMessages: 'Keine Nachrichten in diesem Zeitraum',
  issues: 'Offene Probleme',
  noIssues: 'Keine offenen Probleme',
  occurrences: (count: number) => (count === 1 ? 'einmal' : `${thousands(count)}-mal`),
  deployment: 'Bereitstellung',
  deployedAt: 'Bereitgestellt',
  loadError: 'Der Code lässt sich nicht laden',
  notDeployed: 'Dieser Bot hat noch keinen Code',
  notDeployedHint: (page: string) =>
    `Stellen Sie auf der Seite ${page} Dateien oder eine Version bereit.`,
  notDeployedViewer: (page: string) =>
    `Ein Mitglied, das den Bot ändern darf, kann auf der Seite ${page} Code bereitstellen.`,
  atUrl: 'Dieser Bot läuft unter einer URL.',
  allIssues: 'Alle Probleme',
  allVersions: 'Alle Versionen',
  deployments: 'Bereitstellungen',
  noVersions: 'Noch keine Versionen',
  isRunning: 'läuft',
  handoffs: {
    title: 'Übergaben',
    inbox: 'Posteingang',
    firstAnswer: 'Bis zur ersten Antwort eines Menschen',
    solution: 'Bis zur Lösung',
    return: 'Bis der Bot weitermachte',
    none: 'keine',
    within: (duration: string, count: number) =>
      `Median von ${thousands(count)}; 95\u00a0% innerhalb von ${duration}`,
  },
}
