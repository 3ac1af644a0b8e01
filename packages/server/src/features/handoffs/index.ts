import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { addHandoffHooks } from './handoff-hooks.ts'
import { tables } from './table-rules.ts'

export const handoffs = {
  name: 'handoffs',
  tables,
  handlers,
  deliveryHooks: addHandoffHooks,
} satisfies Feature
export { announceHandoffs } from './handoffs.ts'
