import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const handoffs: Feature = { name: 'handoffs', handlers }
export { conversationNotes } from './api/platform/conversation-notes.ts'
export { addHandoffHooks } from './handoff-hooks.ts'
export { countHandoffs } from './handoff-listing.ts'
export { announceHandoffs, isHandedOver } from './handoffs.ts'
export { tables } from './table-rules.ts'
