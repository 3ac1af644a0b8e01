// Checks settings as the operator enters them. Each error names the field.
import { ApiError, type ServerSettingsChange } from '@botstead/contract'
import { apiKeyForm, isApiKey } from '@botstead/lib'
import { isSender, type MailSettings } from '../../core/config/index.ts'
import { nextTick } from '../../core/lib/index.ts'
import type { Outgoing } from '../../core/outgoing/index.ts'
import type { SettingName, SettingValues, StoredSettings } from './setting-store.ts'

interface Deps {
  stored: StoredSettings
  outgoing: Pick<Outgoing, 'checkUrl'>
  /** The first one: what it may reach, settings may name. */
  workspaceId: string
}

/** Settings that were checked, each with its secret. */
export type CheckedSettings = {
  [Name in SettingName]?: { value: SettingValues[Name]; secret: string | null } | null
}

/** Throws InvalidPayload. */
export async function checkSettings(
  deps: Deps,
  { address, model, embeddings, backups, mail }: ServerSettingsChange,
): Promise<CheckedSettings> {
  return {
    ...(address !== undefined && { address: address && checkAddress(address) }),
    ...(model !== undefined && {
      model: model && (await checkModel(deps, 'model', model)),
    }),
    ...(embeddings !== undefined && {
      embeddings: embeddings && (await checkModel(deps, 'embeddings', embeddings)),
    }),
    ...(backups !== undefined && { backups: backups && checkBackups(backups) }),
    ...(mail !== undefined && { mail: mail && checkMail(deps.stored, mail) }),
  }
}

type Sent<Name extends SettingName> = NonNullable<ServerSettingsChange[Name]>

const invalid = (field: string, message: string) =>
  new ApiError('InvalidPayload', `\`${field}\` ${message}`)

function checkAddress({ url: text }: Sent<'address'>) {
  const trimmed = text.trim().replace(/\/+$/, '')
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.origin !== trimmed.toLowerCase()
  )
    throw invalid(
      'address.url',
      'must be the address of this server without a path, such as https://bots.example.org',
    )
  return { value: { url: url.origin }, secret: null }
}

async function checkModel(
  { stored, outgoing, workspaceId }: Deps,
  name: 'model' | 'embeddings',
  { key, ...sent }: Sent<'model'>,
) {
  const { type } = sent
  const url = sent.url?.trim().replace(/\/+$/, '') || null
  if (type === 'openai-compatible' && url === null)
    throw invalid(
      `${name}.url`,
      'is missing: enter the base URL, which mostly ends with /v1',
    )
  if (name === 'embeddings' && type === 'anthropic')
    throw invalid(`${name}.type`, 'must be another provider: Anthropic has no embeddings')
  if (url !== null) await outgoing.checkUrl(workspaceId, `${name}.url`, url)
  if (key && !isApiKey(key.trim())) throw invalid(`${name}.key`, `must ${apiKeyForm}`)
  const known = stored[name]
  const isSame = known?.value.type === type && known.value.url === url
  const secret = keep(`${name}.key`, {
    sent: key?.trim() ?? key,
    known: known?.secret,
    isSame,
  })
  return { value: { type, url, model: sent.model.trim() }, secret }
}

/**
 * Returns the secret to use. Throws InvalidPayload if it is not sent although its server has changed: a
 * secret must not follow its setting to another server, and must not be lost unnoticed.
 */
function keep(
  field: string,
  {
    sent,
    known = null,
    isSame,
  }: {
    sent: string | null | undefined
    known: string | null | undefined
    isSame: boolean
  },
): string | null {
  if (sent !== undefined) return sent || null
  if (known === null || isSame) return known
  throw invalid(
    field,
    'must be entered again, because it was for another server; null removes it',
  )
}

function checkBackups({ schedule, ...rest }: Sent<'backups'>) {
  const trimmed = schedule.trim()
  if (!nextTick(trimmed, new Date()))
    throw invalid(
      'backups.schedule',
      'must be a cron expression of five fields such as "0 3 * * *" (every night at three, in UTC)',
    )
  return { value: { ...rest, schedule: trimmed }, secret: null }
}

function checkMail(stored: StoredSettings, { password, ...sent }: Sent<'mail'>) {
  const value = { ...sent, host: sent.host.trim(), user: sent.user?.trim() || null }
  if (!/^[^\s/@]+$/.test(value.host))
    throw invalid('mail.host', 'must be the name of a server such as smtp.example.org')
  if (!isSender(value.from))
    throw invalid(
      'mail.from',
      'must be an e-mail address, or a name and an address: Support <support@example.org>',
    )
  const known = stored.mail
  const isSame = known?.value.host === value.host && known.value.user === value.user
  const secret = keep('mail.password', { sent: password, known: known?.secret, isSame })
  if (secret !== null && value.user === null)
    throw invalid('mail.user', 'is missing: a password needs a user')
  return { value, secret }
}

export const toMailSettings = ({
  value,
  secret,
}: NonNullable<CheckedSettings['mail']>): MailSettings => ({ ...value, password: secret })
