// The file with which the command line finds the server of its data folder.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Credentials {
  url: string
  /**
   * Null if the file was lost after the first start; `botstead tokens create --account` creates
   * another token.
   */
  token: string | null
  workspaceId: string
  botId: string | null
  webhookId: string | null
  chatUrl: string | null
  /** Signs the user keys of the bot's chat. */
  chatEncryptionKey: string
}

export const credentialsFile = (dataFolder: string) =>
  join(dataFolder, 'credentials.json')

/** Returns null without a readable file. */
export async function readCredentials(dataFolder: string): Promise<Credentials | null> {
  try {
    return JSON.parse(await readFile(credentialsFile(dataFolder), 'utf8'))
  } catch {
    return null // First start, or a deleted or damaged file: the start writes it again.
  }
}
