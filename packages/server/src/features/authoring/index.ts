import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const authoring = { name: 'authoring', handlers } satisfies Feature
export type { DraftSource, DraftState, DraftText } from './draft-source.ts'
export { checkText } from './tools/draft-tools.ts'
export { guide } from './tools/guide.ts'
export { type AuthoringTool, type ToolContext, toInputSchema } from './tools/tool.ts'
export { authoringTools } from './tools/tools.ts'
