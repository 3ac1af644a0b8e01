// Owns the table interface: versions of interfaces, which integrations implement and plugins depend
// on.
import type { InterfaceChange, NewInterface } from '@botstead/contract'
import { sql } from 'kysely'
import type { Limits } from '../../config/index.ts'
import type { Db } from '../../db/index.ts'
import { rejectBreaking } from '../packages/definitions.ts'
import {
  changePackage,
  deletePackage,
  lockPackage,
  publishPackage,
} from '../packages/publishing.ts'
import { olderVisibility, reachable } from '../packages/versions.ts'
import {
  checkInterface,
  emptyInterface,
  type InterfaceDefinition,
  interfaceParts,
  mergeInterface,
} from './definition.ts'

/** Requires a transaction. Returns the id. */
export async function createInterface(
  db: Db,
  limits: Limits,
  workspaceId: string,
  input: NewInterface,
): Promise<string> {
  const definition = mergeInterface(emptyInterface, input)
  await checkInterface(limits, workspaceId, definition)
  return publishPackage(db, limits, 'interface', workspaceId, {
    ...input,
    visibility: olderVisibility('private', input.public),
    definition,
  })
}

/**
 * Returns whether a package refers to the interface; `but` excludes a workspace. Other modules know
 * the references.
 */
export type IsUsed = (db: Db, id: string, but: string | null) => Promise<boolean>

/**
 * Requires a transaction. `replaces` removes everything that the change lacks. Throws
 * ResourceNotFound, BreakingChanges, ReferenceConstraint.
 */
export async function updateInterface(
  db: Db,
  limits: Limits,
  workspaceId: string,
  id: string,
  change: InterfaceChange,
  isUsed: IsUsed,
  replaces = false,
): Promise<void> {
  const now = await lockPackage<InterfaceDefinition>(db, 'interface', workspaceId, id)
  const definition = mergeInterface(replaces ? emptyInterface : now.definition, change)
  await checkInterface(limits, workspaceId, definition)
  rejectBreaking(
    now.visibility,
    interfaceParts(now.definition),
    interfaceParts(definition),
  )
  const next = {
    ...change,
    visibility: olderVisibility(now.visibility, change.public),
    definition,
  }
  await changePackage(db, 'interface', now, next, (db) => isUsed(db, id, workspaceId))
}

/** Requires a transaction. Throws ResourceNotFound, ReferenceConstraint. */
export const deleteInterface = (
  db: Db,
  workspaceId: string,
  id: string,
  isUsed: IsUsed,
) => deletePackage(db, 'interface', workspaceId, id, (db) => isUsed(db, id, null))

/**
 * Returns the interfaces visible to a workspace: its own and public ones. Locks them until the end
 * of the transaction.
 */
export async function findInterfaceVersions(
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<Map<string, { name: string; version: string }>> {
  const { rows } = await sql<{ id: string; name: string; version: string }>`
    select p.id, p.name, p.version from interface p where p.id = any(${ids})
      and (${reachable({ workspaceId })} or ${reachable('hub')}) for key share`.execute(
    db,
  )
  return new Map(rows.map(({ id, ...named }) => [id, named]))
}
