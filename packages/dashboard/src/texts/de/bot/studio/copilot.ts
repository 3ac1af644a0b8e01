import type { copilot as English } from '../../../en/bot/studio/copilot.ts'
import { amount, thousands } from '../../amount.ts'

export const copilot: typeof English = {
  title: 'Copilot',
  close: 'Copilot schließen',
  noModel: 'Für den Copilot gibt es kein Sprachmodell',
  noModelHint:
    'Richten Sie eines in den Server-Einstellungen unter „Sprachmodell“ ein, oder bitten Sie den ' +
    'Betreiber dieses Servers darum.',
  toSettings: 'Server-Einstellungen',
  request: 'Was soll der Bot tun?',
  requestHint:
    'Beschreiben Sie einen neuen Bot oder eine Änderung, oder stellen Sie eine Frage zu diesem ' +
    'Bot.',
  send: 'Senden',
  suggestions: 'Vorschläge',
  explainFlow: 'Diesen Ablauf erklären',
  writeTests: 'Tests schreiben',
  whyFailed: 'Warum ging das schief?',
  explainRequest: (flow: string) => `Erkläre den Ablauf ${flow} in wenigen Sätzen.`,
  testsRequest: (flow: string) => `Schreibe Tests für den Ablauf ${flow}.`,
  failedRequest: 'Warum hat der Bot in dieser Unterhaltung falsch geantwortet: ',
  today: (dollars: string, maxDollars: string, tokens: number, maxTokens: number) =>
    `Heute: ${dollars} von ${maxDollars}, ${thousands(tokens)} von ${thousands(maxTokens)} Tokens`,
  cost: (dollars: string, tokens: number) =>
    `${dollars}, ${amount(tokens, 'Token', 'Tokens')}`,
  states: {
    running: 'Arbeitet …',
    done: 'Fertig',
    stopped: 'Angehalten',
    failed: 'Fehlgeschlagen',
  },
  stop: 'Anhalten',
  steps: 'Schritte',
  tools: {
    read_schema: 'Liest das Format',
    list_examples: 'Sucht Beispiele',
    read_example: 'Liest ein Beispiel',
    read_draft: 'Liest den Entwurf',
    list_names: 'Sucht Namen',
    edit_draft: 'Bearbeitet eine Kopie',
    check_document: 'Prüft die Kopie',
    run_tests: 'Führt die Tests aus',
    read_trace: 'Liest eine Unterhaltung',
    verify: 'Prüft und testet das Ergebnis',
  } as Record<string, string>,
  changes: 'Das würde sich ändern:',
  passed: (count: number) =>
    `Die Prüfung findet keine Fehler; ${amount(count, 'Test', 'Tests')} bestanden.`,
  apply: 'Übernehmen',
  applied: 'Die Änderungen sind im Entwurf. „Rückgängig“ nimmt sie zurück.',
  nothingToApply: 'Der Entwurf enthält diese Änderungen schon',
  earlier: 'Frühere Anfragen',
}
