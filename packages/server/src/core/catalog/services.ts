// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'

/** What features do with integrations, see messaging/hooks.ts. */
export interface CatalogHooks {
  /** Returns warnings of the scripts in a definition of an integration. Throws InvalidPayload. */
  checkScripts: ((workspaceId: string, definition: object) => Promise<string[]>)[]
}

export interface CatalogServices {
  hooks: CatalogHooks
}

export const bindings = { hooks: 'unchanged' } satisfies Bindings<CatalogServices>
