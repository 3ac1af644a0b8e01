// The documents of knowledge bases beside a bot document.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Client, findKnowledgeBases, namesOfKnowledgeBases } from '@botstead/client'
import { uploadFiles } from '../commands/files.ts'
import type { ReadDocument } from './bot-document.ts'

/** Returns the folders `knowledge/<name>` beside the document, of its knowledge bases. */
export const knowledgeFolders = ({ path, document }: ReadDocument) =>
  namesOfKnowledgeBases(document)
    .map((name) => ({ name, folder: join(dirname(path), 'knowledge', name) }))
    .filter(({ folder }) => existsSync(folder))

/** Uploads the changed files of `knowledge/<name>` beside the document. */
export async function uploadKnowledge(client: Client, read: ReadDocument): Promise<void> {
  const folders = knowledgeFolders(read)
  if (folders.length === 0) return
  const ids = await findKnowledgeBases(client)
  for (const { name, folder } of folders)
    await uploadFiles(client, [folder], { knowledge: ids.get(name)! })
}
