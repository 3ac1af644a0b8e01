import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { addPersonHooks } from './signed-users.ts'
import { tables } from './table-rules.ts'

export const persons = {
  name: 'persons',
  tables,
  handlers,
  hooks: addPersonHooks,
} satisfies Feature
export { noteAddresses } from './automatic.ts'
export { splitUser } from './merging.ts'
