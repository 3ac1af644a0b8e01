// The headings of archives, and their validation.
import { Ajv, type ErrorObject } from 'ajv'
import type { InstallationHeading } from '../backups/backup.ts'
import { ArchiveError } from './archive-error.ts'
import type { ArchiveHeading } from './container.ts'
import type { PassphraseLock } from './passphrase.ts'

export interface WorkspaceHeading extends ArchiveHeading {
  format: 'botstead workspace'
  workspace: { id: string; name: string }
  /** The newest migration of the source database. */
  schema: number
  /** The encryption of the secrets; absent if they were omitted. */
  locked?: PassphraseLock
  /** Table name → columns of its rows. */
  tables: Record<string, string[]>
  /** Packages of other workspaces that it uses. */
  needs: Need[]
}
export interface ChangesHeading extends ArchiveHeading {
  format: 'botstead changes'
  workspace: { id: string; name: string }
  schema: number
  locked: PassphraseLock
  /** Table name → columns of its rows. */
  tables: Record<string, string[]>
}
export interface Need {
  kind: 'integration' | 'interface' | 'plugin'
  id: string
  name: string
  version: string
}

const text = { type: 'string', minLength: 1, maxLength: 1000 }
const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const integer = { type: 'integer', minimum: 1 }
const tables = {
  type: 'object',
  additionalProperties: { type: 'array', minItems: 1, items: text, uniqueItems: true },
}
const workspaceSchema = {
  ...object({
    format: text,
    madeAt: text,
    version: text,
    schema: integer,
    workspace: object({ id: text, name: { type: 'string' } }),
    tables,
    locked: object({ salt: text, check: text }),
    needs: {
      type: 'array',
      items: object({
        kind: { enum: ['integration', 'interface', 'plugin'] },
        id: text,
        name: text,
        version: text,
      }),
    },
  }),
  required: ['format', 'madeAt', 'version', 'schema', 'workspace', 'tables', 'needs'],
}
const { needs: _, ...ofChanges } = workspaceSchema.properties
const changesSchema = object(ofChanges)
const installationSchema = object({
  format: text,
  madeAt: text,
  version: text,
  tables,
  files: { type: 'array', items: text },
  migrations: {
    type: 'array',
    minItems: 1,
    items: object({ number: integer, name: text, checksum: text }),
  },
  roots: { type: 'array', items: object({ master: text, wrapped: text }) },
})

const ajv = new Ajv()
const isWorkspace = ajv.compile<WorkspaceHeading>(workspaceSchema)
const isChanges = ajv.compile<ChangesHeading>(changesSchema)
const isInstallation = ajv.compile<InstallationHeading>(installationSchema)

/** Throws ArchiveError. */
export function checkWorkspaceHeading(heading: unknown): WorkspaceHeading {
  if (isWorkspace(heading)) return heading
  throw wrong(isWorkspace.errors)
}

/** Throws ArchiveError. */
export function checkChangesHeading(heading: unknown): ChangesHeading {
  if (isChanges(heading)) return heading
  throw wrong(isChanges.errors)
}

/** Throws ArchiveError. */
export function checkInstallationHeading(heading: unknown): InstallationHeading {
  if (isInstallation(heading)) return heading
  throw wrong(isInstallation.errors)
}

const wrong = (errors: ErrorObject[] | null | undefined) =>
  new ArchiveError(
    `Invalid archive heading: ${errors?.[0]?.instancePath || '/'} ${errors?.[0]?.message}`,
  )
