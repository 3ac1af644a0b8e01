// Built packages: versions of integrations and interfaces as bundles move them between installations.
// They are complete and have no ids of this server, so that two of them can be compared.
import type { BuiltIntegration, BuiltInterface } from '@botstead/contract'
import { toTextInSlices } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import {
  emptyIntegrationDefinition,
  type IntegrationDefinition,
  mergeIntegrationDefinition,
} from '../integrations/definition.ts'
import { findIntegrationCode } from '../integrations/integration-code.ts'
import type { FoundIntegration } from '../integrations/integrations.ts'
import type { InterfaceDefinition } from '../interfaces/definition.ts'
import { findAsset } from '../packages/assets.ts'
import { findPackages, type Package } from '../packages/heads.ts'

type WithoutSecrets = Omit<BuiltIntegration, 'secretNames'>

export const toBuiltInterface = ({
  definition,
  title,
  ...presentation
}: Presented & { definition: InterfaceDefinition }): BuiltInterface => ({
  ...presentation,
  ...(title && { title }),
  ...definition,
})

export const toBuiltIntegration = ({
  definition,
  title,
  sdkVersion,
  maxExecutionTime,
  ...presentation
}: Presented & {
  definition: IntegrationDefinition
  attributes: Record<string, string>
  layers: string[]
  sdkVersion: string | null | undefined
  maxExecutionTime: number | null | undefined
}): WithoutSecrets => ({
  ...presentation,
  ...(title && { title }),
  ...(sdkVersion && { sdkVersion }),
  ...(maxExecutionTime && { maxExecutionTime }),
  ...definition,
  interfaces: Object.fromEntries(
    Object.entries(definition.interfaces).map(([key, { id: _, ...named }]) => [
      key,
      named,
    ]),
  ),
})

interface Presented {
  name: string
  version: string
  title: string | null | undefined
  description: string
  /** Base64. */
  icon: string
  readme: string
}

export async function exportInterface(
  db: Db,
  row: Package<InterfaceDefinition>,
): Promise<BuiltInterface> {
  const { name, version, title, description, definition } = row
  const [icon, readme] = await readAssets(db, row.icon_id, row.readme_id)
  return toBuiltInterface({ name, version, title, description, icon, readme, definition })
}

export async function exportIntegration(
  db: Db,
  row: FoundIntegration,
): Promise<WithoutSecrets> {
  const [icon, readme] = await readAssets(db, row.iconId, row.readme_id)
  const { name, version, title, description, attributes, layers } = row
  // Rows of earlier versions lack parts.
  const definition = mergeIntegrationDefinition(
    emptyIntegrationDefinition,
    row.definition,
  )
  return toBuiltIntegration({
    name,
    version,
    title,
    description,
    icon,
    readme,
    definition,
    attributes,
    layers,
    sdkVersion: row.sdk_version,
    maxExecutionTime: row.max_execution_seconds,
  })
}

/** Returns the integration with its code, and the interfaces that it implements. */
export async function exportWithInterfaces(db: Db, row: FoundIntegration) {
  const ids = Object.values(row.definition.interfaces ?? {}).map(({ id }) => id)
  const found = ids.length
    ? await findPackages<InterfaceDefinition>(db, 'interface', sql`p.id = any(${ids})`)
    : []
  const code = await findIntegrationCode(db, row.id)
  return {
    integration: { ...(await exportIntegration(db, row)), secretNames: row.secretNames },
    code: code && (await toTextInSlices(code)),
    interfaces: await Promise.all(found.map((one) => exportInterface(db, one))),
  }
}

const readAssets = (db: Db, ...ids: [string | null, string | null]) =>
  Promise.all(
    ids.map(async (id) => (id === null ? '' : await readAsset(db, id))),
  ) as Promise<[string, string]>

const readAsset = async (db: Db, id: string) =>
  (await findAsset(db, id))?.content.toString('base64') ?? ''

/** Compares in the database, which ignores the order of keys, and not in the main thread. */
export async function isSameContent(
  db: Db,
  one: object,
  other: object,
): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select ${JSON.stringify(one)}::jsonb = ${JSON.stringify(other)}::jsonb as same`.execute(
    db,
  )
  return rows[0]!.same
}
