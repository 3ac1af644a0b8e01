// What people send by Google Chat, as messages of the bot's conversation.
import type { Context } from '../channel.ts'
import { download } from './api.ts'
import type { ChatAttachment, ChatMessage } from './types.ts'

export interface Content {
  type: string
  payload: Record<string, unknown>
}

const toText = (text: string): Content => ({ type: 'text', payload: { text } })

const maxAttachments = 20

/** Returns the files and the text, without the mention of the app. */
export async function readContents(
  context: Context,
  message: ChatMessage,
): Promise<Content[]> {
  const contents: Content[] = []
  const attachments = Array.isArray(message.attachment) ? message.attachment : []
  for (const attachment of attachments.slice(0, maxAttachments))
    if (attachment) contents.push(await readFile(context, attachment))
  const { argumentText, text } = message
  const said = String(argumentText ?? text ?? '').trim()
  return said === '' ? contents : [...contents, toText(said)]
}

async function readFile(context: Context, attachment: ChatAttachment): Promise<Content> {
  const { contentName, contentType = '', attachmentDataRef, driveDataRef } = attachment
  const { driveFileId } = driveDataRef ?? {}
  if (driveFileId) return toDriveFile(driveFileId, contentName)
  const resourceName = attachmentDataRef?.resourceName
  const response = resourceName ? await download(context, resourceName) : null
  if (!response || !resourceName)
    return toText(`[${contentName ?? 'file'}: Google Chat did not give it]`)
  const type = /^(image|audio|video)\//.exec(contentType)?.[1] ?? 'file'
  const name = contentName || `${type}.${contentType.split('/')[1] ?? 'bin'}`
  const url = await context.host.storeFile({
    key: `googlechat/${attachment.name ?? resourceName}/${name}`,
    name,
    contentType: contentType || 'application/octet-stream',
    content: response.body,
  })
  return {
    type,
    payload: { [`${type}Url`]: url, ...(contentName && { title: contentName }) },
  }
}

/** Apps cannot read files of Google Drive. */
function toDriveFile(id: string, name: string | undefined): Content {
  const fileUrl = `https://drive.google.com/open?id=${encodeURIComponent(id)}`
  return { type: 'file', payload: { fileUrl, ...(name && { title: name }) } }
}
