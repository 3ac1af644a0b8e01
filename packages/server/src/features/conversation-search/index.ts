import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const conversationSearch: Feature = { name: 'conversation-search', handlers }
