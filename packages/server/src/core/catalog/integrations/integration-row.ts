import type { Selectable } from 'kysely'
import type { Schema } from '../../db/index.ts'
import type { IntegrationDefinition } from './definition.ts'

/** A row of the table integration: one version. */
export type Integration = Omit<Selectable<Schema['integration']>, 'definition'> & {
  definition: IntegrationDefinition
}
