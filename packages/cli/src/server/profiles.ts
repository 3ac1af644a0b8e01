// Owns the file of profiles: servers that `login` has signed in to, with their tokens. It is in the
// user's configuration folder, readable by the user only.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError, UsageError } from '../failure.ts'
import type { Connection } from './credentials.ts'

export interface Profile extends Connection {
  token: string
  /** The token's id if `login` created it: `logout` revokes it. */
  tokenId?: string
}

export interface Profiles {
  /** The profile of commands without `--server`; undefined for the data folder. */
  current?: string
  profiles: Record<string, Profile>
}

/** The name of the data folder's server, which needs no profile. */
export const local = 'local'

export function profilesFile(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env
  const folder =
    XDG_CONFIG_HOME ||
    (process.platform === 'win32' && APPDATA ? APPDATA : join(homedir(), '.config'))
  return join(folder, 'botstead', 'profiles.json')
}

export function readProfiles(): Profiles {
  const file = profilesFile()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { profiles: {} }
    throw new CliError(`cannot read ${file} (${code})`)
  }
  try {
    return { profiles: {}, ...(JSON.parse(text) as Partial<Profiles>) }
  } catch {
    throw new CliError(
      `${file} is not valid JSON: correct it, or delete it and sign in again`,
    )
  }
}

/** Replaces the file in one step, so that an interruption does not lose the tokens in it. */
export function writeProfiles(profiles: Profiles): void {
  const file = profilesFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  renameSync(draft, file)
}

export function findProfile({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found) return found
  const names =
    Object.keys(profiles).join(', ') || 'none; "botstead login <url>" adds one'
  throw new UsageError(`there is no profile "${name}"; profiles: ${names}`)
}
