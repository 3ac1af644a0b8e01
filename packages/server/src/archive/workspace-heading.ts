// What the archive of a workspace says of itself before anything else, and whether it can be that.
import { Ajv } from 'ajv'
import { ArchiveError } from './archive-error.ts'
import type { Heading } from './container.ts'
import type { Locked } from './passphrase.ts'

export interface WorkspaceHeading extends Heading {
  format: 'botstead workspace'
  workspace: { id: string; name: string }
  /** The newest migration of the database that it comes from. */
  schema: number
  /** With them, how they are locked; without, they were left out. */
  locked?: Locked
  /** Each with the columns that its rows have. */
  tables: Record<string, string[]>
  /** Packages of other workspaces that it uses. */
  needs: Need[]
}
export interface Need {
  kind: 'integration' | 'interface' | 'plugin'
  id: string
  name: string
  version: string
}

const text = { type: 'string', minLength: 1, maxLength: 1000 }
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({ type: 'object', properties, required })
const schema = {
  ...object({
    ...{ format: text, madeAt: text, version: text, schema: { type: 'integer', minimum: 1 }, workspace: object({ id: text, name: { type: 'string' } }) },
    locked: object({ salt: text, check: text }),
    tables: { type: 'object', additionalProperties: { type: 'array', minItems: 1, items: text, uniqueItems: true } },
    needs: { type: 'array', items: object({ kind: { enum: ['integration', 'interface', 'plugin'] }, id: text, name: text, version: text }) },
  }),
  required: ['format', 'madeAt', 'version', 'schema', 'workspace', 'tables', 'needs'],
}
const isHeading = new Ajv({ allowUnionTypes: true }).compile<WorkspaceHeading>(schema)

/** Throws ArchiveError. */
export function checkWorkspaceHeading(heading: unknown): WorkspaceHeading {
  if (isHeading(heading)) return heading
  throw new ArchiveError(`The archive's heading is not right: ${isHeading.errors?.[0]?.instancePath || 'it'} ${isHeading.errors?.[0]?.message}`)
}
