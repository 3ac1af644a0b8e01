// Reads the credentials that the first start writes into the data folder: URL, token, workspace and
// first bot.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CliError } from '../failure.ts'

interface Credentials {
  url: string
  token: string
  workspaceId: string
  botId: string
  webhookId: string
  chatUrl: string
}

/** A server, and the credentials for it. */
export interface Connection {
  url: string
  token?: string
  workspaceId?: string
  /** The bot of commands without one, and its chat. */
  botId?: string
  chatUrl?: string
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
