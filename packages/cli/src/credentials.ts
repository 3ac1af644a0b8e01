// Reads the credentials that the first start writes into the data folder: URL, token, workspace and
// first bot.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CliError, UsageError } from './failure.ts'
import { startCommand } from './own-command.ts'

interface Credentials {
  url: string
  token: string
  workspaceId: string
  botId: string
  webhookId: string
  chatUrl: string
}

/** Options of every command that calls a running server. */
export interface Connecting {
  url?: string
  token?: string
  workspace?: string
}

export const dataFolder = () => resolve(process.env.BOTSTEAD_DATA || 'data')

/** Returns null if there is no credentials file: options are required then. */
export function readCredentials(): Partial<Credentials> | null {
  const file = join(dataFolder(), 'credentials.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CliError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    return JSON.parse(text) as Partial<Credentials>
  } catch {
    throw new CliError(
      `${file} is not valid JSON: delete it, and start the server to write it again`,
    )
  }
}

export function serverUrl({ url }: Connecting): string {
  const found = url ?? readCredentials()?.url
  if (!found)
    throw new CliError(
      `no server found in ${dataFolder()}: start one with "${startCommand}", set BOTSTEAD_DATA to its ` +
        'data folder, or pass --url',
    )
  if (!URL.canParse(found))
    throw new UsageError(
      `"${found}" is not a URL: pass --url with one, such as http://127.0.0.1:4000`,
    )
  return found.replace(/\/+$/, '')
}
