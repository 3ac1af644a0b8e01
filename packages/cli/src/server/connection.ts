// Finds the server of a command, and the credentials for it: those of `--server`, or of the profile
// in use, or of the data folder. A token is only sent to the server that it belongs to.

import { CliError, UsageError } from '../failure.ts'
import { startCommand } from '../own-command.ts'
import { type Connection, dataFolder, readCredentials } from './credentials.ts'
import { findProfile, local, readProfiles } from './profiles.ts'

/** Options of every command that calls a running server. */
export interface Connecting {
  server?: string
  /** The former name of `server`. */
  url?: string
  token?: string
  workspace?: string
}

export function findConnection({
  server,
  url,
  token,
  workspace,
}: Connecting): Connection {
  const address = server ?? url
  const known = address === undefined ? usualConnection() : connectionTo(address)
  return {
    ...known,
    ...(token !== undefined && { token }),
    ...(workspace !== undefined && { workspaceId: workspace }),
  }
}

/** A data folder that the environment names precedes the profile in use. */
function usualConnection(): Connection {
  const { current, profiles } = readProfiles()
  if (!process.env.BOTSTEAD_DATA && current && profiles[current]) return profiles[current]
  const found = localConnection()
  if (found) return found
  throw new CliError(
    `no server found in ${dataFolder()}: start one with "${startCommand}", set BOTSTEAD_DATA to its ` +
      'data folder, sign in to another one with "login <url>", or pass --server',
  )
}

function localConnection(): Connection | null {
  const { url, ...rest } = readCredentials() ?? {}
  return url ? { url, ...rest } : null
}

function connectionTo(address: string): Connection {
  if (address === local) {
    const found = localConnection()
    if (found) return found
    throw new CliError(
      `no server found in ${dataFolder()}: start one with "${startCommand}"`,
    )
  }
  const stored = readProfiles()
  if (Object.hasOwn(stored.profiles, address)) return stored.profiles[address]!
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    if (/^[\w-]+$/.test(address)) findProfile(stored, address)
    throw new UsageError(
      `"${address}" is not a URL: pass --server with one, such as http://127.0.0.1:4000, or with the ` +
        'name of a profile',
    )
  }
  const url = address.replace(/\/+$/, '')
  const known = [localConnection(), ...Object.values(stored.profiles)]
  return known.find((one) => one?.url === url) ?? { url }
}
