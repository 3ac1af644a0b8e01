// The settings of the dashboard as this process uses them. A change takes effect at once on the server that
// makes it, by a note on the others, and after `paceMs` if the note was lost. Settings of the environment
// win.

import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import { workspaceStore } from '../../core/accounts/index.ts'
import type { Config } from '../../core/config/index.ts'
import type { Db } from '../../core/db/index.ts'
import type { Events } from '../../core/installation/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { ChosenModel, FixedModels } from '../models/index.ts'
import {
  readStoredSettings,
  type SettingName,
  type StoredSettings,
} from './setting-store.ts'

interface Deps {
  db: Db
  secrets: Secrets
  /** Of the environment; its properties follow the settings from now on. */
  config: Config
  /** The variables that configure models. */
  fixedModels: FixedModels
  events: Events
  log: Logger
}

export interface LiveSettings {
  /** Returns the environment variable that wins over a setting; null without one. */
  findVariable(name: SettingName): string | null
  /** The models that no variable replaces. */
  chosenModels(): ChosenModel[]
  /** When the schedule of backups was set in the dashboard; null if it was not. */
  backupsSetAt(): Date | null
  /** Calls the listener after models have changed. */
  onModels(listener: () => void): void
  /** Reads the settings again. */
  reload(): Promise<void>
  stop(): Promise<void>
}

const paceMs = 15_000

export async function openLiveSettings(deps: Deps): Promise<LiveSettings> {
  const { db, secrets, config, events, log } = deps
  const fixed = { ...config }
  const findVariable = (name: SettingName) => findFixed(fixed, deps.fixedModels, name)
  const listeners: (() => void)[] = []
  let [models, known] = [[] as ChosenModel[], '[]']
  let backupsSetAt: Date | null = null
  const read = async () => {
    const stored = await readStoredSettings(db, secrets)
    for (const name of Object.keys(stored) as SettingName[])
      if (findVariable(name)) delete stored[name]
    Object.assign(config, toConfig(fixed, stored))
    backupsSetAt = stored.backups?.updatedAt ?? null
    const chosen = toModels(stored, await workspaceStore.findFirstId(db))
    if (JSON.stringify(chosen) === known) return
    ;[models, known] = [chosen, JSON.stringify(chosen)]
    for (const listener of listeners) listener()
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'cannot read the settings')
  await read()
  const task = new PeriodicTask({ task: read, paceMs, failed })
  events.on('onInvalidate', (what) => {
    if (what === 'all' || 'serverSettings' in what) task.within(0)
  })
  return {
    findVariable,
    chosenModels: () => models,
    backupsSetAt: () => backupsSetAt,
    onModels: (listener) => void listeners.push(listener),
    reload: read,
    stop: () => task.stop(),
  }
}

function findFixed(fixed: Config, models: FixedModels, name: SettingName): string | null {
  if (name === 'model') return models.text
  if (name === 'embeddings') return models.embedding
  if (name === 'address') return fixed.publicUrl === null ? null : 'BOTSTEAD_PUBLIC_URL'
  if (name === 'backups')
    return fixed.backupSchedule === null ? null : 'BOTSTEAD_BACKUP_SCHEDULE'
  return fixed.mail === null ? null : 'BOTSTEAD_MAIL_URL'
}

type Changeable = 'publicUrl' | 'backupSchedule' | 'backupKeep' | 'backupVerify' | 'mail'

function toConfig(
  fixed: Config,
  { address, backups, mail }: StoredSettings,
): Pick<Config, Changeable> {
  return {
    publicUrl: address?.value.url ?? fixed.publicUrl,
    backupSchedule: backups?.value.schedule ?? fixed.backupSchedule,
    backupKeep: backups?.value.keep ?? fixed.backupKeep,
    backupVerify: backups?.value.verify ?? fixed.backupVerify,
    mail: mail ? { ...mail.value, password: mail.secret } : fixed.mail,
  }
}

/** The addresses are those that the first workspace may use. */
const toModels = ({ model, embeddings }: StoredSettings, workspaceId: string | null) => [
  ...(model
    ? [{ ...model.value, kind: 'text' as const, key: model.secret, workspaceId }]
    : []),
  ...(embeddings
    ? [
        {
          ...embeddings.value,
          kind: 'embedding' as const,
          key: embeddings.secret,
          workspaceId,
        },
      ]
    : []),
]
