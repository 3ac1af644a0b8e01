import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const tableTools: Feature = { name: 'table-tools', handlers }
export { openWorkbooks } from './files/workbooks.ts'
export { createRowViews } from './row-views.ts'
export type { TableToolServices } from './services.ts'
export { toWorks } from './works.ts'
