// `botstead deploy`: deploys a bundle or a document as a new bot or a new version.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Script } from 'node:vm'
import { isDocument } from '../documents/document-file.ts'
import { CliError, UsageError } from '../failure.ts'
import { openAdmin, rejectEmptyBot, reportDeployed } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'

export async function deploy(
  bundle: string,
  {
    bot: botId,
    name,
    ...options
  }: Connecting & { bot?: string; name?: string; json?: boolean; dryRun?: boolean },
): Promise<void> {
  rejectEmptyBot(botId)
  if (isDocument(bundle)) {
    const { deployDocument } = await import('./deploy-document.ts')
    return deployDocument(bundle, {
      ...options,
      ...(botId && { bot: botId }),
      ...(name && { name }),
    })
  }
  if (options.dryRun)
    throw new UsageError(
      `--dry-run needs a document (bot.json or bot.yaml), not a bundle`,
    )
  const code = readBundle(bundle)
  const admin = openAdmin(options)
  const { createBot, updateBot } = admin.client.admin
  const { bot } = botId
    ? await updateBot({ params: { id: botId }, body: { code, ...(name && { name }) } })
    : await createBot({ body: { name: name ?? findName(bundle), code } })
  await reportDeployed(admin, bot, { isNew: !botId, json: options.json })
}

/** Returns the name of the bundle's project, because bundles have names such as `index.cjs`. */
function findName(bundle: string): string {
  for (let folder = dirname(resolve(bundle)); ; folder = dirname(folder)) {
    const name = readPackageName(join(folder, 'package.json'))
    if (name) return name
    if (folder === dirname(folder)) return basename(bundle).replace(/\.c?js$/, '')
  }
}

/** Returns null without such a file, or without a name in it. */
function readPackageName(file: string): string | null {
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
    return typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : null
  } catch {
    return null
  }
}

function readBundle(path: string): string {
  let code: string
  try {
    code = readFileSync(path, 'utf8')
  } catch (error) {
    const { code: reason } = error as NodeJS.ErrnoException
    throw new CliError(
      reason === 'ENOENT'
        ? `file ${path} does not exist`
        : `cannot read ${path} (${reason})`,
    )
  }
  try {
    // Compiles it as Node compiles a CommonJS file, without running it.
    new Script(
      `(function (exports, require, module, __filename, __dirname) {${code}\n})`,
      {
        filename: path,
      },
    )
  } catch (error) {
    throw new CliError(
      `${path} is not a valid CommonJS file: ${(error as Error).message}`,
    )
  }
  return withSourceMap(path, code)
}

const mapComment = /\n\/\/# sourceMappingURL=(?!data:)([^\s]+)\s*$/

/** Puts the source map beside the bundle into it, so that stack traces name the sources. */
function withSourceMap(path: string, code: string): string {
  const [, name = ''] = mapComment.exec(code) ?? []
  if (name === '') return code
  try {
    const { sourcesContent: _, ...map } = JSON.parse(
      readFileSync(join(dirname(path), decodeURIComponent(name)), 'utf8'),
    )
    const encoded = Buffer.from(JSON.stringify(map)).toString('base64')
    return code.replace(
      mapComment,
      () => `\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`,
    )
  } catch {
    return code // without a map that can be read
  }
}
