// What the first start leaves in the data folder, so that commands know where the server is and who they are.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure, Misuse } from './failure.ts'

export interface Credentials {
  url: string
  token: string
  workspaceId: string
  botId: string
  webhookId: string
  chatUrl: string
}

/** Options that every command about a running server has. */
export interface Connecting {
  url?: string
  token?: string
  workspace?: string
}

const dataFolder = () => resolve(process.env.BOTSTEAD_DATA || 'data')

/** Null when there is no such file: then everything has to be said by options. */
export function readCredentials(): Partial<Credentials> | null {
  const file = join(dataFolder(), 'credentials.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Failure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    return JSON.parse(text) as Partial<Credentials>
  } catch {
    throw new Failure(`${file} is damaged: it is not JSON`)
  }
}

export function serverUrl({ url }: Connecting): string {
  const found = url ?? readCredentials()?.url
  if (!found)
    throw new Failure(
      `no server is known: start one with "botstead start", set BOTSTEAD_DATA to its data folder (${dataFolder()} has none), or give --url`,
    )
  if (!URL.canParse(found)) throw new Misuse(`"${found}" is not a URL`)
  return found.replace(/\/+$/, '')
}
