import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { rejectMcpStreams } from './api/mcp/messages.ts'

export const mcp: Feature = { name: 'mcp', handlers, routes: rejectMcpStreams }
