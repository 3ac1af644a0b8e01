import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { refillWords } from './search/word-refill.ts'

export const knowledge: Feature = {
  name: 'knowledge',
  handlers,
  tasks: ({ db }) => [{ everyMs: 5_000, run: () => refillWords(db) }],
}
