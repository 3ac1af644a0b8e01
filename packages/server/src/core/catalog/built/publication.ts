// Publishes built packages: first interfaces, then the integrations that implement them. Requires a
// transaction around all of them. Versions with the same content are not written, so that their
// processes go on.
import {
  ApiError,
  type NewBuiltIntegration,
  type NewBuiltInterface,
} from '@botstead/contract'
import { mergeKeys, toBytesInSlices } from '@botstead/lib'
import type { Db } from '../../db/index.ts'
import {
  emptyIntegrationDefinition,
  mergeIntegrationDefinition,
} from '../integrations/definition.ts'
import { findIntegrationCode } from '../integrations/integration-code.ts'
import type { DraftDeps } from '../integrations/integration-draft.ts'
import {
  createIntegration,
  type FoundIntegration,
  findIntegration,
  updateIntegration,
} from '../integrations/integrations.ts'
import {
  emptyInterface,
  type InterfaceDefinition,
  mergeInterface,
} from '../interfaces/definition.ts'
import {
  createInterface,
  type IsUsed,
  updateInterface,
} from '../interfaces/interfaces.ts'
import { findPackageByName } from '../packages/heads.ts'
import { findVersionId, type Visibility } from '../packages/versions.ts'
import {
  exportIntegration,
  exportInterface,
  isSameContent,
  toBuiltIntegration,
  toBuiltInterface,
} from './built-packages.ts'

interface Publishing {
  workspaceId: string
  visibility: Visibility
  /** Whether a version with other content is updated instead of rejected. */
  replace: boolean
}

interface Published {
  id: string
  name: string
  version: string
  state: 'created' | 'updated' | 'found'
}

/** Throws AlreadyExists, BreakingChanges and the errors of createInterface. */
export async function publishInterface(
  { db, limits }: DraftDeps,
  { workspaceId, visibility, replace }: Publishing,
  input: NewBuiltInterface,
  isUsed: IsUsed,
): Promise<Published> {
  const { name, version } = input
  const found = (id: string, state: Published['state']) => ({ id, name, version, state })
  const content = {
    icon: '',
    readme: '',
    description: '',
    ...input,
    public: visibility !== 'private',
  }
  const find = (scope: { workspaceId: string } | 'hub') =>
    findPackageByName<InterfaceDefinition>(db, 'interface', scope, name, version)
  const own = await find({ workspaceId })
  if (!own) {
    const shared = await find('hub')
    if (shared) return found(shared.id, 'found')
    return found(await createInterface(db, limits, workspaceId, content), 'created')
  }
  const definition = mergeInterface(emptyInterface, input)
  const next = toBuiltInterface({ ...pick(content), definition })
  const isSame = await isSameContent(db, await exportInterface(db, own), next)
  if (isSame && (own.visibility !== 'private' || !content.public))
    return found(own.id, 'found')
  if (!isSame && !replace) throw otherContent('interface', input)
  await updateInterface(db, limits, workspaceId, own.id, content, isUsed, true)
  return found(own.id, 'updated')
}

/** `deployed`: what the trial of the code found. Throws also ReferenceNotFound. */
export async function publishIntegration(
  deps: DraftDeps,
  publishing: Publishing,
  input: NewBuiltIntegration,
  loadError: string | undefined,
): Promise<Published> {
  const { db } = deps
  const { workspaceId, visibility, replace } = publishing
  const { name, version } = input
  const interfaces = await resolveInterfaces(db, workspaceId, input.interfaces ?? {})
  const content = {
    icon: '',
    readme: '',
    description: '',
    ...input,
    interfaces,
    visibility,
  }
  const id = await findVersionId(db, 'integration', { workspaceId }, name, version)
  if (id === null) {
    const { row } = await createIntegration(deps, workspaceId, content, loadError ?? null)
    return { id: row.id, name, version, state: 'created' }
  }
  const own = await findIntegration(db, { workspaceId }, id)
  const isSame = await hasContent(db, own, content, input)
  const secrets = Object.keys(input.secrets ?? {}).length > 0
  if (isSame && own.visibility === visibility && !secrets)
    return { id, name, version, state: 'found' }
  if (!isSame && !replace) throw otherContent('integration', input)
  await updateIntegration(deps, workspaceId, id, content, {
    bypass: false,
    replaces: true,
    loadError,
  })
  return { id, name, version, state: 'updated' }
}

type Interfaces = NonNullable<NewBuiltIntegration['interfaces']>

/** Finds them in the workspace, or else in the hub. Throws ReferenceNotFound. */
async function resolveInterfaces(db: Db, workspaceId: string, named: Interfaces) {
  const resolved: Record<string, Interfaces[string] & { id: string }> = {}
  for (const [key, statement] of Object.entries(named)) {
    const { name, version } = statement
    const id =
      (await findVersionId(db, 'interface', { workspaceId }, name, version)) ??
      (await findVersionId(db, 'interface', 'hub', name, version))
    if (id === null)
      throw new ApiError(
        'ReferenceNotFound',
        `Interface "${name}@${version}" was not found in this workspace and in the hub: publish it first`,
      )
    Object.defineProperty(resolved, key, {
      value: { ...statement, id },
      enumerable: true,
    })
  }
  return resolved
}

async function hasContent(
  db: Db,
  own: FoundIntegration,
  content: Parameters<typeof updateIntegration>[3] & { interfaces: object },
  input: NewBuiltIntegration,
): Promise<boolean> {
  const merged = mergeIntegrationDefinition(emptyIntegrationDefinition, content)
  const interfaces = Object.fromEntries(
    Object.entries(merged.interfaces).map(([key, one]) => [
      key,
      withNames(one, input.interfaces?.[key]),
    ]),
  )
  const next = toBuiltIntegration({
    ...pick({ ...input, icon: input.icon ?? '', readme: input.readme ?? '' }),
    definition: { ...merged, interfaces },
    attributes: mergeKeys<string, string>({}, input.attributes, (value) => value),
    layers: input.layers ?? [],
    sdkVersion: input.sdkVersion,
    maxExecutionTime: input.maxExecutionTime,
  })
  if (!(await isSameContent(db, await exportIntegration(db, own), next))) return false
  const code = await findIntegrationCode(db, own.id)
  return code?.equals(await toBytesInSlices(input.code)) ?? false
}

const withNames = <One extends object>(
  one: One,
  named: { name: string; version: string } | undefined,
) => ({
  ...one,
  ...(named && { name: named.name, version: named.version }),
})

const pick = ({
  name,
  version,
  title,
  description = '',
  icon = '',
  readme = '',
}: Pick<
  NewBuiltIntegration,
  'name' | 'version' | 'title' | 'description' | 'icon' | 'readme'
>) => ({
  name,
  version,
  title,
  description,
  icon,
  readme,
})

const otherContent = (
  kind: string,
  { name, version }: { name: string; version: string },
) =>
  new ApiError(
    'AlreadyExists',
    `Version ${version} of the ${kind} "${name}" already exists with other content: publish another ` +
      'version, or pass `replace`',
  )
