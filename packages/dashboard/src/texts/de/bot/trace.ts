import type { ModelCall } from '@botstead/contract'
import type { trace as English } from '../../en/bot/trace.ts'
import { amount, decimal, thousands } from '../amount.ts'

type ModelUse = Pick<ModelCall, 'inputTokens' | 'outputTokens' | 'cost' | 'cached'>

export const trace: typeof English = {
  title: 'Trace',
  none: 'Kein Ereignis eines Nutzers hat diese Nachricht ausgelöst.',
  event: 'Ereignis',
  statuses: {
    pending: 'ausstehend',
    processed: 'verarbeitet',
    ignored: 'ignoriert',
    failed: 'fehlgeschlagen',
    scheduled: 'geplant',
    canceled: 'abgebrochen',
  },
  status: 'Status',
  run: (attempts: number, ms: number) =>
    attempts === 1 ? `In ${ms} ms verarbeitet` : `Versuch ${attempts} dauerte ${ms} ms`,
  pending: 'Noch nicht verarbeitet',
  failedAttempts: 'Fehlgeschlagene Versuche',
  attempt: (number: number) => `Versuch ${number}`,
  attemptFailed: (number: number) => `Versuch ${number} fehlgeschlagen`,
  earlier: 'Vor der erneuten Zustellung',
  answeredBy: (number: number | undefined, name: string) =>
    `Verarbeitet von Version ${number === undefined ? name : `#${number} ${name}`}`,
  levels: { debug: 'Debug', info: 'Log', warn: 'Warnung', error: 'Fehler' } as Record<
    string,
    string
  >,
  innerFrames: (count: number) =>
    amount(count, 'Zeile aus Server und Node', 'Zeilen aus Server und Node'),
  hookFailed: 'Ein Hook ist fehlgeschlagen',
  codeFailed: 'Code ist fehlgeschlagen',
  timeline: 'Zeitachse',
  timelineEmpty: 'Der Code hat nichts aufgerufen und keine Nachricht gesendet.',
  kinds: {
    call: 'Aufruf',
    change: 'Zustand',
    action: 'Aktion',
    model: 'Modell',
    message: 'Gesendet',
    event: 'Ereignis',
  },
  failed: (status: number) => `fehlgeschlagen mit ${status}`,
  change: (from: string, to: string) => `${from} → ${to}`,
  noValue: 'nichts',
  cached: 'aus dem Cache',
  modelUse: ({ inputTokens, outputTokens, cost, cached }: ModelUse) =>
    `${inputTokens} + ${outputTokens} Tokens, ` +
    `${decimal(Number(cost.toPrecision(3)))}\u00a0$${cached ? ', aus dem Cache' : ''}`,
  steps: 'Schritte',
  calls: 'Aufrufe',
  models: 'Modelle',
  messages: 'Nachrichten',
  events: 'Ereignisse',
  logs: 'Logzeilen',
  logsOf: (attempt: number) => `Logzeilen von Versuch ${attempt}`,
  errors: 'Fehler',
  error: 'Fehler',
  ms: (ms: number) => `${thousands(ms)} ms`,
  at: (at: number, ms?: number) =>
    ms === undefined
      ? `bei ${thousands(at)} ms`
      : `bei ${thousands(at)} ms, Dauer ${thousands(ms)} ms`,
  stepNames: {
    node: 'Knoten',
    card: 'Karte',
    hook: 'Hook',
    said: 'Gesendet',
    heard: 'Antwort',
    call: 'Aufruf',
    model: 'Modell',
    tool: 'Werkzeug',
    set: 'Variable',
    note: 'Hinweis',
  } as Record<string, string>,
  json: 'Trace als JSON',
  details: 'Details für Programmierer',
  /** Events, types of messages and hooks. Other names are written as words. */
  names: {
    message_created: 'Nachricht empfangen',
    message_updated: 'Nachricht geändert',
    message_deleted: 'Nachricht gelöscht',
    conversation_started: 'Unterhaltung begonnen',
    participant_added: 'Teilnehmer hinzugefügt',
    state_expired: 'Zustand abgelaufen',
    child_workflow_finished: 'Teil eines Workflows beendet',
  } as Record<string, string>,
  /** Of a user, to the question of a card. */
  answers: {
    captured: 'Als Antwort auf die Frage angenommen',
    again: 'Keine Antwort auf die Frage. Der Bot hat noch einmal gefragt',
    failed: 'Keine Antwort auf die Frage. Der Ablauf ging weiter',
    cancelled: 'Der Nutzer hat abgebrochen',
  } as Record<string, string>,
  curatedAnswer: 'Gesendet: Ihre Antwort auf',
  found: 'Gefundene Textstellen',
  explainSearch: 'Diese Suche erklären',
  noPassages: 'Keine Textstellen gefunden.',
  nonePassed: (score: string, minScore: number) =>
    'Keine Textstelle hat die Mindestrelevanz ihrer Wissensdatenbank erreicht. Die beste hat ' +
    `${decimal(score)}; nötig ist ${decimal(minScore)}.`,
  passage: (
    name: string,
    page: number | undefined,
    score: string,
    minScore: number | null,
  ) => {
    const place = page === undefined ? name : `${name}, Seite ${page}`
    const low =
      minScore === null ? '' : `, unter dem Minimum ${decimal(minScore)}: nicht verwendet`
    return `${place} (Relevanz ${decimal(score)}${low})`
  },
  left: (count: number) => amount(count, 'weiterer Schritt', 'weitere Schritte'),
}
