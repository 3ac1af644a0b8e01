import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { openRedactions } from './redaction-rules.ts'
import { startPrivacy } from './start.ts'
import { tables } from './table-rules.ts'

export const privacy = {
  name: 'privacy',
  tables,
  handlers,
  open: openRedactions,
  start: startPrivacy,
} satisfies Feature
