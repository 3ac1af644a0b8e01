import { ApiError, type Handlers, type platform } from '@botstead/contract'
import {
  accountStore,
  operators,
  workspaceStore,
} from '../../../../core/accounts/index.ts'
import type { Contexts, HttpServices, Services } from '../../../../core/http/index.ts'
import type { OutgoingServices } from '../../../../core/outgoing/index.ts'
import { checkSettings } from '../../check-settings.ts'
import { readMailState, retryMails } from '../../mail/outgoing-mail.ts'
import { probeSetting } from '../../probes.ts'
import type { ServerSettingServices } from '../../services.ts'
import {
  readStoredSettings,
  type SettingName,
  type SettingValues,
  type StoredSettings,
  settingNames,
  storeSetting,
} from '../../setting-store.ts'

type Own = HttpServices & OutgoingServices & ServerSettingServices

export const serverSettings: Handlers<typeof platform.serverSettings, Contexts<Own>> = {
  async getServerSettings({ services, caller }) {
    await operators.require(services, caller)
    const { db, secrets, publicUrl } = services
    const [stored, mail] = await Promise.all([
      readStoredSettings(db, secrets),
      readMailState(db),
    ])
    const show = <Shown>(name: SettingName, value: Shown | null) => ({
      value,
      setBy: services.serverSettings.findVariable(name),
      updatedAt: stored[name]?.updatedAt.toISOString() ?? null,
    })
    const { failure } = mail
    return {
      address: show('address', stored.address?.value ?? null),
      publicUrl: publicUrl(),
      model: show('model', withoutKey(stored.model)),
      embeddings: show('embeddings', withoutKey(stored.embeddings)),
      backups: show('backups', stored.backups?.value ?? null),
      mail: show(
        'mail',
        stored.mail
          ? { ...stored.mail.value, hasPassword: stored.mail.secret !== null }
          : null,
      ),
      outgoingMail: {
        pending: mail.pending,
        failure: failure && { ...failure, at: failure.at.toISOString() },
      },
    }
  },

  async setServerSettings({ services, caller }, { body }) {
    await operators.require(services, caller)
    const { db, secrets } = services
    const checked = await checkSettings(await findDeps(services), body)
    for (const name of settingNames) {
      const setting = checked[name]
      if (setting === undefined) continue
      rejectFixed(services, name)
      await storeSetting(
        db,
        secrets,
        name,
        setting as { value: SettingValues[typeof name] } & Secret,
      )
    }
    if (checked.mail) await retryMails(db)
    await services.afterCommit(async (after) => {
      await after.serverSettings.reload()
      await after.invalidate({ serverSettings: true })
    })
    return {}
  },

  async testServerSettings({ services, caller }, { body }) {
    await operators.require(services, caller)
    const deps = await findDeps(services)
    const checked = await checkSettings(deps, body.setting)
    const { email } = await accountStore.find(services.db, caller.accountId)
    const { secrets, connections: outgoing } = services
    const { workspaceId } = deps
    return probeSetting(
      { secrets, outgoing, workspaceId },
      checked,
      body.recipient ?? email,
    )
  },
}

interface Secret {
  secret: string | null
}

async function findDeps({ db, secrets, outgoing }: Services & Own) {
  const [stored, workspaceId] = await Promise.all([
    readStoredSettings(db, secrets),
    workspaceStore.findFirstId(db),
  ])
  return { stored, outgoing, workspaceId: workspaceId ?? '' }
}

/** Throws ReferenceConstraint: the change would have no effect. */
function rejectFixed({ serverSettings }: Own, name: SettingName) {
  const variable = serverSettings.findVariable(name)
  if (variable)
    throw new ApiError(
      'ReferenceConstraint',
      `\`${name}\` is set by the environment variable ${variable} on the server: change it there, or ` +
        'remove it and restart the server',
    )
}

const withoutKey = (stored: StoredSettings['model']) =>
  stored ? { ...stored.value, hasKey: stored.secret !== null } : null
