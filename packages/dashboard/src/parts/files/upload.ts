// Stores files that a person chooses.

import type { Client } from '@botstead/client'
import { newId } from 'page/ids.js'

/**
 * Stores a file that a person attaches to a message. Its URL is public, as those of files that users
 * send to the bot. Returns the message's payload with its type. Files in `inbox/<conversation>` are personal
 * data of its user, which erasures find by the folder.
 */
export async function uploadFile(
  client: Client,
  file: File,
  folder: 'emulator' | `inbox/${string}`,
): Promise<Record<string, unknown>> {
  const created = await storeFile(client, file, folder, {
    accessPolicies: ['public_content'],
  })
  const [kind] = file.type.split('/')
  if (kind === 'image' || kind === 'audio' || kind === 'video')
    return { type: kind, [`${kind}Url`]: created.url, title: file.name }
  return { type: 'file', fileUrl: created.url, title: file.name }
}

/** Stores the file in a new folder of `folder`, under its own name. */
export async function storeFile(
  client: Client,
  file: File,
  folder: string,
  access: { accessPolicies?: 'public_content'[]; expiresAt?: string } = {},
) {
  const { file: created } = await client.files.upsertFile({
    body: {
      key: `${folder}/${newId()}/${file.name}`,
      size: file.size,
      contentType: file.type || 'application/octet-stream',
      ...access,
    },
  })
  const response = await fetch(created.uploadUrl!, { method: 'PUT', body: file })
  if (!response.ok) throw new Error(`The upload failed with status ${response.status}`)
  return created
}
