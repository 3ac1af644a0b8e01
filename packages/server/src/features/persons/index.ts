import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const persons = { name: 'persons', handlers } satisfies Feature
export { noteAddresses } from './automatic.ts'
export { splitUser } from './merging.ts'
export { addPersonHooks } from './signed-users.ts'
export { tables } from './table-rules.ts'
