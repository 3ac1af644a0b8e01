// Sends and receives the contents of files.
import { openAsBlob } from 'node:fs'
import type { Client } from '@botstead/client'
import { CliError } from '../failure.ts'
import { retry } from './server-client.ts'

type UploadBody = Parameters<Client['files']['upsertFile']>[0]['body']
type StoredFile = Awaited<ReturnType<Client['files']['getFile']>>['file']

/** Repeats the upload after temporary failures: it has the same effect. */
export const uploadFile = (
  client: Client,
  path: string,
  body: Omit<UploadBody, 'size'>,
): Promise<StoredFile> =>
  retry(5, async () => {
    const content = await openAsBlob(path)
    const { file } = await client.files.upsertFile({
      body: { ...body, size: content.size },
    })
    const response = await fetch(file.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': file.contentType },
      body: content,
    })
    if (!response.ok)
      throw new CliError(
        `the server rejected the content of ${path} (status ${response.status})`,
      )
    return file
  })

export async function downloadFile(client: Client, id: string): Promise<Response> {
  const { file } = await client.files.getFile({ params: { id } })
  const response = await fetch(file.url)
  if (!response.ok)
    throw new CliError(
      `the content of ${file.key} is missing (status ${response.status})`,
    )
  return response
}
