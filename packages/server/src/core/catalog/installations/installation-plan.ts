// Computes the effect of a bot's update on its installed integrations: the rows to write and the
// calls to make. Pure; installations.ts reads and writes.

import { ApiError } from '@botstead/contract'
import { withSortedKeys } from '@botstead/lib'
import { schemas } from '../../compute/index.ts'
import { codeMark } from '../integrations/hosted-code.ts'
import { type Installable, isBuiltIn } from '../integrations/hub.ts'
import { findInvalidOrigin } from './chat-definition.ts'

type Configuration = Record<string, unknown>

export type InstallationStatus =
  | 'registration_pending'
  | 'registered'
  | 'registration_failed'
  | 'unregistration_pending'
  | 'unregistered'
  | 'unregistration_failed'

/**
 * Change of updateBot: absent fields stay, null removes the installation, a null type selects the
 * default.
 */
interface InstallationUpdate {
  enabled?: boolean
  integrationId?: string
  configurationType?: string | null
  configuration?: Configuration
  disabledChannels?: string[]
}
export type InstallationChanges = Record<string, InstallationUpdate | null>

/** The version that serves a bot, with its configuration. */
export interface Equipment {
  integrationId: string
  configurationType: string | null
  configuration: Configuration
}

/** An installation with its decrypted configuration. */
export interface Installed extends Equipment {
  alias: string
  enabled: boolean
  disabledChannels: string[]
  status: InstallationStatus
  /** Code version at registration (`codeMark`); null when it was not recorded. */
  registeredAs: string | null
}

export interface InstallationPlan {
  put: (Installed & { formerId: string | null; leaves: boolean })[]
  /** Installations to delete at once. */
  remove: string[]
  /** Calls to make after the commit. */
  calls: RegistrationCall[]
}

export interface RegistrationCall {
  alias: string
  /** The previous version, which unregisters first. Null when there is none. */
  former: Equipment | null
  /** Operation for the installed version. */
  operation: 'register' | 'unregister' | null
  /** The installation is deleted afterwards, regardless of the outcome. */
  leaves: boolean
}

const maxIntegrations = 30
const maxConfigurationLength = 20_000

/** Returns the ids in the changes, which the caller looks up. A key may be an id, too. */
export const mentionedIds = (
  installed: Installed[],
  changes: InstallationChanges,
): string[] => [
  ...new Set([
    ...installed.map((one) => one.integrationId),
    ...Object.entries(changes).flatMap(([key, change]) =>
      change ? [key, change.integrationId ?? key] : [],
    ),
  ]),
]

/**
 * For clients without `x-multiple-integrations`, which know one installation per integration and
 * key it by id: an id as a key is never a new alias, even when the entry repeats it as
 * `integrationId`. Throws InvalidPayload when two keys refer to one installation.
 */
export function keyedById(
  installed: Installed[],
  changes: InstallationChanges,
  known: Map<string, Installable>,
): InstallationChanges {
  const entries = Object.entries(changes).map(
    ([key, change]): [string, InstallationUpdate | null] => {
      const isAlias = !known.has(key) || installed.some(({ alias }) => alias === key)
      if (isAlias || !change?.integrationId) return [key, change]
      const now = installed.find(({ integrationId }) => integrationId === key)
      if (now) return [now.alias, change]
      const { integrationId, ...settings } = change
      return [integrationId, settings]
    },
  )
  rejectDuplicates(entries.map(([key]) => key))
  return Object.fromEntries(entries)
}

/**
 * `known` contains the integrations that may be installed in the bot. Throws ReferenceNotFound,
 * InvalidIdentifier, InvalidDataFormat, LimitExceeded.
 */
export async function planInstallations(
  botId: string,
  installed: Installed[],
  changes: InstallationChanges,
  known: Map<string, Installable>,
): Promise<InstallationPlan> {
  const plan: InstallationPlan = { put: [], remove: [], calls: [] }
  const entries = Object.entries(changes)
  for (const [key, change] of entries) {
    if (!change) continue
    const now = findInstalled(installed, key, change)
    const older = now ? undefined : predecessor(installed, key, change, known)
    const next = planNext(
      now ?? older,
      key,
      older ? { ...change, integrationId: key } : change,
      known,
    )
    await checkConfiguration(botId, next.integration, next.installed)
    planChange(plan, now ?? older, next, known)
  }
  for (const [key, change] of entries) {
    const now = change ? undefined : findInstalled(installed, key, null)
    if (now && !isReplaced(plan, now, key)) planRemoval(plan, now, known)
  }
  rejectDuplicates([...plan.put.map((one) => one.alias), ...plan.remove])
  const aliases = new Set([...installed, ...plan.put].map((one) => one.alias))
  for (const alias of plan.remove) aliases.delete(alias)
  if (aliases.size > maxIntegrations)
    throw new ApiError(
      'LimitExceeded',
      `A bot can have at most ${maxIntegrations} integrations, not ${aliases.size}: remove some first`,
    )
  return plan
}

const pendingStatus = {
  register: 'registration_pending',
  unregister: 'unregistration_pending',
} as const

const findInstalled = (
  installed: Installed[],
  key: string,
  change: InstallationUpdate | null,
) =>
  installed.find((one) => one.alias === key) ??
  (change?.integrationId ? undefined : installed.find((one) => one.integrationId === key))

/**
 * Older clients refer to an installation by its version's id. The id of another version refers to
 * the installation with the integration's name as its alias.
 */
function predecessor(
  installed: Installed[],
  key: string,
  change: InstallationUpdate,
  known: Map<string, Installable>,
): Installed | undefined {
  const name = change.integrationId ? undefined : known.get(key)?.name
  return installed.find(
    (one) => one.alias === name && known.get(one.integrationId)?.name === name,
  )
}

