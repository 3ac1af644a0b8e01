import { inLanguage } from '../in-language.ts'
import { amount } from './amount.ts'

export const search = inLanguage('search', {
  title: 'Find',
  label: 'Find pages, bots, users and conversations',
  labelOfWorkspace: 'Find pages and bots',
  findBot: 'Find a bot',
  keys: '↑ ↓ choose, Enter opens, Escape closes',
  searching: 'Searching …',
  found: (count: number) => (count === 0 ? 'Nothing found' : amount(count, 'result')),
  pages: 'Pages',
  workspace: 'Workspace',
  knowledge: {
    websites: 'Websites',
    answers: 'Answers',
    unanswered: 'Unanswered',
    search: 'Try a question',
    checks: 'Check',
  },
})
