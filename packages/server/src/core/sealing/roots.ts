// Exports sealed root keys, so that a restore can check which master key opens a backup before
// using it.
import { type Database, statement } from '../db/index.ts'
import { openRoot } from './keyring.ts'

export interface SealedRoot {
  master: string
  /** Base64. */
  wrapped: string
}

const listRootKeysStatement = statement(
  'list-root-keys',
  'select master, wrapped from root_key order by created_at',
)

async function listRoots(database: Pick<Database, 'run'>): Promise<SealedRoot[]> {
  const rows = await database.run<{ master: string; wrapped: Buffer }>(
    ...listRootKeysStatement({}),
  )
  return rows.map(({ master, wrapped }) => ({
    master,
    wrapped: wrapped.toString('base64'),
  }))
}

function opensAny(roots: SealedRoot[], master: Buffer): boolean {
  try {
    return roots.some(
      (root) =>
        openRoot(master, {
          master: root.master,
          wrapped: Buffer.from(root.wrapped, 'base64'),
        }) !== null,
    )
  } catch {
    return false // sealed under this key's name, but not with this key
  }
}

/** Root keys, each sealed by a master key. */
export const sealedRoots = {
  list: listRoots,
  isOpenedByAny: opensAny,
}