/** Returns whether the same request installs another version in place of this one. */
const isReplaced = ({ put }: InstallationPlan, now: Installed, key: string) =>
  now.alias !== key &&
  put.some(({ alias, integrationId }) => alias === now.alias && integrationId !== key)

/**
 * An installation can be referred to by its alias and, in older clients, by its integration's id.
 */
function rejectDuplicates(aliases: string[]) {
  const twice = aliases.find((alias, i) => aliases.indexOf(alias) !== i)
  if (twice !== undefined)
    throw new ApiError(
      'InvalidPayload',
      `\`integrations\` refers to "${twice}" more than once`,
    )
}

function planRemoval(
  plan: InstallationPlan,
  now: Installed,
  known: Map<string, Installable>,
) {
  if (!now.enabled || isSilent(known.get(now.integrationId)))
    return void plan.remove.push(now.alias)
  plan.put.push({
    ...now,
    enabled: false,
    status: 'unregistration_pending',
    formerId: null,
    leaves: true,
  })
  plan.calls.push({
    alias: now.alias,
    operation: 'unregister',
    former: null,
    leaves: true,
  })
}

interface Next {
  integration: Installable
  installed: Installed
}

function planNext(
  now: Installed | undefined,
  key: string,
  change: InstallationUpdate,
  known: Map<string, Installable>,
): Next {
  const integrationId = change.integrationId ?? now?.integrationId ?? key
  const integration = known.get(integrationId)
  if (!integration)
    throw new ApiError(
      'ReferenceNotFound',
      `Integration "${integrationId}" was not found`,
    )
  const next: Installed = {
    alias: now?.alias ?? (change.integrationId ? key : integration.name),
    integrationId,
    enabled: change.enabled ?? now?.enabled ?? true,
    configurationType:
      change.configurationType === undefined
        ? (now?.configurationType ?? null)
        : change.configurationType,
    configuration: change.configuration ?? now?.configuration ?? {},
    disabledChannels: change.disabledChannels ?? now?.disabledChannels ?? [],
    status: now?.status ?? 'unregistered',
    registeredAs: now?.registeredAs ?? null,
  }
  checkAlias(next.alias)
  return { integration, installed: next }
}

function planChange(
  plan: InstallationPlan,
  now: Installed | undefined,
  { integration, installed: next }: Next,
  known: Map<string, Installable>,
) {
  const mustUnregister =
    now?.enabled === true &&
    now.integrationId !== next.integrationId &&
    !isSilent(known.get(now.integrationId))
  const former = mustUnregister ? now : null
  const operation = isSilent(integration) ? null : operationFor(now, next, integration)
  if (operation || former)
    plan.calls.push({ alias: next.alias, former, operation, leaves: false })
  const status = operation ? pendingStatus[operation] : statusWithoutCall(next, now)
  plan.put.push({
    ...next,
    status,
    registeredAs: codeMark(integration),
    formerId: former?.integrationId ?? null,
    leaves: false,
  })
}

/**
 * Enabling an integration, or changing an enabled one, calls `register`; disabling it calls
 * `unregister`.
 */
function operationFor(
  now: Installed | undefined,
  next: Installed,
  integration: Installable,
): RegistrationCall['operation'] {
  if (next.enabled)
    return now?.enabled &&
      now.status === 'registered' &&
      worksAlike(now, next, integration)
      ? null
      : 'register'
  return now?.enabled && now.integrationId === next.integrationId ? 'unregister' : null
}

/** Status when no call is needed. A disabled installation keeps the outcome of its `unregister`. */
function statusWithoutCall(
  next: Installed,
  now: Installed | undefined,
): InstallationStatus {
  if (next.enabled) return 'registered'
  return now && !now.enabled ? now.status : 'unregistered'
}

const worksAlike = (a: Installed, b: Installed, integration: Installable) =>
  a.integrationId === b.integrationId &&
  a.configurationType === b.configurationType &&
  canonical(a.configuration) === canonical(b.configuration) &&
  (a.registeredAs === null || a.registeredAs === codeMark(integration))

/** The database does not keep the order of keys. */
const canonical = (value: unknown): string => JSON.stringify(withSortedKeys(value))

const isSilent = (integration: Installable | undefined) =>
  !integration || isBuiltIn(integration)

function checkAlias(alias: string) {
  const fits = alias.length > 0 && alias.length <= 200 && !alias.includes(':')
  if (!fits)
    throw new ApiError(
      'InvalidIdentifier',
      'The alias of an integration must have 1 to 200 characters and no colon',
    )
}

/** A disabled integration may have an incomplete configuration, so that users can prepare it. */
async function checkConfiguration(
  botId: string,
  integration: Installable,
  { alias, enabled, configuration, configurationType }: Installed,
) {
  if (JSON.stringify(configuration).length > maxConfigurationLength)
    throw new ApiError('LimitExceeded', 'A configuration must not exceed 20 kB')
  const { definition } = integration
  const chosen =
    configurationType === null
      ? definition.configuration
      : new Map(Object.entries(definition.configurations)).get(configurationType)
  if (!chosen)
    throw new ApiError(
      'ReferenceNotFound',
      `The integration "${integration.name}" has no configuration "${configurationType}"`,
    )
  const mismatch =
    enabled &&
    ((isBuiltIn(integration) && findInvalidOrigin(configuration)) ||
      (await schemas.findMismatch(botId, chosen.schema, configuration)))
  if (mismatch)
    throw new ApiError(
      'InvalidDataFormat',
      `The configuration of "${alias}" is invalid: ${mismatch}`,
    )
}
