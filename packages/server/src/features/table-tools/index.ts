import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const tableTools = { name: 'table-tools', handlers } satisfies Feature
export { csvLine, withoutFormula } from './files/csv.ts'
export { openWorkbooks } from './files/workbooks.ts'
export { createRowViews } from './row-views.ts'
export { type TableToolServices, tableToolBindings } from './services.ts'
export { toWorks } from './works.ts'
