import type { search as English } from '../en/search.ts'
import { amount } from './amount.ts'

export const search: typeof English = {
  title: 'Suchen',
  label: 'Seiten, Bots, Nutzer und Unterhaltungen suchen',
  labelOfWorkspace: 'Seiten und Bots suchen',
  findBot: 'Bot suchen',
  keys: '↑ ↓ wählt aus, Enter öffnet, Esc schließt',
  searching: 'Suche läuft …',
  found: (count: number) =>
    count === 0 ? 'Nichts gefunden' : amount(count, 'Ergebnis', 'Ergebnisse'),
  pages: 'Seiten',
  workspace: 'Workspace',
  knowledge: {
    websites: 'Websites',
    answers: 'Antworten',
    unanswered: 'Unbeantwortet',
    search: 'Frage ausprobieren',
    checks: 'Prüfung',
  },
}
