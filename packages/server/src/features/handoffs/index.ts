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
export { conversationNotes } from './api/platform/conversation-notes.ts'
export { countHandoffs } from './handoff-listing.ts'
export { announceHandoffs, isHandedOver, listMembers } from './handoffs.ts'
