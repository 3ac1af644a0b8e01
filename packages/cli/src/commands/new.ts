// `botstead new`: creates a project from a template of this installation, without a network.
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { botsteadCommand, inShell } from '../definitions/command-parts.ts'
import { CliError, UsageError } from '../failure.ts'
import { findConnection } from '../server/connection.ts'

type Template = 'faq' | 'agent' | 'sdk-bot' | 'integration'

/** Names of npm packages and of integrations. */
const validName = /^[a-z][a-z0-9-]{0,62}[a-z0-9]$/

export async function createProject(
  folder: string,
  { template, json }: { template: Template; json?: boolean },
): Promise<void> {
  const target = resolve(folder)
  const name = basename(target)
  if (!validName.test(name))
    throw new UsageError(
      `the folder name "${name}" cannot be the name of a project: use 2 to 64 lower-case letters, ` +
        'digits and "-", beginning with a letter',
    )
  checkEmpty(folder)
  const source = fileURLToPath(
    new URL(`../../dist/templates/${template}`, import.meta.url),
  )
  cpSync(source, target, { recursive: true })
  const files = fill(target, name)
  if (json) return console.log(JSON.stringify({ name, template, folder: target, files }))
  console.log(`Created ${name} in ${target}\n\nNext:`)
  for (const command of nextCommands(template, target)) console.log(`  ${command}`)
}

function checkEmpty(folder: string): void {
  try {
    if (readdirSync(folder).length === 0) return
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new CliError(
      code === 'ENOTDIR'
        ? `${folder} is not a folder`
        : `cannot read ${folder} (${code})`,
    )
  }
  throw new CliError(`folder ${folder} is not empty: name a new or an empty folder`)
}

/** The server in the files of the templates. */
const usualServer = 'http://127.0.0.1:4000'

/** The server of later commands, which need not run yet. */
function findServer(): string {
  const { BOTSTEAD_SERVER: server, BOTSTEAD_PORT: port } = process.env
  try {
    return findConnection(server ? { server } : {}).url
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return Number(port) ? `http://127.0.0.1:${port}` : usualServer
  }
}

/** Writes the name and the server of the project into its files, and returns their paths. */
function fill(folder: string, name: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const server = findServer()
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const filled = text.replaceAll(/\bNAME\b/g, name).replaceAll(usualServer, server)
    if (filled !== text) writeFileSync(file, filled)
    // Packages of npm cannot contain a file `.gitignore`.
    if (basename(file) === 'gitignore') renameSync(file, join(folder, '.gitignore'))
  }
  return files
    .map((file) => relative(folder, file).replace(/^gitignore$/, '.gitignore'))
    .sort()
}

function nextCommands(template: Template, folder: string): string[] {
  const at = (path: string) => inShell(join(folder, path))
  if (template === 'faq' || template === 'agent')
    return [
      `${botsteadCommand()} test ${at('bot.json')}`,
      `${botsteadCommand()} dev ${at('bot.json')}`,
      ...(template === 'agent' ? [`Model of the agent: see ${at('README.md')}`] : []),
    ]
  const deployment =
    template === 'integration'
      ? ['npm run deploy    (README.md names the settings)']
      : // Commands find the server by the folder in which they run.
        [
          `cd ${inShell(process.cwd())}`,
          `${botsteadCommand()} deploy ${at('dist/bot.cjs')} --name ${basename(folder)}`,
        ]
  return [
    `cd ${inShell(folder)}`,
    'npm install    (needs the npm registry)',
    'npm test',
    ...deployment,
  ]
}
