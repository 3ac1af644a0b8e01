import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const authoring = { name: 'authoring', handlers } satisfies Feature
