import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const conversationSearch = { name: 'conversation-search', handlers } satisfies Feature
