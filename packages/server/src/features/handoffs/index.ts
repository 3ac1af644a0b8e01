import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const handoffs = { name: 'handoffs', handlers } satisfies Feature
export { conversationNotes } from './api/platform/conversation-notes.ts'
export { addHandoffHooks } from './handoff-hooks.ts'
export { countHandoffs } from './handoff-listing.ts'
export { announceHandoffs, isHandedOver, listMembers } from './handoffs.ts'
export { tables } from './table-rules.ts'
