// `botstead deploy`: a bundle becomes a bot, or its next version.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Script } from 'node:vm'
import { chatUrlOf, openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'
import { Failure } from '../failure.ts'

export async function deploy(bundle: string, { bot: botId, name, ...options }: Connecting & { bot?: string; name?: string }): Promise<void> {
  const code = readBundle(bundle)
  const admin = openAdmin(options)
  const named = name ?? basename(bundle).replace(/\.c?js$/, '')
  const bot = botId ? await admin.updateBot(botId, { code, ...(name && { name }) }) : await admin.createBot({ name: named, code })
  const chatUrl = chatUrlOf(admin.url, bot)
  console.log(`${botId ? 'Updated' : 'Deployed'} ${bot.name} (${bot.id})`)
  if (!chatUrl) return console.log('It has no chat integration, so nobody can talk to it here.')
  console.log(`  Chat page  ${admin.url}/?chat=${chatUrl.slice(chatUrl.lastIndexOf('/') + 1)}`)
  console.log(`  Chat API   ${chatUrl}`)
  console.log(`  Terminal   npx botstead chat ${bot.id}`)
}

function readBundle(path: string): string {
  let code: string
  try {
    code = readFileSync(path, 'utf8')
  } catch (error) {
    const { code: reason } = error as NodeJS.ErrnoException
    throw new Failure(reason === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${reason})`)
  }
  try {
    // Compiled as Node would compile a CommonJS file, and not run.
    new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, { filename: path })
  } catch (error) {
    throw new Failure(`${path} is not a CommonJS file that can run: ${(error as Error).message}`)
  }
  return code
}
