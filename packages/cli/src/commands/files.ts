// `botstead files upload` and `download`.
import { createHash } from 'node:crypto'
import { createReadStream, type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import type { Client } from '@botstead/client'
import { CliError } from '../failure.ts'
import type { Context } from '../server/context.ts'
import { downloadFile, uploadFile } from '../server/file-transfer.ts'
import { retry } from '../server/server-client.ts'
import { writeBody } from '../server/streamed-file.ts'
import { printDone } from '../terminal/printing.ts'
import { openProgress } from '../terminal/progress.ts'

interface Found {
  path: string
  key: string
}
interface UploadOptions {
  knowledge?: string
  prefix?: string
  index?: boolean
}

/** As many as the server compares at a time. */
const batchSize = 100
const concurrency = 4

export async function upload(
  { client, options }: Context<UploadOptions>,
  paths: string[],
): Promise<void> {
  const { uploaded, skipped } = await uploadFiles(client, paths, options)
  const unchanged = skipped > 0 ? `, ${skipped} unchanged` : ''
  printDone(
    `Uploaded ${uploaded} of ${uploaded + skipped} files${unchanged}`,
    { uploaded, skipped },
    options,
  )
}

/** Uploads files and the files of folders, except those that the server has with this content. */
export async function uploadFiles(
  client: Client,
  paths: string[],
  options: UploadOptions,
): Promise<{ uploaded: number; skipped: number }> {
  const found = paths
    .flatMap((path) => filesAt(path))
    .map((one) => ({ ...one, key: toKey(one, options) }))
  const progress = openProgress()
  let [uploaded, skipped] = [0, 0]
  const show = () => progress.show(`${uploaded + skipped} of ${found.length} files`)
  for (let at = 0; at < found.length; at += batchSize) {
    const batch = found.slice(at, at + batchSize)
    const files = await Promise.all(
      batch.map(async ({ path, key }) => ({ key, sha256: await hashFile(path) })),
    )
    const ask = () => client.platform.findStoredFiles({ body: { files } })
    const stored = new Set((await retry(5, ask)).keys)
    const missing = batch.filter(({ key }) => !stored.has(key))
    skipped += batch.length - missing.length
    await inParallel(missing, async (one) => {
      await uploadFile(client, one.path, toBody(one, options))
      uploaded++
      show()
    })
  }
  progress.end()
  return { uploaded, skipped }
}

/** Keys of a folder contain the paths below it. Links and hidden files are left out. */
function filesAt(path: string): Found[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new CliError(`file ${path} does not exist`)
  if (!stats.isDirectory()) return [{ path, key: basename(path) }]
  const isHidden = ({ name, parentPath }: Dirent) =>
    `${relative(path, parentPath)}${sep}${name}`
      .split(sep)
      .some((part) => part.startsWith('.'))
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isHidden(entry))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: file, key: relative(path, file).split(sep).join('/') }))
}

/** Files of knowledge bases have the keys that the dashboard gives them. */
const toKey = ({ key }: Found, { knowledge, prefix = '' }: UploadOptions) =>
  `${knowledge === undefined ? '' : `knowledge/${knowledge}/`}${prefix}${key}`

const toBody = ({ key }: Found, { knowledge: kbId, index = false }: UploadOptions) => ({
  key,
  index: index || kbId !== undefined,
  ...(kbId !== undefined && {
    tags: {
      source: 'knowledge-base',
      kbId,
      title: basename(key)
        .replace(/\.\w+$/, '')
        .slice(0, 500),
    },
  }),
})

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>) {
  const left = items.values()
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of left) await work(item)
  })
  await Promise.all(workers)
}

export async function download(
  { client, options }: Context<{ output?: string }>,
  id: string,
): Promise<void> {
  await writeBody(await downloadFile(client, id), options.output)
  if (options.output !== undefined)
    printDone(`Wrote ${options.output}`, { file: options.output }, options)
}
