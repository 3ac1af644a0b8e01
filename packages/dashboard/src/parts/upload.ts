// Stores a file that a person attaches, and returns the message that shows it.

import type { Client } from '@botstead/client'
import { newId } from 'page/ids.js'

/**
 * Stores the file in the folder. Its URL is public, as those of files that users send to the bot.
 * Returns the message's payload with its type.
 */
export async function uploadFile(
  client: Client,
  file: File,
  folder: 'emulator' | 'inbox',
): Promise<Record<string, unknown>> {
  const { file: created } = await client.files.upsertFile({
    body: {
      key: `${folder}/${newId()}/${file.name}`,
      size: file.size,
      contentType: file.type || 'application/octet-stream',
      accessPolicies: ['public_content'],
    },
  })
  const response = await fetch(created.uploadUrl!, { method: 'PUT', body: file })
  if (!response.ok) throw new Error(`The upload failed with status ${response.status}`)
  const [kind] = file.type.split('/')
  if (kind === 'image' || kind === 'audio' || kind === 'video')
    return { type: kind, [`${kind}Url`]: created.url, title: file.name }
  return { type: 'file', fileUrl: created.url, title: file.name }
}
